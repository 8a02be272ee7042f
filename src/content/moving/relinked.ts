import { posix } from 'node:path';
import { familyOf, pathOf } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import { recordAddress } from '../../model/address/page-address.ts';
import { decoded } from '../../model/address/percent.ts';
import type { Assembled } from '../assemble.ts';
import { isImplied } from '../corpus/corpus.ts';
import { bodyOfFile } from '../front-matter/write.ts';
import type { ContentOptions } from '../options.ts';
import { keyAfter } from './key-after.ts';
import type { NewNames } from './new-names.ts';
import { literalPattern } from '../../text/literal-pattern.ts';
import { pathBetween } from '../../text/path-between.ts';
import { plainText } from '../source-text.ts';

export interface RelinkInput {
  readonly before: Assembled;
  /** With the files at their new places, and links as they were. */
  readonly after: Assembled;
  readonly found: NewNames;
  readonly families: ReadonlyMap<Family, Family>;
  /** Gets the texts with new links. */
  readonly texts: Map<string, string>;
  readonly read: (path: string) => string | undefined;
  readonly options: Pick<ContentOptions, 'urls'>;
}

export interface Relinked {
  readonly count: number;
  /** Links that no spelling leads where they led. */
  readonly open: readonly { readonly file: string; readonly url: string }[];
}

/** Links that would lead elsewhere, or nowhere, are written as they must be then: each new spelling is tried before it is taken. */
export function relinked({ before, after, found, families, texts, read, options }: RelinkInput): Relinked {
  const open: { readonly file: string; readonly url: string }[] = [];
  let count = 0;
  const wantedFor = expectedAddress({ before, after, families, options });
  for (const file of before.corpus.files) {
    if (isImplied(file)) continue;
    const path = found.files.get(file.path) ?? file.path;
    const was = read(file.path);
    const key = keyAfter(file.key, families);
    if (was === undefined) continue;
    const links = before.draft(file.key, plainText(was))?.links ?? new Map<string, string>();
    const start = texts.get(path) ?? was;
    const now = after.draft(key, plainText(start))?.links ?? new Map<string, string>();
    let text = start;
    for (const [url, sent] of links) {
      const wanted = wantedFor(sent);
      const isRight = now.get(url) === wanted;
      if (isRight && !losesFile(url, { from: file.path, to: path, before, found })) continue;
      const next = spelledAnew(text, url, {
        wanted,
        from: file.path,
        to: path,
        found,
        families,
        draft: (draft) => after.draft(key, plainText(draft)),
      });
      if (next === undefined) {
        if (!isRight) open.push({ file: `${before.corpus.shown}${file.path}`, url });
      } else {
        text = next;
        count += 1;
      }
    }
    if (text !== start) texts.set(path, text);
  }
  return { count, open };
}

