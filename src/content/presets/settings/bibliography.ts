import { posix } from 'node:path';
import { once } from '../../../model/once.ts';
import type { PresetInput } from '../pages/page-preset.ts';
import { sideFile, textsOf, valueAt } from '../pages/side-file.ts';

/** A work of a list of literature. */
interface Work {
  /** Family names. */
  readonly authors: readonly string[];
  readonly names: readonly string[];
  readonly year: string;
  readonly title: string;
  readonly where: string;
  readonly address: string;
}

export interface CitedWorks {
  /**
   * `cite` is `Knuth 1984`, `cite-text` is `Knuth (1984)`, `cite-year` the year, and `works` the list of what a page cites, as
   * Markdown; undefined: another name, or the page has no list of works that kbsync reads.
   */
  readonly valueOf: (file: string, name: string, key: string) => string | undefined;
}

const FORMS: ReadonlySet<string> = new Set(['cite', 'cite-text', 'cite-year']);

/** Works that pages cite, from BibTeX and CSL-JSON, in the style that Pandoc has by itself (Chicago, author and year). */
export function citedWorks({
  readText,
  bibliographyOf,
  isBook,
}: Pick<PresetInput, 'readText'> & {
  readonly bibliographyOf: (file: string) => readonly string[];
  /** Works are listed where the book says. */
  readonly isBook: boolean;
}): CitedWorks {
  const read = new Map<string, ReadonlyMap<string, Work>>();
  const worksAt = (path: string): ReadonlyMap<string, Work> => {
    const found = read.get(path) ?? worksIn(path, readText(path) ?? '');
    read.set(path, found);
    return found;
  };
  const perPage = new Map<
    string,
    () => { readonly works: ReadonlyMap<string, Work>; readonly isKnown: boolean }
  >();
  const worksOf = (file: string) => {
    const known = perPage.get(file);
    if (known !== undefined) return known();
    const found = once(() => {
      const paths = bibliographyOf(file).flatMap((name) =>
        [posix.join(posix.dirname(file), name), posix.normalize(name.replace(/^\//, ''))]
          .filter((path, index, all) => all.indexOf(path) === index && readText(path) !== undefined)
          .slice(0, 1),
      );
      const works = new Map(paths.flatMap((path) => [...worksAt(path)]));
      return { works, isKnown: works.size > 0 };
    });
    perPage.set(file, found);
    return found();
  };
  const cited = (file: string, form: string, key: string): string | undefined => {
    const { works, isKnown } = worksOf(file);
    if (!isKnown) return undefined;
    const work = works.get(key);
    // As Pandoc shows it.
    if (work === undefined) return form === 'cite-text' ? undefined : `**${key}?**`;
    if (form === 'cite-year') return work.year;
    const names = shownNames(work.authors, work.title);
    return form === 'cite' ? `${names} ${work.year}` : `${names} (${work.year})`;
  };
  const listed = (file: string): string => {
    const { works, isKnown } = worksOf(file);
    const text = readText(file) ?? '';
    if (!isKnown || (isBook && !text.includes('#refs'))) return '';
    const keys = new Set(
      [...text.matchAll(/@\{?([\p{L}\p{N}_][\p{L}\p{N}_:.#$%&+?<>~/-]*)/gu)].map(([, key = '']) =>
        key.replace(/[^\p{L}\p{N}]+$/u, ''),
      ),
    );
    const shown = [...works].filter(([key]) => isBook || keys.has(key)).map(([, work]) => work);
    if (shown.length === 0) return '';
    const lines = shown.map(entryOf).sort((a, b) => (a < b ? -1 : 1));
    return `${isBook ? '' : '## References {#references}\n\n'}${lines.map((line) => `- ${line}`).join('\n')}`;
  };
  return {
    valueOf: (file, name, key) =>
      name === 'works' ? listed(file) : FORMS.has(name) ? cited(file, name, key) : undefined,
  };
}

function shownNames(authors: readonly string[], title: string): string {
  const [first, second, third] = authors;
  if (first === undefined) return title.split(/\s+/).slice(0, 4).join(' ');
  if (second === undefined) return first;
  if (authors.length > 3) return `${first} et al.`;
  return third === undefined ? `${first} and ${second}` : `${first}, ${second}, and ${third}`;
}

function entryOf({ names, year, title, where, address }: Work): string {
  const plain = (text: string): string => text.replaceAll(/[*_`<>[\]\\]/g, String.raw`\$&`);
  const who = names.length === 0 ? '' : `${plain(names.join(', ')).replace(/\.$/, '')}. `;
  const place = where === '' ? '' : ` *${plain(where)}*.`;
  return `${who}${year}. “${plain(title).replace(/\.$/, '')}.”${place}${address === '' ? '' : ` <${address.replaceAll(/[\s<>]/g, encodeURIComponent)}>`}`;
}

function worksIn(path: string, text: string): ReadonlyMap<string, Work> {
  if (/\.bib(?:tex)?$/i.test(path)) return bibtex(text);
  const { value } = /\.(?:json|ya?ml)$/i.test(path) ? sideFile(text) : { value: undefined };
  const items: unknown = Array.isArray(value) ? value : valueAt(value, 'references');
  return new Map(
    (Array.isArray(items) ? (items as readonly unknown[]) : []).flatMap(
      (item): readonly (readonly [string, Work])[] => {
        const [key] = textsOf(valueAt(item, 'id'));
        const people = valueAt(item, 'author');
        const authors = (Array.isArray(people) ? (people as readonly unknown[]) : []).map(
          (each) => textsOf(valueAt(each, 'family') ?? valueAt(each, 'literal'))[0] ?? '',
        );
        const dates = valueAt(valueAt(item, 'issued'), 'date-parts');
        const year: unknown =
          Array.isArray(dates) && Array.isArray(dates[0])
            ? (dates[0] as readonly unknown[])[0]
            : valueAt(item, 'issued');
        const field = (name: string): string => textsOf(valueAt(item, name))[0] ?? '';
        return key === undefined
          ? []
          : [
              [
                key,
                {
                  authors,
                  names: authors,
                  year:
                    typeof year === 'number' || typeof year === 'string' ? String(year).slice(0, 4) : 'n.d.',
                  title: field('title'),
                  where: field('container-title'),
                  address: field('URL'),
                },
              ],
            ];
      },
    ),
  );
}

const FIELDS_MAX = 60;

/** BibTeX, field by field; each character is read once. */
function bibtex(text: string): ReadonlyMap<string, Work> {
  const works = new Map<string, Work>();
  const entry = /@([A-Za-z]+)[ \t\n]*\{[ \t\n]*([^\s,{}]+)[ \t\n]*,/g;
  for (let found = entry.exec(text); found !== null; found = entry.exec(text)) {
    const [, type = '', key = ''] = found;
    if (/^(?:comment|string|preamble)$/i.test(type)) continue;
    const fields = new Map<string, string>();
    let at = entry.lastIndex;
    for (let count = 0; count < FIELDS_MAX; count += 1) {
      FIELD.lastIndex = at;
      const field = FIELD.exec(text);
      if (field === null) break;
      const end = valueEnd(text, FIELD.lastIndex);
      if (field[1] !== undefined)
        fields.set(field[1].toLowerCase(), plainTex(text.slice(FIELD.lastIndex, end)));
      at = end;
    }
    entry.lastIndex = at;
    const people = (fields.get('author') ?? fields.get('editor') ?? '')
      .split(/\s+and\s+/i)
      .filter((name) => name.trim() !== '');
    const names = people.map((name, index) => (index === 0 ? lastFirst(name) : firstLast(name)));
    works.set(key, {
      authors: people.map((name) => family(name)),
      names: names.length > 1 ? [...names.slice(0, -1), `and ${names.at(-1) ?? ''}`] : names,
      year: /\d{4}/.exec(fields.get('year') ?? fields.get('date') ?? '')?.[0] ?? 'n.d.',
      title: fields.get('title') ?? key,
      where:
        fields.get('journal') ??
        fields.get('journaltitle') ??
        fields.get('booktitle') ??
        fields.get('publisher') ??
        '',
      address: fields.has('doi') ? `https://doi.org/${fields.get('doi') ?? ''}` : (fields.get('url') ?? ''),
    });
  }
  return works;
}

const FIELD = /[ \t\n,]*([A-Za-z][\w-]*)[ \t\n]*=[ \t\n]*/y;
const VALUE_CHARS_MAX = 5000;

/** Behind a value in braces, in quotes, or of one word. */
function valueEnd(text: string, from: number): number {
  const opening = text.charAt(from);
  if (opening !== '{' && opening !== '"') {
    WORD.lastIndex = from;
    return from + (WORD.exec(text)?.[0].length ?? 0);
  }
  let depth = 0;
  for (let at = from; at < text.length && at - from < VALUE_CHARS_MAX; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\\') at += 1;
    else if (sign === '{') depth += 1;
    else if (sign === '}') {
      depth -= 1;
      if (depth === 0 && opening === '{') return at + 1;
    } else if (sign === '"' && opening === '"' && depth === 0 && at > from) return at + 1;
  }
  return Math.min(text.length, from + VALUE_CHARS_MAX);
}

const WORD = /[^\s,{}]{0,200}/y;

const ACCENTS: Readonly<Record<string, string>> = {
  '"': '\u0308',
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '~': '\u0303',
  c: '\u0327',
  v: '\u030C',
};

function plainTex(value: string): string {
  return value
    .replace(/^["{]|["}]$/g, '')
    .replaceAll(/\{?\\(["'`^~cv])[ ]?\{?\\?([A-Za-z])\}?\}?/g, (_, accent: string, letter: string) =>
      `${letter}${ACCENTS[accent] ?? ''}`.normalize('NFC'),
    )
    .replaceAll(/\\(?:ss)\b/g, 'ß')
    .replaceAll(/\\[A-Za-z]+[ ]?/g, '')
    .replaceAll(/[{}]|\\(?=[&%$#_])/g, '')
    .replaceAll('---', '—')
    .replaceAll('--', '–')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function family(name: string): string {
  const comma = name.indexOf(',');
  return comma < 0 ? (name.trim().split(/\s+/).at(-1) ?? name) : name.slice(0, comma).trim();
}

function lastFirst(name: string): string {
  if (name.includes(',')) return name.trim();
  const words = name.trim().split(/\s+/);
  const [last = ''] = words.slice(-1);
  return words.length < 2 ? last : `${last}, ${words.slice(0, -1).join(' ')}`;
}

function firstLast(name: string): string {
  const [last = '', ...first] = name.split(',');
  return first.length === 0 ? name.trim() : `${first.join(' ').trim()} ${last.trim()}`;
}
