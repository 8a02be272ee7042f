/** The page of results where no service searches. */
const {
  index: address,
  results,
  nothing,
  other,
  instead,
  also,
  failed,
  again,
} = document.currentScript.dataset;
const SHOWN_MAX = 50;
/** A query with so many hits needs no help, and at most so many are added to one or two. */
const ENOUGH = 3;
const ADDED_MAX = 8;
/** Of a longer query, a text that somebody pasted, no word is replaced: each takes a look at all words of the site. */
const WORDS_MAX = 32;
const query = new URLSearchParams(location.search).get('q')?.trim() ?? '';
const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
/** Letters in which a word may differ from one of the site, as where a service searches. */
const slipsIn = (word) => {
  if (word.length < 4 || /^\p{N}+$/u.test(word) || UNSPACED.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
};
/** A bit for each letter that a word has; different letters may share one. */
const lettersOf = (word) => {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
};
const bitsIn = (given) => {
  let count = 0;
  for (let bits = given; bits !== 0; count += 1) bits &= bits - 1;
  return count;
};
/** How many edits make one word of the other: a letter changed, added, dropped, or swapped with its neighbour. */
const edits = (a, b) => {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 1; j <= b.length; j += 1) rows[0][j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const change = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i][j] = Math.min(
        change,
        rows[i - 1][j] + 1,
        rows[i][j - 1] + 1,
        isSwap ? rows[i - 2][j - 2] + 1 : Infinity,
      );
    }
  }
  return rows[a.length][b.length];
};
/** The query with words of titles and excerpts in place of words that none of them has; the query itself if nothing is near. */
const similar = (index) => {
  const asked = plain(query).trim().split(' ');
  if (asked.length > WORDS_MAX) return query;
  const known = [
    ...new Set(index.flatMap(({ title, about }) => plain(`${title} ${about}`).trim().split(' '))),
  ];
  const likely = known
    .filter((word) => slipsIn(word) > 0)
    .map((word) => ({ word, letters: lettersOf(word) }));
  const nearest = (word) => {
    const max = slipsIn(word);
    if (max === 0 || known.some((longer) => longer.startsWith(word))) return word;
    const letters = lettersOf(word);
    let best = word;
    let least = max + 1;
    for (const candidate of likely) {
      if (Math.abs(candidate.word.length - word.length) > max) continue;
      // An edit takes one letter away and brings another one at most: most words need no closer look.
      if (bitsIn(letters ^ candidate.letters) > 2 * max) continue;
      const count = edits(word, candidate.word);
      if (count < least) [best, least] = [candidate.word, count];
    }
    return best;
  };
  return asked.map(nearest).join(' ');
};
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
const status = (text) => {
  const line = Object.assign(element('p', text), { className: 'count' });
  line.setAttribute('role', 'status');
  return line;
};
/** Above the topics, which the page has until something was found. */
const say = (...lines) => {
  const main = document.querySelector('main');
  const topics = main.querySelector('.topics') ?? '';
  main.append(...lines, topics);
};
const show = (hits, asked, notice) => {
  const count = status(fill(hits.length === 0 ? nothing : results, { query: asked, count: hits.length }));
  const list = document.createElement('ol');
  list.className = 'hits';
  for (const { title, path, topic, about } of hits.slice(0, SHOWN_MAX)) {
    const item = document.createElement('li');
    const link = Object.assign(element('a', title), { href: path });
    item.append(link);
    if (topic !== '') item.append(Object.assign(element('p', topic), { className: 'where' }));
    item.append(element('p', about));
    list.append(item);
  }
  const meant = notice === undefined ? '' : Object.assign(element('p', notice), { className: 'notice' });
  if (hits.length > 0) document.querySelector('main .topics')?.remove();
  say(count, meant, hits.length === 0 ? element('p', other) : list);
};
/** What the query finds, and if that is little, what similar words find: then the page says so. */
const showFound = (index) => {
  const hits = found(index, query);
  if (hits.length >= ENOUGH) return show(hits, query);
  const meant = similar(index);
  const added = found(index, meant).filter((hit) => !hits.includes(hit));
  if (added.length === 0) return show(hits, query);
  if (hits.length === 0) return show(added, meant, fill(instead, { query, meant }));
  return show([...hits, ...added.slice(0, ADDED_MAX)], query, fill(also, { query, meant }));
};
if (query !== '') {
  document.querySelector('main input[type="search"]').value = query;
  fetch(address)
    .then((reply) => reply.json())
    .then(({ index }) => showFound(index))
    // Without the index nobody knows what there is, so the page does not say that nothing was found.
    .catch(() => say(status(failed), element('p', again)));
}