/** It named a file, and would lead to the page by its address alone: generators that look for the file would not find it. */
function losesFile(
  url: string,
  { from, to, before, found }: Pick<Spelling, 'from' | 'to' | 'found'> & Pick<RelinkInput, 'before'>,
): boolean {
  const path = decoded(url.replace(/[?#].*$/s, ''));
  if (path === '' || /^(?:[a-z][a-z\d+.-]*:|\/)/i.test(path)) return false;
  const target = posix.join(posix.dirname(from), path);
  if (!before.corpus.byPath.has(target)) return false;
  return posix.join(posix.dirname(to), path) !== newPlace(target, found);
}

/** Where a sent address must lead then: the page that it leads to, under the page's new address. */
function expectedAddress({
  before,
  after,
  families,
  options: { urls },
}: Pick<RelinkInput, 'before' | 'after' | 'families' | 'options'>): (sent: string) => string {
  const keys = new Map<string, Key>();
  for (const [key, record] of before.state.records) keys.set(recordAddress(urls, record), key);
  return (sent) => {
    const end = sent.search(/[?#]/);
    const [base, rest] = end < 0 ? [sent, ''] : [sent.slice(0, end), sent.slice(end)];
    const key = keys.get(base);
    const record = key === undefined ? undefined : after.state.records.get(keyAfter(key, families));
    if (key === undefined || record === undefined || !families.has(familyOf(key))) return sent;
    return `${recordAddress(urls, record)}${rest}`;
  };
}

interface Spelling {
  readonly wanted: string;
  readonly from: string;
  readonly to: string;
  readonly found: NewNames;
  /** Names of records: an address may have them where the files have numbers in front. */
  readonly families: ReadonlyMap<Family, Family>;
  readonly draft: (text: string) => ReturnType<Assembled['draft']>;
}

/** The text with another spelling of a link; undefined where none leads there, or where the link cannot be told from other text. */
function spelledAnew(text: string, url: string, spelling: Spelling): string | undefined {
  // `{% link _docs/a.md %}` names a path from the root without its slash.
  return (
    spelledFrom('', text, url, spelling) ??
    (url.startsWith('/') ? spelledFrom('/', text, url, spelling) : undefined)
  );
}

/** `root` is the beginning of the address that is not written. */
function spelledFrom(root: string, text: string, url: string, spelling: Spelling): string | undefined {
  const page = pageOf(spelling.draft(text));
  const written = url.slice(root.length);
  const spots = spotsOf(text, written);
  for (const candidate of new Set(candidates(url, spelling))) {
    if (!candidate.startsWith(root)) continue;
    const change = { url: written, candidate: candidate.slice(root.length) };
    const isRight = (next: string): boolean => pageOf(spelling.draft(next)) === page;
    const whole = replaced(text, spots, change);
    // The same words in a block of code are no link.
    const links = isRight(whole) ? spots : spots.filter((spot) => isRight(replaced(text, [spot], change)));
    const next = replaced(text, links, change);
    const draft = links.length === 0 ? undefined : spelling.draft(next);
    if (draft?.links.get(candidate) === spelling.wanted && pageOf(draft) === page) return next;
  }
  return undefined;
}

/** The page without its addresses: nothing else may change. */
function pageOf(draft: ReturnType<Assembled['draft']>): string | undefined {
  return draft?.render(draft.markdown).replaceAll(/\s(?:href|src)="[^"]*"/g, '');
}

/** Where an address stands in the body, whole, as Markdown, HTML, wikis and shortcodes set it, also behind the site's root: `{{ site.baseurl }}/faq/`. */
function spotsOf(text: string, url: string): readonly number[] {
  const body = bodyOfFile(text.replaceAll('\r\n', '\n'));
  const size = text.includes('\r\n') ? body.replaceAll('\n', '\r\n').length : body.length;
  const quoted = literalPattern(url);
  const pattern = new RegExp(`(?<=[(<"'\\[|=:\\s}])${quoted}(?=[)>"'\\]|\\s]|$)`, 'g');
  return [...text.matchAll(pattern)].map(({ index }) => index).filter((index) => index >= text.length - size);
}

function replaced(
  text: string,
  spots: readonly number[],
  { url, candidate }: { readonly url: string; readonly candidate: string },
): string {
  let next = text;
  for (const spot of spots.toReversed())
    next = `${next.slice(0, spot)}${candidate}${next.slice(spot + url.length)}`;
  return next;
}

function* candidates(url: string, { from, to, found, families }: Spelling): Iterable<string> {
  const end = url.search(/[?#]/);
  const [written, rest] = end < 0 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  const path = decoded(written);
  const spell = (next: string): string => `${path === written ? next : encodeURI(next)}${rest}`;
  if (!/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(path)) {
    // Relative to the file, and to the page that is made of it.
    for (const [old, now] of [
      [posix.dirname(from), posix.dirname(to)],
      [stem(from), stem(to)],
    ] as const) {
      const target = newPlace(posix.normalize(posix.join(old, path)), found);
      const relative = pathBetween(now, target) || '.';
      const dotted = path.startsWith('./') && !relative.startsWith('.') ? `./${relative}` : relative;
      yield spell(path.endsWith('/') ? `${dotted}/` : dotted);
    }
  }
  const records = [...families].map(([was, is]) => ({ from: pathOf(was), to: pathOf(is) }));
  for (const pair of [...found.pairs, ...records]) {
    for (const [name, next] of [
      [pair.from, pair.to],
      [posix.basename(pair.from), posix.basename(pair.to)],
    ] as const) {
      const at = path.lastIndexOf(name);
      if (at >= 0) yield spell(`${path.slice(0, at)}${next}${path.slice(at + name.length)}`);
    }
  }
}

/** Where a file is then, also one that a link names without its ending, or the folder of one. */
function newPlace(path: string, { files }: NewNames): string {
  const bare = path.replace(/\/$/, '');
  const exact = files.get(bare);
  if (exact !== undefined) return exact;
  for (const [old, now] of files) {
    const ending = old.startsWith(`${bare}.`) ? old.slice(bare.length) : undefined;
    if (ending !== undefined && now.endsWith(ending)) return now.slice(0, -ending.length);
    if (old.startsWith(`${bare}/`) && now.endsWith(old.slice(bare.length))) {
      const folder = now.slice(0, now.length - (old.length - bare.length));
      if (folder !== bare) return folder;
    }
  }
  return bare;
}

function stem(path: string): string {
  return path.replace(/\.[^./]+$/, '').replace(/\/_?index$/, '');
}
