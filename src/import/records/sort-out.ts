import { digestOfText } from '../../model/digest.ts';
import { languageCode, mostFrequent } from './language.ts';
import { oneLine, textOfHtml } from '../text/plain-text.ts';
import type { Harvest, Skipped, SourceRecord } from '../record.ts';

/** A record with all that a file needs: a language, a title, and no double. */
export interface WantedRecord extends SourceRecord {
  readonly lang: string;
}

export interface SortedOut {
  readonly records: readonly WantedRecord[];
  readonly skipped: readonly Skipped[];
  readonly defaultLanguage: string;
}

export interface SortOptions {
  /** Of records that do not say it. */
  readonly language: string;
  /** What the files will be read with, where somebody said so. */
  readonly defaultLanguage: string | undefined;
  /** Only these; undefined: all. */
  readonly languages: readonly string[] | undefined;
}

/** Sorts out what can become a file. Everything that cannot is in `skipped`, with its place. */
export function sortOut(harvest: Harvest, options: SortOptions): SortedOut {
  const skipped: Skipped[] = [...harvest.skipped];
  const known = new Map<string, WantedRecord>();
  const leave = (record: SourceRecord, reason: Skipped['reason'], why: string): void =>
    void skipped.push({ at: record.at, what: nameOf(record), reason, why });
  for (const record of harvest.records) {
    const lang = languageCode(record.lang ?? options.language);
    if (lang === undefined) {
      leave(
        record,
        'broken',
        `\`${record.lang ?? options.language}\` is not a language code such as \`en-US\``,
      );
      continue;
    }
    const titled = withTitle(record);
    if (titled === undefined) {
      leave(record, 'broken', record.kind === 'article' ? 'it has no title and no text' : 'it has no name');
      continue;
    }
    if (options.languages !== undefined && !options.languages.includes(lang)) {
      leave(record, 'language', `\`--lang\` does not name ${lang}`);
      continue;
    }
    const wanted = { ...titled, lang };
    const other = known.get(placeOf(wanted));
    if (other === undefined) known.set(placeOf(wanted), wanted);
    else if ((record.updated ?? '') > (other.updated ?? '')) {
      leave(other, 'copy', `${record.at.file} has a newer copy`);
      known.set(placeOf(wanted), withWarningOf(other, wanted));
    } else if (isOther(wanted, other)) {
      const own = renamed(wanted);
      known.set(placeOf(own), own);
    } else {
      leave(record, 'copy', `${other.at.file} has it already`);
      known.set(placeOf(wanted), withWarningOf(wanted, other));
    }
  }
  const records = [...known.values()].sort(inOrder);
  return {
    records,
    skipped,
    defaultLanguage: options.defaultLanguage ?? defaultOf(records) ?? options.language,
  };
}

function withTitle(record: SourceRecord): SourceRecord | undefined {
  const title = oneLine(record.title);
  if (title !== '') return { ...record, title };
  const words = record.kind === 'article' ? textOfHtml(record.html) : '';
  if (words === '') return undefined;
  const notes = [...record.notes, 'it had no title, so its first words are the title now'];
  return { ...record, title: firstWords(words), notes };
}

function firstWords(text: string): string {
  const letters = Array.from(text);
  if (letters.length <= 60) return text;
  const cut = letters.slice(0, 60).join('');
  return `${cut.lastIndexOf(' ') > 30 ? cut.slice(0, cut.lastIndexOf(' ')) : cut}…`;
}

function nameOf({ kind, id, title, lang }: SourceRecord): string {
  const named = title.trim() === '' ? '' : ` ${JSON.stringify(oneLine(title))}`;
  return `${kind} ${id}${named}${lang === undefined ? '' : ` in ${lang}`}`;
}

function placeOf({ kind, lang, id }: WantedRecord): string {
  return `${kind} ${lang} ${id}`;
}

/** Broken exports give one id to two records: nothing in them is the same, nor is one an older copy. */
function isOther(a: WantedRecord, b: WantedRecord): boolean {
  return a.kind === 'article' && a.updated === b.updated && a.title !== b.title && a.html !== b.html;
}

/** A copy may leave out who may read the record, and of two of one age either may be the older: nothing is opened by that. */
function withWarningOf(copy: WantedRecord, record: WantedRecord): WantedRecord {
  const isOlder = copy.updated !== undefined && copy.updated !== record.updated;
  return {
    ...record,
    restricted: record.restricted ?? copy.restricted,
    isDraft: record.isDraft || (copy.isDraft && !isOlder),
  };
}

function renamed(record: WantedRecord): WantedRecord {
  const mark = `${record.mark}-${digestOfText(`${record.title} ${record.html}`).slice(0, 4)}`;
  const notes = [...record.notes, `another record has its id ${record.id}`];
  return { ...record, id: `${record.id}-${mark}`, mark, notes };
}

/** What is made of the records must not depend on the order of files. */
function inOrder(a: WantedRecord, b: WantedRecord): number {
  return compared(a.kind, b.kind) || compared(a.id, b.id) || compared(a.lang, b.lang);
}

function compared(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function defaultOf(records: readonly WantedRecord[]): string | undefined {
  const articles = records.filter(({ kind }) => kind === 'article');
  const all = articles.length > 0 ? articles : records;
  return mostFrequent(all.map(({ sourceLang, lang }) => languageCode(sourceLang ?? lang) ?? lang));
}
