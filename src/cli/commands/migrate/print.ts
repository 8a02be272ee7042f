import { familyToCome } from '../../../plan/compare.ts';
import type { Conflict, Plan, RefusalCode } from '../../../plan/plan.ts';
import type { MigrateRun, Prepared } from '../../../sync/migrate/migrate.ts';
import { isUnseen } from '../../../sync/migrate/unseen.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { counted, grouped, lasting } from '../../print/terminal/numbers.ts';
import { visible } from '../../../model/visible.ts';
import type { PlanContext } from '../../print/plan/context.ts';
import { blockedTexts } from '../../print/plan/notes.ts';
import { planLines, refusalLines, isInSync } from '../../print/plan/plan.ts';
import { shownValue, type LabelOf, type ValueStyle } from '../../print/plan/value.ts';
import type { Screen } from '../../print/terminal/screen.ts';
import type { Difference, Verification } from '../../../sync/migrate/verify.ts';

/** What stands around a migration. */
export interface Shown {
  readonly from: string;
  readonly to: string;
  readonly prepared: Prepared;
  readonly dryRun: boolean;
  readonly requests: { readonly source: number; readonly target: number };
  readonly durationMs: number;
  readonly screen: Screen;
}

/** Said once, where something is written. */
export const NOT_CARRIED =
  'not copied, because the API cannot write it: who created and last edited a record and when, views, summaries, open draft copies, the parents of articles, release versions, old addresses that the source redirects';

/** Why nothing was written, and the way out. */
export function faultLines({ prepared, screen, from }: Shown): readonly string[] {
  const { red } = screen.errPaint;
  const { source, faults } = prepared;
  const ways = [
    ...(source.cut.some((text) => faults.includes(text))
      ? ['--assume-complete, if you know that the lists are complete']
      : []),
    ...(source.unread.some((text) => faults.includes(text))
      ? ['run again, if the answers may be others later', '--skip-unreadable leaves those records out']
      : []),
  ];
  // A source in another language, or an empty one, shows all that it has.
  const isPartial = [...source.cut, ...source.unread].some((text) => faults.includes(text));
  const why = isPartial ? 'does not show everything that it has' : 'is not as this run expects it';
  return [
    `${red('! refused')}   ${from} ${why}; nothing was written`,
    ...few(faults, screen).map((text) => `    ${visible(text)}`),
    ...ways.map((way) => `    ${screen.glyphs.arrow} ${way}`),
  ];
}

/** The plan, before anything is sent. */
export function migrationPlanLines(plan: Plan, shown: Shown): readonly string[] {
  const { screen } = shown;
  const count = (action: string): string =>
    grouped(plan.changes.filter((change) => change.action === action).length);
  const sum = `${count('create')} create, ${count('update')} update, ${count('delete')} delete, ${grouped(plan.unchanged)} unchanged`;
  return [
    head(shown),
    '',
    ...planLines(
      { ...inOwnWords(plan), conflicts: [], blocked: [], drift: [], kept: [], unmanaged: [] },
      contextOf(plan, shown),
    ),
    ...openLines(plan, shown),
    ...noteLines(plan, shown),
    ...(plan.changes.length === 0 ? [] : [`  ${NOT_CARRIED}`]),
    `${isInSync(plan) ? screen.outPaint.green('in sync: ') : ''}${sum}`,
  ];
}

/** What a person must know after a run, then the sum. */
export function migrateLines(
  { report, verification, unverified }: MigrateRun,
  shown: Shown,
): readonly string[] {
  const { plan, results, summary } = report;
  const { outPaint } = shown.screen;
  const counts = [
    [summary.created, 'created'],
    [summary.updated, 'updated'],
    [summary.deleted, 'deleted'],
    [summary.conflict, summary.conflict === 1 ? 'conflict' : 'conflicts'],
    [plan.blocked.length, 'blocked'],
    [summary.drift, 'drift'],
    [summary.failed, 'failed'],
    [summary.skipped, 'not sent'],
    [summary.pending, 'pending'],
  ] as const;
  const done = counts.flatMap(([count, word]) => (count === 0 ? [] : [`${grouped(count)} ${word}`]));
  const words = [...done, `${grouped(summary.unchanged)} unchanged`].join(', ');
  const { source, target } = shown.requests;
  const tail = `in ${lasting(shown.durationMs)}, ${grouped(source)} + ${counted(target, 'request')}`;
  const start = report.interrupted
    ? outPaint.yellow('interrupted: ')
    : results.length === 0 && summary.pending === 0 && isInSync(plan)
      ? outPaint.green('in sync: ')
      : '';
  return [
    ...failureLines(report, shown),
    ...refusalLines(inOwnWords(plan), contextOf(plan, shown)),
    ...openLines(plan, shown),
    ...noteLines(plan, shown),
    ...(summary.created > 0 ? [`  ${NOT_CARRIED}`] : []),
    `${start}${words} ${tail}`,
    ...verificationLines({ verification, unverified }, shown.screen),
  ];
}

