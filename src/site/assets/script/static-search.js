/** The page of results where no service searches. */
const { index: address, results, nothing, other } = document.currentScript.dataset;
const SHOWN_MAX = 50;
const query = new URLSearchParams(location.search).get('q')?.trim() ?? '';
const fill = (sentence, count) => sentence.replace('{query}', query).replace('{count}', count);
const element = (name, text) => Object.assign(document.createElement(name), { textContent: text });
const show = (hits) => {
  const main = document.querySelector('main');
  const count = element('p', fill(hits.length === 0 ? nothing : results, hits.length));
  count.className = 'count';
  count.setAttribute('role', 'status');
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
  const topics = main.querySelector('.topics');
  if (hits.length > 0) topics?.remove();
  main.append(count, hits.length === 0 ? element('p', other) : list);
  // What was found, or not, stands above what there is.
  if (hits.length === 0 && topics !== null) main.append(topics);
};
if (query !== '') {
  document.querySelector('main input[type="search"]').value = query;
  fetch(address)
    .then((reply) => reply.json())
    .then(({ index }) => show(found(index, query)))
    .catch(() => show([]));
}
