import { closeSync, fstatSync, lstatSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { WHOLE_FOLDER } from '../../content/files/scope.ts';
import { listTree } from '../../content/files/tree.ts';
import type { InputText, Skipped } from '../record.ts';
import { linesOf } from '../text/json-values.ts';

/** An export of 3 MB is usual; a text of JavaScript ends at 512 MB, and JSON becomes a multiple of its size. */
const MEGABYTES_MAX = 100;

/** A file or folder as it is shown, and where it is. */
export interface GivenPath {
  readonly shown: string;
  readonly diskPath: string;
}

/** A file that was given, or lies in a folder that was given. */
export interface InputFile {
  /** As it is shown. */
  readonly path: string;
  readonly diskPath: string;
}

/** Files and, of folders, all files below with one of the ends; links inside a folder are not followed. */
export function inputFiles(
  given: readonly GivenPath[],
  extensions: readonly string[],
): {
  readonly files: readonly InputFile[];
  readonly skipped: readonly Skipped[];
  readonly passedOver: number;
} {
  const files: InputFile[] = [];
  const skipped: Skipped[] = [];
  let passedOver = 0;
  for (const { shown, diskPath } of given) {
    const found = statSync(diskPath, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) {
      const tree = listTree(diskPath, WHOLE_FOLDER);
      const prefix = prefixOf(shown);
      for (const file of tree.files) {
        const isWanted = extensions.some((end) => file.path.toLowerCase().endsWith(end));
        if (isWanted) files.push({ path: `${prefix}${file.path}`, diskPath: file.diskPath });
        else passedOver += 1;
      }
      passedOver += tree.symlinks.length + tree.irregular.length;
      for (const { path, reason } of tree.closed) skipped.push(broken(`${prefix}${path}`, reason));
    } else if (found === undefined) skipped.push(broken(shown, 'there is no such file'));
    else files.push({ path: shown, diskPath });
  }
  return { files, skipped, passedOver };
}

/** Where a file of an export lies, by its path as the export's files are shown; only files inside of the folders that were given. */
export function besideOf(given: readonly GivenPath[], path: string): string | undefined {
  for (const { shown, diskPath } of given) {
    const prefix = prefixOf(shown);
    const rest = path.startsWith(prefix) ? path.slice(prefix.length) : '';
    if (rest === '' || rest.includes('\0') || rest.split(/[\\/]/).includes('..')) continue;
    const file = join(diskPath, rest);
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue;
    // A folder on the way may be a link.
    if (realpathSync(file).startsWith(`${realpathSync(diskPath)}${sep}`)) return file;
  }
  return undefined;
}

const PICTURE_MEGABYTES_MAX = 20;

/** The bytes of an image of an export, or why not. */
export function readPicture(
  given: readonly GivenPath[],
  path: string,
): { readonly bytes: Uint8Array } | { readonly why: string } {
  const file = besideOf(given, path);
  if (file === undefined) return { why: 'the folders that were given have no such file' };
  const { size } = statSync(file);
  if (size > PICTURE_MEGABYTES_MAX * 1_000_000)
    return { why: `it is larger than ${PICTURE_MEGABYTES_MAX} MB` };
  return size === 0 ? { why: 'the file is empty' } : { bytes: readFileSync(file) };
}

function prefixOf(shown: string): string {
  return shown === '.' ? '' : `${shown.replace(/(?<!\/)\/+$/, '')}/`;
}

export interface ReadText extends InputText {
  /** What of it is not in its encoding. */
  readonly garbled?: Skipped;
}

/** As browsers look for it. */
const HEAD_BYTES = 1024;

/** The text of a file; what cannot be read says why. */
export function readInput({ path, diskPath }: InputFile): ReadText | Skipped {
  try {
    const file = openSync(diskPath, 'r');
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) return broken(path, 'it is not a regular file');
      const megabytes = Math.ceil(stats.size / 1_000_000);
      if (megabytes > MEGABYTES_MAX) {
        return broken(
          path,
          `it has ${megabytes} MB; kbsync reads at most ${MEGABYTES_MAX} MB: export fewer records at once`,
        );
      }
      const bytes = readFileSync(file);
      if (isArchive(bytes)) {
        return broken(
          path,
          `it is an archive: unpack it (unzip ${basename(path)} -d export) and give the folder`,
        );
      }
      return decoded(path, bytes);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return broken(path, `it cannot be read: ${code}`);
  }
}

function isArchive(bytes: Uint8Array): boolean {
  return (
    (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3) || (bytes[0] === 0x1f && bytes[1] === 0x8b)
  );
}

/** A text in the encoding that its first bytes name; what is none of it comes as �, and is told with its first place. */
function decoded(path: string, bytes: Uint8Array): ReadText {
  const encoding = encodingOf(path, bytes);
  try {
    return { path, text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    const text = new TextDecoder(encoding).decode(bytes);
    const count = text.split('\uFFFD').length - 1;
    const first = linesOf(text)(text.indexOf('\uFFFD'));
    const places = count === 1 ? 'a character of it is' : `${count} characters of it are`;
    return {
      path,
      text,
      garbled: broken(path, `${places} not ${encoding} and became �, the first at ${first}`),
    };
  }
}

/** UTF-8, unless a byte order mark, the first line of XML or the head of an HTML page says something else. */
function encodingOf(path: string, bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES));
  const said =
    /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1] ??
    (/\.x?html?$/i.test(path) ? /<meta\s[^>]*?\bcharset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1] : undefined);
  // A text that can be read as one byte a character is not UTF-16, whatever it says.
  if (said === undefined || /^utf-?16/i.test(said)) return 'utf-8';
  try {
    return new TextDecoder(said).encoding;
  } catch {
    return 'utf-8';
  }
}

function broken(file: string, why: string): Skipped {
  return { at: { file, where: 'file' }, what: 'file', reason: 'broken', why };
}
