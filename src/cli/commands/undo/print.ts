import type { PastChange, PastRun } from '../../../base/history/history.ts';
import type { Key } from '../../../model/key.ts';
import { visible } from '../../../model/visible.ts';
import type { Plan } from '../../../plan/plan.ts';
import type { Restore } from '../../../sync/restore/restore.ts';
import type { SyncReport } from '../../../sync/report.ts';
import type { Engine } from '../../run/engine/engine.ts';
import { EXIT, planExit, syncExit } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { keptWords } from '../../print/plan/changes.ts';
import { refusalLines } from '../../print/plan/plan.ts';

export interface Undone {
  readonly run: PastRun;
  readonly chosen: readonly PastChange[];
  /** Left alone before anything was planned, and why. */
  readonly left: ReadonlyMap<Key, string>;
  readonly restoring: Restore;
  readonly plan: Plan;
  /** undefined: it was a dry run. */
  readonly report: SyncReport | undefined;
  /** Later runs that wrote a record. */
  readonly laterOf: (key: Key) => readonly string[];
}

/** `undone`: it says what it said before the run, or is a draft, or is gone, or is back. */
interface End {
  readonly key: Key;
  readonly state: 'undone' | 'same' | 'left';
  readonly text: string;
}

/** One line a record, and the sum; what was left alone makes exit 3. */
export function printUndone(undone: Undone, engine: Engine): number {
  const { screen, printer } = engine;
  const { run, plan, report } = undone;
  printer.close();
  const ends = undone.chosen.map((change) => endOf(change, undone));
  const exit = exitOf(ends, undone);
  if (screen.isJson) {
    const { refusals } = plan;
    const dryRun = report === undefined;
    screen.document({ format: JSON_FORMAT, run: run.head.run, dryRun, records: ends, refusals });
    return exit;
  }
  for (const { key, text } of ends) screen.answer(`${visible(key)}  ${visible(text)}`);
  for (const line of refusalLines(plan, engine.context(plan))) screen.answer(line);
  screen.answer(sumOf(ends, undone));
  if (report !== undefined) for (const line of filesLines(ends, undone, engine)) screen.talk(line);
  return exit;
}

/** What the next sync makes of it: a file that does not have `status` says nothing against a draft. */
function filesLines(ends: readonly End[], { plan, chosen }: Undone, { desired }: Engine): readonly string[] {
  const done = ends.filter(({ state }) => state === 'undone');
  const deleted = new Set(chosen.filter(({ action }) => action === 'deleted').map(({ key }) => key));
  const bare = done.filter(({ key }) => deleted.has(key) && !desired.records.has(key));
  const drafts = done.filter(({ key }) => {
    const fields = plan.changes.find((each) => each.key === key)?.fields ?? [];
    const isDraft = fields.length === 1 && fields[0]?.field === 'status';
    return isDraft && desired.records.get(key)?.fields['status'] === undefined;
  });
  return [
    ...(done.length === drafts.length + bare.length
      ? []
      : ['the files still say what the run sent: kbsync sync reports that as drift and leaves it alone']),
    ...(bare.length === 0
      ? []
      : [
          `${counted(bare.length, 'record')} made again without a file: to keep what is there, bring the file back in git, or with kbsync pull`,
        ]),
    ...(drafts.length === 0
      ? []
      : [
          drafts.length === 1
            ? 'the file of 1 draft has no `status`, so kbsync sync does not publish it again; kbsync undo last does'
            : `the files of ${drafts.length} drafts have no \`status\`, so kbsync sync does not publish them again; kbsync undo last does`,
        ]),
  ];
}

function exitOf(ends: readonly End[], { plan, report }: Undone): number {
  const exit = report === undefined ? planExit(plan, { exitCode: false }) : syncExit(report);
  return exit === EXIT.done && ends.some(({ state }) => state === 'left') ? EXIT.conflicts : exit;
}

function sumOf(ends: readonly End[], { run, report }: Undone): string {
  const count = (state: End['state']): number => ends.filter((end) => end.state === state).length;
  const same = count('same') === 0 ? '' : `, ${counted(count('same'), 'record')} as before already`;
  const left = count('left') === 0 ? '' : `, ${counted(count('left'), 'record')} left alone`;
  const what = report === undefined ? 'would be taken back' : 'taken back';
  return `run ${run.head.run}: ${counted(count('undone'), 'record')} ${what}${same}${left}`;
}

function endOf(change: PastChange, undone: Undone): End {
  const { key } = change;
  const { plan, report, restoring, left } = undone;
  const not = (why: string): End => ({ key, state: 'left', text: `left alone: ${why}` });
  const why = left.get(key);
  if (why !== undefined) return not(withLater(why, key, undone));
  const id = restoring.known.get(key);
  if (id !== undefined) return { key, state: 'same', text: `is there again, as record ${id}` };
  if (plan.refusals.length > 0) return not('refused');
  const planned = plan.changes.find((each) => each.key === key);
  const result = report?.results.find((each) => each.key === key);
  if (result !== undefined && result.outcome !== 'done') return not(`${result.outcome}: ${result.message}`);
  if (planned !== undefined) {
    const fields = planned.fields.map(({ field }) => field).join(', ');
    return { key, state: 'undone', text: doneWords(change, planned.action, fields, report !== undefined) };
  }
  const conflict = plan.conflicts.find((each) => each.key === key);
  if (conflict !== undefined) {
    const names = conflict.fields.map(({ field }) => field).join(', ');
    const gone = conflict.code === 'remote-deleted' || conflict.code === 'modified-deleted';
    if (gone) return not('it is gone from the service');
    const what =
      change.action === 'deleted' ? 'another record is in its place, with another' : 'changed since:';
    return not(withLater(`${what} ${names}`, key, undone));
  }
  const blocked = plan.blocked.find((each) => each.key === key);
  if (blocked !== undefined) return not(blocked.message);
  const kept = plan.kept.find((each) => each.key === key);
  if (kept !== undefined) return not(keptWords(kept));
  return { key, state: 'same', text: 'is as it was before' };
}

function withLater(why: string, key: Key, { laterOf }: Undone): string {
  const later = laterOf(key);
  return later.length === 0 ? why : `${why} (the run ${later.at(-1) ?? ''} wrote it)`;
}

function doneWords(
  { action }: PastChange,
  planned: 'create' | 'update' | 'delete',
  fields: string,
  isDone: boolean,
): string {
  const would = isDone ? '' : 'would be ';
  if (planned === 'delete') return `${would}deleted, as the run created it`;
  if (action === 'deleted') return `${would}made again`;
  if (action === 'created') return isDone ? 'is a draft now' : 'would become a draft';
  return `${would}put back: ${fields}`;
}
