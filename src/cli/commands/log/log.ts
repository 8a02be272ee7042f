import { structuredPatch } from 'diff';
import type { PastChange, PastRun } from '../../../base/history/history.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { loadSettings } from '../../../config/settings.ts';
import { didYouMean } from '../../../content/suggest.ts';
import { visible } from '../../../model/visible.ts';
import { EXIT } from '../../run/exit.ts';
import { openRuns, runNamed } from '../../run/past-runs.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { ago, counted } from '../../print/terminal/numbers.ts';
import { screen as screenOf, type Screen } from '../../print/terminal/screen.ts';
import { tableLines } from '../../print/terminal/text.ts';
import type { World } from '../../world.ts';
import { setupFlags } from '../../flags.ts';
import type { LogFlags } from './command.ts';
import type { FieldValue } from '../../../model/fields.ts';

/** `kbsync log [RUN]`: what runs did on the site, from the history beside the state. */
export async function log(
  named: string | undefined,
  keys: readonly string[],
  flags: LogFlags,
  world: World,
): Promise<number> {
  const settings = await loadSettings(flags, world);
  const screen = screenOf(world, flags);
  const { runs } = await openRuns(settings, undefined);
  if (named === undefined) return listRuns(runs, setupFlags(flags), screen, world);
  const run = runNamed(named, runs);
  return showRun(run, keys, { flags, names: namesIn(runs) }, screen);
}

/** Names of categories and tags by id, as far as any run knew them: a record that a run found names only what it was in then. */
function namesIn(runs: readonly PastRun[]): Readonly<Record<string, string>> {
  const names = new Map<string, string>();
  for (const { changes } of runs) {
    for (const { id, name, kind, before } of changes.values()) {
      for (const [each, label] of Object.entries(before?.labels ?? {})) names.set(each, label);
      if (id !== undefined && kind !== 'article') names.set(id, name);
    }
  }
  return Object.fromEntries(names);
}

function listRuns(runs: readonly PastRun[], setup: string, screen: Screen, world: World): number {
  if (screen.isJson) {
    const shown = runs.map(({ head, changes }) => ({ ...head, summary: countsOf(changes.values()) }));
    screen.document({ format: JSON_FORMAT, runs: shown });
    return EXIT.done;
  }
  if (runs.length === 0) {
    screen.answer('no run of this machine has written anything yet');
    return EXIT.done;
  }
  const undone = new Map(runs.map(({ head }) => [head.undoes, head.run] as const));
  const rows = runs.toReversed().map(({ head, changes }) => {
    const { created, updated, deleted } = countsOf(changes.values());
    const by = undone.get(head.run);
    const what = head.undoes === undefined ? head.command : `undo of ${head.undoes}`;
    const counts = `+${created} ~${updated} -${deleted}`;
    const note = by === undefined ? '' : `taken back by ${by}`;
    const when = ago(world.clock.now() - head.atMs);
    return [head.run, when, head.who ?? '', head.commit?.slice(0, 9) ?? '', what, counts, note];
  });
  for (const line of tableLines(rows)) screen.answer(line);
  screen.talk(`next: kbsync log${setup} RUN --diff, kbsync undo${setup} RUN --dry-run`);
  return EXIT.done;
}

function countsOf(changes: Iterable<PastChange>): Readonly<Record<PastChange['action'], number>> {
  const counts = { created: 0, updated: 0, deleted: 0 };
  for (const { action } of changes) counts[action] += 1;
  return counts;
}

const SIGNS = { created: '+', updated: '~', deleted: '-' } as const;

function showRun(
  { head, changes }: PastRun,
  keys: readonly string[],
  { flags, names }: { readonly flags: LogFlags; readonly names: Readonly<Record<string, string>> },
  screen: Screen,
): number {
  const missing = keys.find((key) => ![...changes.keys()].some((each) => each === key));
  if (missing !== undefined) {
    const known = [...changes.keys()];
    throw new SetupError(
      'usage',
      `that run did not write \`${visible(missing)}\`${didYouMean(missing, known)}`,
    );
  }
  const chosen = [...changes.values()].filter(({ key }) => keys.length === 0 || keys.includes(key));
  if (screen.isJson) {
    const records = chosen.map(({ key, action, id, name, before, after, isSure }) => ({
      key,
      action,
      ...(id === undefined ? {} : { id }),
      name,
      isSure,
      ...(action !== 'updated' || after === undefined
        ? {}
        : { fields: fieldsOf(before?.fields, after, flags.diff) }),
    }));
    screen.document({ format: JSON_FORMAT, ...head, records });
    return EXIT.done;
  }
  for (const change of chosen) {
    const { action, key, after = {}, isSure } = change;
    const fields = action === 'updated' ? `  ${Object.keys(after).join(', ')}` : '';
    const doubt = isSure ? '' : '  (its answer was lost)';
    screen.answer(`${SIGNS[action]} ${visible(key)}${fields}${doubt}`);
    if (flags.diff && action === 'updated')
      for (const line of diffLinesOf(change, names)) screen.answer(`    ${visible(line)}`);
  }
  screen.talk(
    `${counted(chosen.length, 'record')}; next: kbsync undo${setupFlags(flags)} ${head.run} --dry-run`,
  );
  return EXIT.done;
}

type Values = NonNullable<PastChange['after']>;

function fieldsOf(before: Values | undefined, after: Values, isWhole: boolean): unknown {
  if (!isWhole) return Object.keys(after);
  return Object.entries(after).map(([field, value]) => ({ field, before: before?.[field], after: value }));
}

/** What each changed field said before and after: short values on one line, texts as the lines that differ. */
function diffLinesOf(
  { before, after = {} }: PastChange,
  names: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(after).flatMap(([field, now]) => {
    if (before === undefined) return [`${field}: the service did not show what it said before`];
    const old = before.fields[field];
    const labels = { ...names, ...before.labels };
    const [was, is] = [shownValue(old, labels), shownValue(now, labels)];
    if (!was.includes('\n') && !is.includes('\n')) return [`${field}: ${was} → ${is}`];
    const { hunks } = structuredPatch('', '', `${was}\n`, `${is}\n`, '', '', { context: 1 });
    return [`${field}:`, ...hunks.flatMap(({ lines }) => lines)];
  });
}

/** A body has a line for each block; an id is shown with its name. */
function shownValue(value: FieldValue | undefined, labels: Readonly<Record<string, string>>): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'object') return value.map((id) => labels[id] ?? id).join(', ') || 'none';
  return String(value)
    .replaceAll(/(<\/(?:p|h[1-6]|li|ul|ol|pre|table|tr|blockquote|details)>)\s*/g, '$1\n')
    .trim();
}
