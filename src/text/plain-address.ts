/** Without host, query and the slash at its end, as it is read: servers of pages tell no difference. */
export function plainPath(address: string): string {
  const path = withoutSlashes(address.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/, ''));
  try {
    return decodeURI(path).normalize('NFC');
  } catch {
    return path;
  }
}

/** The same with its query: an old address with a query is that query's alone. */
export function plainAddress(address: string): string {
  const query = /\?[^#]*/.exec(address)?.[0] ?? '';
  return plainPath(address) + query;
}

/** Without the slashes at its end, but the first one. A regular expression takes time with the square of a row of slashes. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
