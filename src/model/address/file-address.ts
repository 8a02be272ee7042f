const NAME_CHARS_MAX = 100;

/** Where a service that keeps files shows one, from the root of the help centre. */
export function fileAddress(digest: string, path: string): string {
  return `/files/${digest}/${fileName(path)}`;
}

/** The last part of a path as an address can carry it: `A–Z a–z 0–9 . _ -`, at most 100, a letter or digit first. */
export function fileName(path: string): string {
  const last = path
    .slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-');
  return last.slice(-NAME_CHARS_MAX).replace(/^[^A-Za-z0-9]+/, '') || 'file';
}

/** The digests of files that a text shows or links to at addresses of a service that keeps them. */
export function digestsIn(text: string): readonly string[] {
  return [...text.matchAll(/\/files\/([0-9a-f]{64})\//g)].map(([, digest = '']) => digest);
}
