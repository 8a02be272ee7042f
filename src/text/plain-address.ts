/** Without host, query and the slash at its end, as it is read: servers of pages tell no difference. */
export function plainPath(address: string): string {
  return asRead(withoutSlashes(address.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')));
}

/** The same with its query: an old address with a query is that query's alone. A lone `?` is none. */
export function plainAddress(address: string): string {
  const query = /^[^?#]*\?([^#]+)/.exec(address)?.[1];
  return query === undefined ? plainPath(address) : `${plainPath(address)}?${asRead(query)}`;
}

/** Decoded: files may have `ü` where a browser asks for `%C3%BC`. What is no UTF-8 stays as it is. */
function asRead(part: string): string {
  try {
    return decodeURI(part).normalize('NFC');
  } catch {
    return part;
  }
}

/** Without the slashes at its end, but the first one. A regular expression takes time with the square of a row of slashes. */
export function withoutSlashes(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
