import type { Conflict, ConflictCode, ConflictField } from '../plan/plan.ts';
import { padTo, shellWord, visible, widthOf } from './plain.ts';
import { shownValue, type ValueStyle } from './print-value.ts';

/** What happened, where the fields alone do not say it. */
const WHAT: Readonly<Record<ConflictCode, string>> = {
  'both-changed': 'changed in the file and on the site',
  'both-new': 'the site already has a different record under this name',
  'remote-deleted': 'deleted on the site, unchanged in the files',
  'modified-deleted': 'changed in the file, deleted on the site',
  'delete-modified': 'file deleted, record edited on the site',
  'draft-open': 'the site holds an open draft of it, which a write would bypass',
};

/** Of a state that is older than the site: a colleague's machine or CI has synced since. */
const WRITTEN_ELSEWHERE =
  'changed in the file, and on the site by another run of kbsync than this state knows';

const WITNESS = { state: 'state file', stamp: 'stamp', none: 'nobody knows' } as const;

/**
 * The command that settles this conflict and touches nothing else. `setup` is what the run was told about files, state
 * and address. What the site deleted stays deleted only when its file goes too, and no sync deletes files.
 */
export function settlingCommand({ code, key, at }: Conflict, setup: string): string {
  const command = `kbsync resolve${setup} ${shellWord(key)} --local`;
  if (code !== 'remote-deleted' && code !== 'modified-deleted') return `${command} | --remote`;
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
    `    ${paint.dim(conflict.isOurs === true ? WRITTEN_ELSEWHERE : WHAT[conflict.code])}`,
    ...conflict.fields.flatMap((field) => fieldLines(field, conflict, wide)),
    ...driftLines(conflict, wide),
    `    ${glyphs.arrow} ${settlingCommand(conflict, setup)}`,
  ];
}

function fieldLines(field: ConflictField, conflict: Conflict, style: ValueStyle): readonly string[] {
  const at = field.at ?? conflict.at;
  const rows: readonly (readonly [string, string, string])[] = [
    ['base', shownValue(field.base, style), `(${WITNESS[conflict.witness]})`],
    ['file', shownValue(field.local, style), at === undefined ? '' : `${visible(at.file)}:${at.line}`],
    ['remote', shownValue(field.remote, style), ''],
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

function driftLines({ drift = [] }: Conflict, style: ValueStyle): readonly string[] {
  if (drift.length === 0) return [];
  const width = Math.max(...drift.map(({ field }) => widthOf(field)));
  return [
    `    ${style.paint.dim('changed on the site alone, and settled with it:')}`,
    ...drift.map(({ field, remote }) => `    ${padTo(field, width)}  ${shownValue(remote, style)}`),
  ];
}
