import { visible } from '../../../model/visible.ts';
import type { Change, Plan } from '../../../plan/plan.ts';
import { shownConflict } from './conflict.ts';
import { ago, counted, grouped, sized } from '../terminal/numbers.ts';
import { changeLines, deadAddresses } from './changes.ts';
import type { PlanContext } from './context.ts';
import { movedLines, noteLines, releasedLines } from './notes.ts';
import { redirectCount, redirectLines } from './redirects.ts';

/** `docs → https://help.acme.test   214 files, 3 languages   state from 2 h ago` */
export function planHead(context: PlanContext): string {
  const { style } = context;
  return [
    `${style.paint.bold(visible(context.content))} ${style.glyphs.arrow} ${style.paint.bold(context.baseUrl)}`,
    `${counted(context.fileCount, 'file')}, ${counted(context.languages.length, 'language')}`,
    style.paint.dim(shownState(context)),
  ].join('   ');
}

/** `state from 2 h ago` */
export function shownState({
  stateAgeMs,
  hasSharedState,
}: Pick<PlanContext, 'stateAgeMs' | 'hasSharedState'>): string {
  if (hasSharedState === true) return 'shared state';
  return stateAgeMs === undefined ? 'no state yet' : `state from ${ago(stateAgeMs)}`;
}

/** Every block of the plan, in reading order: changes, conflicts, refusals, drift, warnings. Empty when in sync. */
export function planLines(plan: Plan, context: PlanContext): readonly string[] {
  const blocks = [
    changeLines(plan, context),
    movedLines(plan, context),
    releasedLines(plan, context),
    plan.conflicts.flatMap((conflict, index) => [
      ...(index > 0 ? [''] : []),
      ...shownConflict(conflict, context),
    ]),
    refusalLines(plan, context),
    redirectLines(plan, context),
    deadAddresses(plan, context),
    noteLines(plan, context),
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

/** `2 create, 5 update, 0 delete (1 kept), 1 conflict, 1 drift, 1 warning, 205 unchanged` */
export function planSum(plan: Plan, context: PlanContext): string {
  const count = (action: Change['action']): number =>
    plan.changes.filter((change) => change.action === action).length;
  const kept = plan.kept.length === 0 ? '' : ` (${grouped(plan.kept.length)} kept)`;
  const pending = plan.blocked.filter(({ reason }) => reason === 'pending').length;
  return [
    `${grouped(count('create'))} create`,
    `${grouped(count('update'))} update`,
    `${grouped(count('delete'))} delete${kept}`,
    ...some(plan.conflicts.length, 'conflict'),
    ...some(plan.blocked.length - pending, 'blocked', 'blocked'),
    ...some(pending, 'pending', 'pending'),
    ...some(plan.drift.length, 'drift', 'drift'),
    ...(plan.files.length === 0
      ? []
      : [
          context.uploads === true
            ? `${filesSum(plan.files)} would be uploaded`
            : `up to ${filesSum(plan.files)}`,
        ]),
    ...some(redirectCount(plan), 'redirect'),
    ...some(context.warnings.length, 'warning'),
    ...some(plan.unmanaged.length, 'unmanaged', 'unmanaged'),
    `${grouped(plan.unchanged)} unchanged`,
  ].join(', ');
}

/** `3 images and files (1.2 MB)` */
function filesSum(files: Plan['files']): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${counted(files.length, 'image or file', 'images and files')} (${sized(bytes)})`;
}

export function refusalLines(plan: Plan, { style }: PlanContext): readonly string[] {
  const { paint, glyphs } = style;
  return plan.refusals.flatMap((refusal) => [
    `${paint.red('! refused')}   ${visible(refusal.message)} [${refusal.code}]`,
    ...(refusal.flag === undefined ? [] : [`    ${glyphs.arrow} if that is right: ${refusal.flag}`]),
  ]);
}

/** Nothing to send and nothing to decide. */
export function isInSync(plan: Plan): boolean {
  return (
    plan.changes.length === 0 &&
    plan.conflicts.length === 0 &&
    plan.refusals.length === 0 &&
    plan.drift.length === 0 &&
    plan.kept.length === 0 &&
    redirectCount(plan) === 0 &&
    plan.redirects?.unread === undefined &&
    plan.blocked.every((blocked) => blocked.reason === 'original-missing')
  );
}

/**
 * `in sync: 5 records unchanged, 1 unmanaged`, or `in sync except 2 blocked: …`: translations that wait for an original
 * are nothing that a run could send, and yet not in sync. Of a part nobody knows how the rest is: `nothing to send`.
 */
export function inSyncSum({ blocked, unchanged, unmanaged }: Plan, context: PlanContext): string {
  const { paint } = context.style;
  const isWhole = blocked.length === 0;
  const part = context.partial === undefined ? 'in sync' : 'nothing to send';
  const head = isWhole
    ? paint.green(part)
    : paint.yellow(`${part} except ${grouped(blocked.length)} blocked`);
  const others = unmanaged.length === 0 ? '' : `, ${grouped(unmanaged.length)} unmanaged`;
  const isEmpty = isWhole && unchanged === 0 && context.partial === undefined;
  return `${head}: ${isEmpty ? 'the files hold no record' : `${counted(unchanged, 'record')} unchanged`}${others}`;
}

/** `partial: 3 of 214 records; brought in, as they need it: category/billing@en`; nothing of a run that is about all. */
export function partialLines({ partial, style }: PlanContext): readonly string[] {
  if (partial === undefined) return [];
  const { keys, needed, of } = partial;
  const names = needed.slice(0, NEEDED_MAX).map(visible).join(', ');
  const more = needed.length > NEEDED_MAX ? ` and ${grouped(needed.length - NEEDED_MAX)} more` : '';
  const brought = needed.length === 0 ? '' : `; brought in, because they need it: ${names}${more}`;
  return [style.paint.yellow(`partial: ${grouped(keys.size)} of ${counted(of, 'record')}${brought}`)];
}

const NEEDED_MAX = 5;

function some(count: number, one: string, many = `${one}s`): readonly string[] {
  return count === 0 ? [] : [counted(count, one, many)];
}