/** Guards speak of the files of a folder; here the records of the source stand in their place. */
export function inOwnWords(plan: Plan): Plan {
  const refusals = plan.refusals.map((refusal) => ({
    ...refusal,
    message: GUARDS[refusal.code] ?? refusal.message,
  }));
  return { ...plan, refusals };
}

const GUARDS: Readonly<Partial<Record<RefusalCode, string>>> = {
  'files-vanished': 'most records that earlier runs brought are gone from the source; is it the right one?',
  'scope-changed':
    'this run asks for other languages than the last one, so records may only seem to be gone; deleting them may not be what you want',
};

function head({ from, to, prepared, screen }: Shown): string {
  const { originals, translations, languages } = prepared.counts;
  const { bold } = screen.outPaint;
  const parts = [
    counted(originals.article, 'article'),
    counted(originals.category, 'category', 'categories'),
    counted(originals.tag, 'tag'),
    `${counted(translations, 'translation')} in ${counted(languages.length, 'language')}`,
  ];
  return `${bold(from)} ${screen.glyphs.arrow} ${bold(to)}   ${parts.join(', ')}`;
}

/** What the plan's own printing needs; its words for files are not used. */
function contextOf(plan: Plan, { from, to, prepared, screen }: Shown): PlanContext {
  return {
    content: from,
    baseUrl: to,
    fileCount: prepared.migration.desired.fileCount,
    languages: prepared.counts.languages,
    stateAgeMs: undefined,
    warnings: [],
    isVerbose: screen.isVerbose,
    style: styleOf(plan, screen),
    setup: '',
  };
}

function styleOf(plan: Plan, { outPaint, glyphs, isVerbose }: Screen): ValueStyle {
  const labelOf: LabelOf = (id) => plan.labels[id] ?? familyToCome(id) ?? id;
  return { paint: outPaint, glyphs, labelOf, widthMax: isVerbose ? 100 : 32 };
}

const WHAT: Readonly<Record<Conflict['code'], string>> = {
  'both-changed': 'changed on both sides since the last run',
  'both-new': 'the target has another record under this name or slug',
  'remote-deleted': 'deleted on the target, unchanged on the source',
  'modified-deleted': 'deleted on the target, changed on the source',
  replaced: 'deleted on the target, where another record has its id now',
  'delete-modified': 'gone from the source, edited on the target',
  'draft-open': 'somebody has an open draft of it on the target, and a write would bypass that draft',
  'not-shown': 'the target does not show this field, so somebody may have changed it there',
};

/** Conflicts, edits on the target alone, and records that stay although the source does not have them. */
function openLines(plan: Plan, { prepared, screen }: Shown): readonly string[] {
  const { outPaint, glyphs } = screen;
  const style = styleOf(plan, screen);
  const conflicts = plan.conflicts.flatMap(({ key, code, fields }) => [
    `${outPaint.red('! conflict')}  ${visible(key)}  ${WHAT[code]}`,
    ...fields.map(
      ({ field, local, remote }) =>
        `    ${field}  source ${shownValue(local, style)}  target ${shownValue(remote, style)}`,
    ),
  ]);
  const isNew = plan.conflicts.some(({ code }) => code === 'both-new');
  const isOther = plan.conflicts.some(({ code }) => code !== 'both-new');
  const kept = plan.kept.filter(({ key }) => !isUnseen(key, prepared.migration.unseen));
  const names = (keys: readonly { readonly key: string }[]): string =>
    few(
      keys.map(({ key }) => visible(key)),
      screen,
    ).join(', ');
  return [
    ...few(conflicts, screen),
    ...blockedTexts(plan, screen).map((text) => `  blocked   ${text}`),
    ...(isNew ? [`    ${glyphs.arrow} --adopt from | to decides whose values win`] : []),
    ...(isOther ? [`    ${glyphs.arrow} --on-conflict from | to decides whose values win`] : []),
    ...(plan.drift.length === 0
      ? []
      : [
          `  ${counted(plan.drift.length, 'record')} edited on the target and left alone: ${names(plan.drift)}`,
          `    ${glyphs.arrow} --on-drift overwrite writes the source's values`,
        ]),
    ...(kept.length === 0
      ? []
      : [
          `  ${counted(kept.length, 'record')} of earlier runs kept, which the source no longer has: ${names(kept)}`,
          ...(kept.some(({ reason }) => reason === 'no-prune')
            ? [`    ${glyphs.arrow} --prune deletes them`]
            : []),
        ]),
  ];
}

