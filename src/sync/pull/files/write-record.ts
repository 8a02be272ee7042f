import { slugAt } from '../../../content/corpus/checks.ts';
import type { Fields } from '../../../model/fields.ts';
import { familyOf, idKey, keyIn, kindOf } from '../../../model/key.ts';
import type { Key, Kind } from '../../../model/key.ts';
import type { DesiredRecord } from '../../../model/record.ts';
import { idToCome } from '../../../plan/compare.ts';
import { changesOf } from './changes.ts';
import { decide } from './decide.ts';
import type { PullDecision } from './decide.ts';
import { editedProposal } from './edit-file.ts';
import { markdownOf } from './markdown-of.ts';
import { newPage } from './new-page.ts';
import { isRead } from '../places/place-records.ts';
import { isProposal } from '../proposals/proposal.ts';
import type { Proposal } from '../proposals/proposal.ts';
import { isPageMade } from '../context.ts';
import type { PullRun } from '../context.ts';
import { WAITS } from '../report.ts';
import type { PulledRecord } from '../report.ts';
import { relabelled } from './relabelled.ts';
import { longExcerpt, oddStatus, newFile, unwritable } from './record-file.ts';
import type { Fetched } from '../reading/read-records.ts';
import { baseFromStamp } from '../../survey/stamped-bases.ts';

export interface RecordEnd {
  readonly end: PulledRecord;
  /** File and service say the same from now on, but for `rest`: the base may learn it. */
  readonly isInSync: boolean;
  /** Fields of which the base learns what the service shows: the author changed them, and the next sync sends them. */
  readonly rest?: readonly string[];
}

/** What becomes of one record: its end, or a file as it would be, which has to be judged together with all others. */
export function draftRecord(record: Fetched, run: PullRun): RecordEnd | Proposal {
  const { kind, id, lang } = record;
  const { layout, content } = run.options;
  const family = run.places.familyOf.get(idKey(kind, id));
  const left = (why: string, at: { readonly key?: Key; readonly file?: string } = {}): RecordEnd => ({
    end: { kind, id, lang, ...at, action: 'left', fields: [], why },
    isInSync: false,
  });
  if (family === undefined) return left(run.places.whyNot?.(record) ?? 'its original could not be read');
  const key = keyIn(family, lang);
  const desired = content.state.records.get(key);
  const editing = content.editing?.();
  if (desired !== undefined && editing !== undefined && editing.fileOf(key) === undefined)
    return ofImplied(record, desired, run);
  const file = run.places.fileOf(family, lang);
  const waiting = desired === undefined ? waitingFor(key, record, run) : undefined;
  if (waiting !== undefined) return left(waiting, { key });
  const why = whyGone(key, desired, run);
  if (why !== undefined) {
    const where = file === undefined ? { key } : { key, file };
    return { end: { kind, id, lang, ...where, action: 'gone', fields: [], why }, isInSync: false };
  }
  if (file === undefined)
    return isPageMade(kind, run.options.layout) ? onSite(record, key, run) : left(NO_NAME, { key });
  const at = { key, file };
  if (desired !== undefined) return intoFile(record, desired, at, run);
  const fault =
    unwritable(record) ??
    oddStatus(record) ??
    (takeSlug(record, run) ? undefined : 'another record has its slug');
  if (fault !== undefined) return left(fault, at);
  if (layout.preset.foreign === undefined) return asNewFile(record, at, run);
  const page = newPage(record, at, run);
  return isProposal(page) ? page : left(page.why, at);
}

/** A file with errors says nothing, and is not gone. Without a state and a stamp, its slug tells whose it is. */
function waitingFor(
  key: Key,
  record: Fetched,
  { options, waitingSlugs, lostFiles }: PullRun,
): string | undefined {
  const { records, withheld, defaultLanguage } = options.content.state;
  const original = keyIn(familyOf(key), defaultLanguage);
  const own = withheld?.get(key) ?? withheld?.get(original);
  const why = own?.message ?? waitingSlugs.get(slugName(record.kind, record.lang, record.fields));
  if (why !== undefined) return why;
  const { kind, lang } = record;
  const ofOriginal = records.has(original) ? undefined : lostFiles.get(`${kind} ${defaultLanguage}`);
  const file = lostFiles.get(`${kind} ${lang}`) ?? ofOriginal;
  return file === undefined
    ? undefined
    : `it may be the record of ${file}, whose errors hide its slug; pull again when they are fixed`;
}

