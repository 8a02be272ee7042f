import { isDeepStrictEqual } from 'node:util';
import { visible } from '../../../model/visible.ts';
import type { BaseValue } from '../../../model/record.ts';
import type { Conflict, ConflictCode, ConflictField } from '../../../plan/plan.ts';
import { oneLine, padTo, shellWord, widthOf } from '../terminal/text.ts';
import { shownValue, type ValueStyle } from './value.ts';

/** What happened, where the fields alone do not say it. */
const WHAT: Readonly<Record<ConflictCode, string>> = {
  'both-changed': 'changed in the file and on the site',
  'both-new': 'the site already has a different record under this name',
  'remote-deleted': 'deleted on the site, unchanged in the files',
  'modified-deleted': 'changed in the file, deleted on the site',
  replaced: 'deleted on the site, where another record has its id now',
  'delete-modified': 'file deleted, record edited on the site',
  'draft-open': 'somebody has an open draft of it on the site, and a write would bypass that draft',
  'not-shown': 'changed in the file; the service does not show it, so somebody may have changed it there too',
};

/** The file says it as before, and another field of it changed. */
const CARRIED_UNSEEN =
  'an edit of the page must send it too; the service does not show it, so somebody may have changed it there';

/** Of a state that is older than the site: a colleague's machine or CI has synced since. */
const WRITTEN_ELSEWHERE =
  'changed in the file, and on the site by a kbsync run that this state does not know';

/** Of a stamp, which says what was sent and not what the service made of that. */
const OTHER_THAN_SENT =
  'changed in the file; the site shows something else than kbsync sent: somebody changed it there, or the service did';

/** Making the page again would put it beside that draft, or a text over it. */
const MAYBE_DRAFT =
  'gone from the site: deleted, or a draft that the service does not show; look there before you choose --local';

const WITNESS = { state: 'state file', stamp: 'stamp', none: 'nobody knows' } as const;

/**
 * The command that resolves this conflict and touches nothing else. `setup` is what the run was told about files, state
 * and address. What the site deleted stays deleted only when its file goes too, and no sync deletes files.
 */
export function resolvingCommand({ code, key, at }: Conflict, setup: string): string {
  const command = `kbsync resolve${setup} ${shellWord(key)} --local`;
  const isGone = code === 'remote-deleted' || code === 'modified-deleted' || code === 'replaced';
  if (!isGone) return `${command} | --remote`;
  return `${command}, or delete ${at === undefined ? 'the file' : visible(at.file)}`;
}

/** The block of one conflict: base, file and remote value of each field, and the way out. */
export function shownConflict(
  conflict: Conflict,
  { style, setup }: { readonly style: ValueStyle; readonly setup: string },
): readonly string[] {
  const { paint, glyphs } = style;
  const wide: ValueStyle = { ...style, widthMax: Math.max(style.widthMax, 60) };
  const names = conflict.fields.map((field) => field.field).join(', ');
  return [
    `${paint.red('! conflict')}  ${paint.bold(visible(conflict.key))}  ${names}`.trimEnd(),
    `    ${paint.dim(whatOf(conflict))}`,
    ...conflict.fields.flatMap((field) => fieldLines(field, conflict, wide)),
    ...driftLines(conflict, wide),
    `    ${glyphs.arrow} ${resolvingCommand(conflict, setup)}`,
  ];
}

function whatOf({ code, fields, isOurs, mayBeDraft, witness }: Conflict): string {
  if (isOurs === true) return WRITTEN_ELSEWHERE;
  if (mayBeDraft === true) return MAYBE_DRAFT;
  const isCarried = fields.every(({ base, local }) => base !== undefined && isDeepStrictEqual(base, local));
  if (code === 'not-shown' && isCarried) return CARRIED_UNSEEN;
  return code === 'both-changed' && witness === 'stamp' ? OTHER_THAN_SENT : WHAT[code];
}

