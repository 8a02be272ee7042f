// Everything on the site works without this file; it only saves a reader some steps.
const root = document.documentElement;
root.classList.add('js');

/** Letters and numbers only, without accents and with one i, as the index of a site without a service has them. */
const plain = (text) =>
  ` ${text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replaceAll('ı', 'i')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
/** Entries with the beginning of each word of the query; those with them in their titles first. None without a word. */
globalThis.found = (index, query) => {
  const terms = plain(query).trim().split(' ');
  if (terms[0] === '') return [];
  const has = (text) => terms.every((term) => text.includes(UNSPACED.test(term) ? term : ` ${term}`));
  const titled = index.filter(({ title }) => has(plain(title)));
  const others = index.filter(
    (entry) => !titled.includes(entry) && has(plain(entry.title) + (entry.words ?? '')),
  );
  return titled.concat(others);
};
