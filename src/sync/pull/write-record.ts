import { pageAddress } from '../../model/page-address.ts';
import { bodyOfFile, editedFile } from '../../content/front-matter/write.ts';
import { htmlToMarkdown } from '../../content/html-to-markdown/html-to-markdown.ts';
import { withKeptBlocks } from '../../content/html-to-markdown/kept-blocks.ts';
import type { HtmlToMarkdownOptions } from '../../content/html-to-markdown/options.ts';
import { bodyFieldOf } from '../../model/fields.ts';
import type { Fields } from '../../model/fields.ts';
import { keyIn, idKey } from '../../model/key.ts';
import type { Key, Kind } from '../../model/key.ts';
import type { DesiredRecord } from '../../model/record.ts';
import { idToCome } from '../../plan/compare.ts';
import { decide } from './decide.ts';
import { fileLink, rooted } from './page-links.ts';
import { isRead } from './place-records.ts';
import type { PullRun } from './context.ts';
import type { PulledRecord, PulledText } from './report.ts';
import { pulledText } from './report.ts';
import { editedEntries, longExcerpt, newFile, unwritable } from './record-file.ts';
import type { Fetched } from './read-records.ts';
import { baseFromStamp } from '../survey/stamped-bases.ts';

export interface RecordEnd {
  readonly end: PulledRecord;
  /** File and service say the same from now on: the base may learn it. */
  readonly isInSync: boolean;
}

/** One record into its file, or beside it. */
export function writeRecord(record: Fetched, run: PullRun): RecordEnd {
  const { kind, id, lang } = record;
  const family = run.places.familyOf.get(idKey(kind, id));
  const left = (why: string, at: { readonly key?: Key; readonly file?: string } = {}): RecordEnd => ({
    end: { kind, id, lang, ...at, action: 'left', fields: [], why },
    isInSync: false,
  });
  if (family === undefined) return left('its original could not be read');
  const key = keyIn(family, lang);
  const desired = run.options.content.state.records.get(key);
  const file = run.places.fileOf(family, lang);
  if (file === undefined) return left('its path cannot be a file name', { key });
  const at = { key, file };
  if (desired !== undefined) return intoFile(record, desired, at, run);
  if (run.base.records.has(key)) {
    const why = 'its file is gone; kbsync sync --prune deletes it there';
    return { end: { kind, id, lang, ...at, action: 'gone', fields: [], why }, isInSync: false };
  }
  const why = unwritable(record) ?? (takeSlug(record, run) ? undefined : 'another record has its slug');
  if (why !== undefined) return left(why, at);
  return asNewFile(record, at, run);
}

interface At {
  readonly key: Key;
  readonly file: string;
}

function asNewFile(record: Fetched, at: At, run: PullRun): RecordEnd {
  const { kind, id, lang } = record;
  const { text, markdown } = markdownOf(record, at.file, run);
  const content = newFile(record, markdown, at, run.context);
  const isNamed =
    isRead(at.file, at.key, run.options.layout.preset) || content.includes('\ntranslationKey: ');
  const why = isNamed
    ? written(run, () => run.options.folder.create(at.file, content))
    : 'its path cannot be a file name';
  const end = { kind, id, lang, ...at, fields: [], ...text };
  if (why === undefined) return { end: { ...end, action: 'created' }, isInSync: true };
  return { end: { ...end, action: 'left', why }, isInSync: false };
}