function fieldLines(field: ConflictField, conflict: Conflict, style: ValueStyle): readonly string[] {
  const at = field.at ?? conflict.at;
  const [base, local, remote] = fromDifference([field.base, field.local, field.remote], style.widthMax);
  const rows: readonly (readonly [string, string, string])[] = [
    ['base', shownValue(base, style), `(${WITNESS[conflict.witness]})`],
    ['file', shownValue(local, style), at === undefined ? '' : `${visible(at.file)}:${at.line}`],
    ['remote', shownValue(remote, style), ''],
  ];
  const width = Math.max(...rows.map(([, value]) => widthOf(value)));
  const title = conflict.fields.length > 1 ? [`    ${style.paint.bold(field.field)}`] : [];
  return [
    ...title,
    ...rows.map(([side, value, note]) =>
      `    ${padTo(side, 6)}  ${padTo(value, width)}  ${style.paint.dim(note)}`.trimEnd(),
    ),
  ];
}

/**
 * Long texts that begin alike are shown from a few words before the first difference: their beginnings would be the same line
 * twice. Markup counts only if the words are the same: a service that leaves attributes out differs in the first heading already. A
 * value that is no text, or a digest, is shown as it is.
 */
function fromDifference(
  values: readonly (BaseValue | undefined)[],
  widthMax: number,
): readonly (BaseValue | undefined)[] {
  const texts = values.filter((value) => typeof value === 'string').map(oneLine);
  const ends = differingWords(texts) ?? differingSigns(texts);
  const isShown =
    ends.every((end, at) => end === texts[at]?.length) || ends.every((end) => end < widthMax - CONTEXT);
  if (isShown) return values;
  const parts = texts.map((text, at) => partFrom(text, ends[at] ?? 0));
  return values.map((value) => (typeof value === 'string' ? parts.shift() : value));
}

function partFrom(text: string, difference: number): string {
  // A word that ends late (an address in a link) would push the difference out of the line: it is cut.
  const space = text.lastIndexOf(' ', difference - CONTEXT);
  const start = difference - CONTEXT - space > CONTEXT / 2 ? difference - CONTEXT : space + 1;
  if (start <= 0) return text;
  const from = /^[\uDC00-\uDFFF]/.test(text.slice(start)) ? start - 1 : start;
  return `…${text.slice(from)}`;
}

/** Where each of the texts begins to differ from the others. */
function differingSigns(texts: readonly string[]): readonly number[] {
  const [first = ''] = texts;
  let same = 0;
  while (same < first.length && texts.every((text) => text[same] === first[same])) same += 1;
  return texts.map(() => same);
}

/** The same, with tags and blanks left out; undefined: without them, the texts are the same. */
function differingWords(texts: readonly string[]): readonly number[] | undefined {
  let ends = texts.map((text) => wordFrom(text, 0));
  for (;;) {
    const signs = new Set(texts.map((text, at) => text[ends[at] ?? 0]));
    if (signs.size > 1) return ends;
    if (signs.has(undefined) || signs.size === 0) return undefined;
    ends = texts.map((text, at) => wordFrom(text, (ends[at] ?? 0) + 1));
  }
}

const TAG_OR_BLANK = /<[a-z/!][^<>]*>|\s/giy;

function wordFrom(text: string, from: number): number {
  let at = from;
  for (;;) {
    TAG_OR_BLANK.lastIndex = at;
    const skipped = TAG_OR_BLANK.exec(text);
    if (skipped === null) return at;
    at += skipped[0].length;
  }
}

/** Characters that are shown before a difference. */
const CONTEXT = 24;

function driftLines({ drift = [] }: Conflict, style: ValueStyle): readonly string[] {
  if (drift.length === 0) return [];
  const width = Math.max(...drift.map(({ field }) => widthOf(field)));
  return [
    `    ${style.paint.dim('changed only on the site, and resolved with it:')}`,
    ...drift.map(({ field, remote }) => `    ${padTo(field, width)}  ${shownValue(remote, style)}`),
  ];
}
