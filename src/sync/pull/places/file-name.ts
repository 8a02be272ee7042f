/** Names that Windows keeps for devices, and names that file lists of ours or of tools pass over. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|index|_index|node_modules)$/i;
const BYTES_MAX = 120;

/**
 * A slug as the name of a file or folder on every system: letters, digits, `-`, `_` and `.` inside; never a device, a
 * hidden name or one that says something else to kbsync. The slug itself stands in the file, where the two differ.
 */
export function safeName(slug: string): string {
  const letters = slug
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[._~-]+|[.-]+$/g, '');
  const name = cut(
    letters.replace(/\.(?:remote|md|markdown|mdx|orig|rej|bak|tmp|swp|swo)$/i, (end) => `-${end.slice(1)}`),
  );
  if (name === '') return 'untitled';
  return RESERVED.test(name.split('.')[0] ?? '') ? `${name}-page` : name;
}

function cut(name: string): string {
  const bytes = Buffer.from(name);
  // What the cut leaves of a character that it splits is the replacement character.
  const end =
    bytes.length <= BYTES_MAX
      ? name
      : bytes
          .subarray(0, BYTES_MAX)
          .toString()
          .replace(/\uFFFD+$/, '');
  return end.replace(/[.-]+$/, '');
}

/** Gives each path once, compared without case; a second one gets `mark`, which is the same in every run. */
export function uniquePaths(taken: Iterable<string>): (path: string, mark: string) => string {
  const used = new Set([...taken].map(folded));
  return (path, mark) => {
    let unique = path;
    for (let count = 1; used.has(folded(unique)); count += 1) {
      unique = count === 1 ? `${path}-${safeName(mark)}` : `${path}-${safeName(mark)}-${count}`;
    }
    used.add(folded(unique));
    return unique;
  };
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Whether a path that somebody else names (a stamp) may be one of ours. */
export function isSafePath(path: string): boolean {
  const parts = path.split('/');
  return parts.length <= 12 && parts.every((part) => part !== '' && safeName(part) === part);
}