/** The author gave up the record, or its original: a translation alone would be no record. */
function whyGone(key: Key, desired: DesiredRecord | undefined, run: PullRun): string | undefined {
  const { records, defaultLanguage } = run.options.content.state;
  if (desired !== undefined) return undefined;
  const original = keyIn(familyOf(key), defaultLanguage);
  const names = records.has(original) ? [key] : [key, original];
  if (names.some((name) => run.deleted.has(name))) return DELETED;
  // A tag or category that no page names any more never had one.
  if (isPageMade(kindOf(key), run.options.layout)) return undefined;
  return names.some((name) => run.base.records.has(name)) ? GONE : undefined;
}

/** Writes a file that was judged right. */
export function writeProposal(
  { key, record, file, before, after, fields, rest = [], text, entry }: Proposal,
  run: PullRun,
): RecordEnd {
  const { kind, id, lang } = record;
  const { folder, content } = run.options;
  const why = written(run, () =>
    before === undefined ? folder.create(file, after) : folder.replace(file, before, after),
  );
  const changes =
    before === undefined
      ? {}
      : {
          changes: changesOf({
            record,
            desired: content.state.records.get(key),
            fields,
            before,
            after,
            context: run.context,
          }),
        };
  const end = { kind, id, lang, key, file, fields, ...changes, ...(text === undefined ? {} : { text }) };
  if (why !== undefined) return { end: { ...end, action: 'left', why }, isInSync: false };
  if (before !== undefined) {
    // Without a base, what told the file's page may be what was just written over: the text of a file that was moved.
    const isInSync = rest.length === 0 || !run.base.records.has(key);
    return { end: { ...end, action: 'updated' }, isInSync, rest };
  }
  const hint = entry === undefined ? unlisted(file, run) : undefined;
  return {
    end: { ...end, action: 'created', ...(hint === undefined ? {} : { why: hint }) },
    isInSync: true,
  };
}

/** A navigation that has the page beside a new one and not the new one: readers do not find it before somebody enters it. */
function unlisted(file: string, { options, places }: PullRun): string | undefined {
  const beside = places.besideOf?.(file);
  const navigation = beside === undefined ? undefined : options.content.editing?.().namesOnly(beside, file);
  return navigation === undefined
    ? undefined
    : `${navigation} names ${beside} and not this page; if it is a navigation, enter the page there`;
}

/** What nobody may write: an edit goes beside its file, a new record stays where it is. */
export function refuseProposal(
  { key, record, file, before, fields, label }: Proposal,
  why: string,
  run: PullRun,
): RecordEnd {
  const { kind, id, lang } = record;
  if (before !== undefined && label === undefined) return asCopy(record, { fields, why }, { key, file }, run);
  return { end: { kind, id, lang, key, file, action: 'left', fields, why }, isInSync: false };
}

export const GONE = 'its file is gone; kbsync sync --prune deletes it there';
// The file may be there, and the settings leave it out.
const DELETED =
  'no file makes this page now; take its file back from git or from `exclude`, or delete the page on the site';
const NO_NAME = 'its path cannot be a file name';

