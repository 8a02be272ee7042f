import { decoded } from './address/percent.ts';
import { digestOf } from './digest.ts';
import type { Fields, FieldValue } from './fields.ts';
import type { Key } from './key.ts';
import type { Repository } from './repository.ts';

/**
 * The stamp: an HTML comment that ends the body of a record and says whose it is and what we wrote, field by field,
 * as short digests: `<!-- kbsync 2 acme-docs article/install@fr title:3f9c2ab41e content:… -->`. It makes a fresh clone
 * without a state file able to tell "as we wrote it" from "edited since", and one repository able to tell its records
 * from another's. A repository without a name writes `kbsync 1` and no name. The page shows everything that it holds but
 * the repository's id.
 */
export interface Stamp {
  readonly key: string;
  /** The id of the repository that wrote it; undefined: it had none. */
  readonly repository?: string;
  /** Field name → 10 hex digits. Only the fields that we own are named. */
  readonly fields: ReadonlyMap<string, string>;
  /** 10 hex digits of the body without what a service may do to its form: a rewritten one is recognised by it. */
  readonly form?: string;
}

const WORDS = 'kbsync (?:1|2 (\\S+)) (\\S+)((?: [a-zA-Z]+:[0-9a-f]{10})*)';
const STAMP = new RegExp(`^\\s*<!-- ${WORDS} -->\\s*$`);

/** An escaped comment is text that readers see; typographers make a dash of its hyphens. */
const [OPENS, CLOSES] = ['(?:<!--|(&lt;!(?:--|[–—])))', '(?:--|[–—])(?:>|&gt;)'];

/** Editors move comments to the front, and sanitisers wrap whatever stands alone in a paragraph. */
const MARK = `(?:<p>\\s*)?${OPENS} ${WORDS} ${CLOSES}(?:\\s*</p>)?`;
const AT_THE_END = new RegExp(`\\s*${MARK}\\s*$`);
const IN_FRONT = new RegExp(`^\\s*${MARK}\\s*`);
/** A service that wraps a text closes its wrapper behind the stamp. */
const IN_A_WRAPPER = new RegExp(`\\s*(<!--) ${WORDS} -->(?=(?:\\s*</[a-zA-Z][\\w-]*>)+\\s*$)`);

/** A service that adds a footer, a form or a script puts them behind the stamp. */
const WITHIN = new RegExp(`\\s*(<!--) ${WORDS} -->`, 'g');

/** What a stamp says besides the fields. */
interface Marks {
  readonly repository?: string | undefined;
  /** The digest of the body's form; undefined: the service keeps HTML as it came. */
  readonly form?: string | undefined;
}

const FORM = 'form';
const DIGITS = 10;

/** `body` is the HTML without stamp; `owned` holds every field we write, the body under its own name. */
export function withStamp(body: string, key: Key, owned: Fields, { repository, form }: Marks = {}): string {
  const parts = Object.entries(owned).map(([name, value]) => ` ${name}:${stampDigest(value)}`);
  if (form !== undefined) parts.push(` ${FORM}:${form.slice(0, DIGITS)}`);
  const head = repository === undefined ? 'kbsync 1' : `kbsync 2 ${commentSafe(repository)}`;
  return `${body}${body === '' ? '' : '\n'}<!-- ${head} ${commentSafe(key)}${parts.join('')} -->`;
}

interface SplitStamp {
  readonly body: string;
  /** As it was written, whatever the service made of it. */
  readonly stamp?: string;
  /** It stands in the text as words, so readers see it. */
  readonly isShown?: true;
}

/**
 * The body without its stamp, and the stamp: the last or the first thing in `html`, or the only one in the midst of it. Space at the body's
 * end goes with or without a stamp, so a body is the same one before it is stamped and after it was read.
 */
export function splitStamp(html: string): SplitStamp {
  if (!html.includes('kbsync ')) return { body: html.trimEnd() };
  const found = AT_THE_END.exec(html) ?? IN_FRONT.exec(html) ?? IN_A_WRAPPER.exec(html) ?? onlyOne(html);
  if (found === undefined) return { body: html.trimEnd() };
  const [whole, opening, repository, key = '', fields = ''] = found;
  const body = `${html.slice(0, found.index)}${html.slice(found.index + whole.length)}`.trimEnd();
  const head = repository === undefined ? 'kbsync 1' : `kbsync 2 ${repository}`;
  const stamp = `<!-- ${head} ${key}${fields} -->`;
  return { body, stamp, ...(opening?.startsWith('&') === true ? { isShown: true } : {}) };
}

/** Of two, nobody can tell which one is the page's and which came with a text that somebody copied. */
function onlyOne(html: string): RegExpExecArray | undefined {
  const [found, ...more] = html.matchAll(WITHIN);
  return more.length > 0 ? undefined : found;
}

export function parseStamp(text: string): Stamp | undefined {
  const found = STAMP.exec(text);
  const [repository, key] = [found?.[1], found?.[2]];
  if (key === undefined) return undefined;
  const fields = new Map<string, string>();
  for (const part of (found?.[3] ?? '').split(' ')) {
    const [name, digest] = part.split(':');
    if (name !== undefined && digest !== undefined) fields.set(name, digest);
  }
  const form = fields.get(FORM);
  fields.delete(FORM);
  return {
    key: decoded(key),
    ...(form === undefined ? {} : { form }),
    ...(repository === undefined ? {} : { repository: decoded(repository) }),
    fields,
  };
}

/** The repository that a record's stamp names, where it is another one; undefined: no stamp says that it is not ours. */
export function otherOwner(
  stamp: string | undefined,
  { known }: Pick<Repository, 'id' | 'known'>,
): string | undefined {
  const owner = stamp === undefined ? undefined : parseStamp(stamp)?.repository;
  return owner === undefined || known.includes(owner) ? undefined : owner;
}

/** Whether a value is the one the stamp was written over. */
export function stampFits(stamp: Stamp, field: string, value: FieldValue): boolean {
  return stamp.fields.get(field) === stampDigest(value);
}

/** What a stamp says of a value. */
export function stampDigest(value: FieldValue): string {
  return digestOf(value).slice(0, DIGITS);
}

/** A comment may hold neither `--` nor `>`; a key or a name may. */
function commentSafe(name: string): string {
  return encodeURIComponent(name).replaceAll('%2F', '/').replaceAll('%40', '@').replaceAll('--', '%2D%2D');
}