function intoFile(record: Fetched, desired: DesiredRecord, at: At, run: PullRun): RecordEnd {
  const { kind, id, lang } = record;
  const { spool, folder } = run.options;
  const decision = decide({
    record,
    file: desired,
    base: run.base.records.get(at.key) ?? baseFromStamp(desired.key, record.id, record.stamp, () => false),
    spool,
    idOf: (family) => run.ids.get(family) ?? idToCome(family),
  });
  const end = { kind, id, lang, ...at };
  if (!('fields' in decision)) {
    return { end: { ...end, action: 'unchanged', fields: [] }, isInSync: decision.action === 'adopt' };
  }
  const { fields } = decision;
  const unfit = unwritable(record) ?? (fields.includes('excerpt') ? longExcerpt(record) : undefined);
  if (unfit !== undefined) return { end: { ...end, action: 'left', fields, why: unfit }, isInSync: false };
  const bodyField = bodyFieldOf(kind);
  const { text, markdown } = fields.includes(bodyField) ? markdownOf(record, at.file, run) : NO_TEXT;
  const before = folder.read(at.file);
  if (decision.action === 'update' && before !== undefined) {
    const entries = editedEntries(
      record,
      fields.filter((field) => field !== bodyField),
      run.context,
    );
    const body =
      markdown === undefined
        ? undefined
        : withOwnBlocks(before, markdown, { record, desired, file: at.file, run });
    const after = entries === undefined ? undefined : editedFile(before, entries, body);
    if (after !== undefined) {
      const why = written(run, () => folder.replace(at.file, before, after));
      if (why === undefined) return { end: { ...end, action: 'updated', fields, ...text }, isInSync: true };
      return { end: { ...end, action: 'left', fields, why }, isInSync: false };
    }
  }
  return asCopy(record, fields, at, run);
}

interface Edited {
  readonly record: Fetched;
  readonly desired: DesiredRecord;
  readonly file: string;
  readonly run: PullRun;
}

/** What the site left alone keeps the author's spelling. */
function withOwnBlocks(text: string, after: string, { record, desired, file, run }: Edited): string {
  const html = desired.body?.render();
  if (html === undefined) return after;
  const written = bodyOfFile(text) ?? '';
  const before = htmlToMarkdown(html, conversionOf(record, file, run)).markdown;
  return withKeptBlocks({ written, before, after, lang: record.lang });
}

const NO_TEXT = { text: {}, markdown: undefined } as const;

/** The site's side in a file of its own beside the author's, which stays as it is. */
function asCopy(record: Fetched, fields: readonly string[], at: At, run: PullRun): RecordEnd {
  const { kind, id, lang } = record;
  const { folder } = run.options;
  const { text, markdown } = markdownOf(record, at.file, run);
  const content = newFile(record, markdown, at, run.context);
  const stem = at.file.replace(/\.(?:md|markdown)$/i, '');
  let copy = `${stem}.remote.md`;
  for (let count = 2; ![undefined, content].includes(folder.read(copy)); count += 1)
    copy = `${stem}.remote-${count}.md`;
  const isThere = folder.read(copy) === content;
  const why = isThere ? undefined : written(run, () => folder.create(copy, content));
  const end = { kind, id, lang, key: at.key, file: why === undefined ? copy : at.file, fields, ...text };
  return {
    end: why === undefined ? { ...end, action: 'copied' } : { ...end, action: 'left', why },
    isInSync: false,
  };
}

function written({ options }: PullRun, write: () => string | undefined): string | undefined {
  return options.wanted.dryRun ? undefined : write();
}

/** As content compares slugs: without case. */
export function slugName(kind: Kind, lang: string, fields: Fields): string {
  return `${kind} ${lang} ${String(fields['slug'] ?? '').toLowerCase()}`;
}

/** Takes the slug for this record's file; false: another record has it. */
function takeSlug({ kind, lang, fields }: Fetched, { slugs }: PullRun): boolean {
  const name = slugName(kind, lang, fields);
  if (slugs.has(name)) return false;
  slugs.add(name);
  return true;
}

function markdownOf(
  record: Fetched,
  file: string,
  run: PullRun,
): { readonly markdown: string; readonly text: { readonly text?: PulledText } } {
  const html = run.options.spool.get(record.body);
  if (html === '') return { markdown: '', text: {} };
  const made = htmlToMarkdown(html, conversionOf(record, file, run));
  return { markdown: made.markdown, text: { text: pulledText(made) } };
}

function conversionOf(record: Fetched, file: string, { options, links }: PullRun): HtmlToMarkdownOptions {
  const { urls } = options.layout;
  const address = pageAddress(urls, record.kind, record.lang, String(record.fields['slug'] ?? ''));
  const page = { file, address, anchors: record.anchors };
  return {
    lang: record.lang,
    html: options.layout.html,
    clean: options.wanted.clean,
    address: (url) => rooted(url, page, links),
    link: (url) => fileLink(url, page, links),
  };
}
