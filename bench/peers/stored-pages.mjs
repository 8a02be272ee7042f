/** What kbsync's service holds, past its API. */
export function storedPages(store) {
  return store.read((sql) => sql.all('select name as title, content as body from articles'));
}