function noteLines(plan: Plan, { prepared, screen }: Shown): readonly string[] {
  const { migration, leftOut, counts, source } = prepared;
  const { changes, links } = migration;
  return [
    ...few(leftOut, screen).map((text) => `  left out  ${visible(text)}`),
    ...few(
      changes.map(({ key, why }) => `  changed   ${visible(key)}  ${visible(why)}`),
      screen,
    ),
    ...(links.moved === 0 || plan.changes.length === 0
      ? []
      : [
          `  ${counted(links.moved, 'link')} to pages of the source ${links.moved === 1 ? 'leads' : 'lead'} to the target now`,
        ]),
    ...(links.left.length === 0
      ? []
      : [
          `  ${counted(links.left.length, 'address', 'addresses')} in the texts still ${links.left.length === 1 ? 'leads' : 'lead'} to the source, which has no such page or serves a file there (--json names them)`,
        ]),
    ...(source.mayHideDrafts
      ? ['  the list of articles of the source shows no draft: drafts that it hides are not copied']
      : []),
    ...(counts.openDrafts === 0
      ? []
      : [`  ${counted(counts.openDrafts, 'article')} with an open draft copy: its text stays on the source`]),
    ...(plan.unmanaged.length === 0
      ? []
      : [
          `  ${counted(plan.unmanaged.length, 'record')} of the target ${plan.unmanaged.length === 1 ? 'is' : 'are'} not of this migration; left alone`,
        ]),
  ];
}

function failureLines({ results }: SyncReport, { screen }: Shown): readonly string[] {
  const bad = results.filter(({ outcome }) => outcome !== 'done');
  return few(
    bad.map(
      ({ outcome, action, key, message }) =>
        `${screen.outPaint.red(`! ${outcome}`)}  ${action} ${visible(key)}  ${visible(message)}`,
    ),
    screen,
  );
}

const LINES_MAX = 20;

/** What the comparison of both sides has shown. */
function verificationLines(
  {
    verification,
    unverified,
  }: { readonly verification: Verification | undefined; readonly unverified: string | undefined },
  screen: Screen,
): readonly string[] {
  const { green, red } = screen.outPaint;
  if (unverified !== undefined) return [`${red('! not compared')}  ${visible(unverified)}`];
  if (verification === undefined) return [];
  const { compared, differences, rewritten } = verification;
  return [
    ...few(
      differences.map((difference) => `${red('! differs')}   ${differenceText(difference)}`),
      screen,
    ),
    ...(rewritten.length === 0
      ? []
      : [
          `  the target changed the HTML of ${counted(rewritten.length, 'record')}; words and addresses are the same`,
        ]),
    differences.length === 0
      ? green(`both sides equal: ${counted(compared, 'record')} compared`)
      : `${counted(differences.length, 'difference')} between both sides, ${counted(compared, 'record')} compared`,
  ];
}

function differenceText({ key, kind, id, code, why }: Difference): string {
  return visible(`${key ?? `${kind} ${id}`}  ${code === 'differs' ? '' : `${code}: `}${why}`);
}

/** The first lines, and how many more there are; all with `--verbose`. */
export function few(lines: readonly string[], { isVerbose }: Screen): readonly string[] {
  if (isVerbose || lines.length <= LINES_MAX) return lines;
  return [
    ...lines.slice(0, LINES_MAX),
    `  … ${grouped(lines.length - LINES_MAX)} more (--verbose shows all)`,
  ];
}
