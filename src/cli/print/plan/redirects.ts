import { visible } from '../../../model/visible.ts';
import type { Plan } from '../../../plan/plan.ts';
import type { SyncReport } from '../../../sync/report.ts';
import { firstOf, restLines } from '../terminal/listed.ts';
import { counted } from '../terminal/numbers.ts';
import type { ValueStyle } from './value.ts';

interface Showing {
  readonly isVerbose: boolean;
  readonly style: ValueStyle;
}

const NAMED_MAX = 3;

/** `  redirect  + /old → /en/articles/new`, one line for each that a sync adds, changes or takes away, and what is not sent. */
export function redirectLines(
  { redirects }: { readonly redirects?: Plan['redirects'] },
  { isVerbose, style }: Showing,
): readonly string[] {
  if (redirects === undefined) return [];
  const { paint, glyphs } = style;
  const label = paint.cyan('  redirect  ');
  const { repository, lines, added, changed, removed, kept, leftOut } = redirects;
  if (repository === undefined) {
    const them = counted(lines.length, 'old address is', 'old addresses are');
    return [
      `${label}${paint.yellow(`${them} not sent`)}: the repository has no name; set \`id\` in kbsync.yaml`,
    ];
  }
  if (redirects.unread !== undefined)
    return [`${label}${paint.yellow('the old addresses cannot be read')}: ${visible(redirects.unread)}`];
  const line = (from: string, to: string): string => `${visible(from)} ${glyphs.arrow} ${visible(to)}`;
  const rows = [
    ...added.map(({ from, to }) => paint.green(`+ ${line(from, to)}`)),
    ...changed.map(
      ({ from, to, before }) => `${paint.yellow(`~ ${line(from, to)}`)} (before ${visible(before)})`,
    ),
    ...removed.map(({ from, to }) => paint.red(`- ${line(from, to)}`)),
  ];
  const { listed, rest } = firstOf(rows, isVerbose);
  const unsent = firstOf(leftOut, isVerbose, { max: NAMED_MAX, few: NAMED_MAX });
  return [
    ...listed.map((row) => `${label}${row}`),
    ...restLines(rest).map((text) => `            ${text}`),
    ...(kept.length === 0
      ? []
      : [
          `${label}${paint.dim(`${counted(kept.length, 'line')} kept as before: without a file, or with one that is not sent now`)}`,
        ]),
    ...unsent.listed.map(({ from, why }) => `${label}${paint.yellow('not sent')}  ${visible(from)}: ${why}`),
    ...restLines(unsent.rest, 'more not sent').map((text) => `            ${text}`),
  ];
}

/** How many lines of the set a sync would change. */
export function redirectCount({ redirects }: Pick<Plan, 'redirects'>): number {
  if (redirects?.repository === undefined) return 0;
  return redirects.added.length + redirects.changed.length + redirects.removed.length;
}

/** What a person must know of the set after a run: why it was not kept, and which addresses lead where others say. */
export function redirectEndLines(
  { redirects, plan }: Pick<SyncReport, 'redirects' | 'plan'>,
  { style, isVerbose }: Showing,
): readonly string[] {
  const { paint } = style;
  const { claimed = [] } = redirects ?? {};
  const shown = firstOf(claimed, isVerbose, { max: NAMED_MAX, few: NAMED_MAX });
  return [
    ...(redirects === undefined || redirects.outcome === 'done'
      ? []
      : [`${paint.red(`! ${redirects.outcome}`)}  redirects  ${visible(redirects.message)}`]),
    ...shown.listed.map(
      ({ from, by }) =>
        `${paint.yellow('  redirect  ')}${visible(from)} stays with the repository ${visible(by)}, which had it before`,
    ),
    ...restLines(shown.rest).map((text) => `            ${text}`),
    // Of the plan, what was not sent.
    ...redirectLines({ redirects: unsent(plan) }, { style, isVerbose }),
  ];
}

function unsent({ redirects }: Plan): Plan['redirects'] {
  return redirects === undefined
    ? undefined
    : { ...redirects, added: [], changed: [], removed: [], kept: [], unread: undefined };
}