/** A tag or category without a file: pages make it, and it has no other way into the files. */
function onSite({ kind, id, lang }: Fetched, key: Key, { options }: PullRun): RecordEnd {
  const { records, defaultLanguage } = options.content.state;
  const why = records.has(keyIn(familyOf(key), defaultLanguage))
    ? `in this layout, only pages in ${defaultLanguage} say its name`
    : 'in this layout, a page makes it by naming it or by its folder, and no page does';
  return { end: { kind, id, lang, key, action: 'onSite', fields: [], why }, isInSync: false };
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

function decisionOf(record: Fetched, desired: DesiredRecord, run: PullRun): PullDecision {
  return decide({
    record,
    file: desired,
    base:
      run.base.records.get(desired.key) ??
      baseFromStamp(desired.key, record.id, record.stamp, run.options.content.state.records),
    spool: run.options.spool,
    idOf: (family) => run.ids.get(family) ?? idToCome(family),
  });
}

/** A tag or category that is made by naming it, or by a folder. */
function ofImplied(record: Fetched, desired: DesiredRecord, run: PullRun): RecordEnd | Proposal {
  const { kind, id, lang } = record;
  const { key } = desired;
  const decision = decisionOf(record, desired, run);
  const end = { kind, id, lang, key };
  if (!('fields' in decision))
    return { end: { ...end, action: 'unchanged', fields: [] }, isInSync: decision.action === 'adopt' };
  const named = decision.action === 'update' ? relabelled(record, desired, decision, run) : undefined;
  if (named !== undefined) return named;
  const why = `it has no file of its own; it comes from ${desired.at.file}`;
  return { end: { ...end, action: 'left', fields: decision.fields, why }, isInSync: false };
}

function intoFile(record: Fetched, desired: DesiredRecord, at: At, run: PullRun): RecordEnd | Proposal {
  const { kind, id, lang } = record;
  const decision = decisionOf(record, desired, run);
  const end = { kind, id, lang, ...at };
  if (!('fields' in decision)) {
    return { end: { ...end, action: 'unchanged', fields: [] }, isInSync: decision.action === 'adopt' };
  }
  const { fields } = decision;
  const unfit =
    unwritable(record) ??
    (fields.includes('status') ? oddStatus(record) : undefined) ??
    (fields.includes('excerpt') ? longExcerpt(record) : undefined);
  if (unfit !== undefined) return { end: { ...end, action: 'left', fields, why: unfit }, isInSync: false };
  const editing = run.options.content.editing?.();
  const waits = run.places.waiting.has(familyOf(at.key)) ? { why: WAITS } : {};
  if (decision.action !== 'update' || editing === undefined)
    return asCopy(record, { fields, ...waits }, at, run);
  const made = editedProposal({ record, desired, file: at.file, fields, run, editing });
  if (!isProposal(made)) return asCopy(record, { fields, why: made.why }, at, run);
  return { ...made, rest: decision.rest };
}

/** The site's side in a file of its own beside the author's, which stays as it is. */
function asCopy(
  record: Fetched,
  { fields, why: reason }: { readonly fields: readonly string[]; readonly why?: string },
  at: At,
  run: PullRun,
): RecordEnd {
  const { kind, id, lang } = record;
  const { folder, content: files } = run.options;
  const { text, markdown } = markdownOf(record, at.file, run);
  const content = newFile(record, markdown, at, run.context);
  // A pull that died had made the file, and nobody has written in it since.
  if (folder.read(at.file) === content)
    return { end: { kind, id, lang, ...at, action: 'unchanged', fields: [], ...text }, isInSync: true };
  const changes = changesOf({
    record,
    desired: files.state.records.get(at.key),
    fields,
    before: folder.read(at.file) ?? '',
    after: content,
    context: run.context,
  });
  const stem = copyStem(at.file, run);
  let copy = `${stem}.remote.md`;
  for (let count = 2; ![undefined, content].includes(folder.read(copy)); count += 1)
    copy = `${stem}.remote-${count}.md`;
  const isThere = folder.read(copy) === content;
  const why = isThere ? undefined : written(run, () => folder.create(copy, content));
  const end = {
    kind,
    id,
    lang,
    key: at.key,
    file: why === undefined ? copy : at.file,
    fields,
    changes,
    ...text,
  };
  const beside = { of: at.file, ...(reason === undefined ? {} : { why: reason }) };
  return {
    end: why === undefined ? { ...end, ...beside, action: 'copied' } : { ...end, action: 'left', why },
    isInSync: false,
  };
}

/** Other systems publish every Markdown file but those with a dot in front. */
function copyStem(file: string, { options }: PullRun): string {
  const stem = file.replace(/\.(?:md(?:x|oc)?|markdown|mdown|mkdn?|mkdown|qmd|rmd)$/i, '');
  if (options.layout.preset.foreign === undefined) return stem;
  const name = stem.lastIndexOf('/') + 1;
  return `${stem.slice(0, name)}.${stem.slice(name)}`;
}

function written({ options }: PullRun, write: () => string | undefined): string | undefined {
  return options.wanted.dryRun ? undefined : write();
}

/** As content compares slugs: without case. */
export function slugName(kind: Kind, lang: string, fields: Fields): string {
  return slugAt({ kind, lang }, String(fields['slug'] ?? ''));
}

/** Takes the slug for this record's file; false: another record has it. */
function takeSlug({ kind, lang, fields }: Fetched, { slugs }: PullRun): boolean {
  const name = slugName(kind, lang, fields);
  if (slugs.has(name)) return false;
  slugs.add(name);
  return true;
}
