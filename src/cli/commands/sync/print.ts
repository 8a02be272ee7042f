import type { Lost, Result, SyncReport } from '../../../sync/report.ts';
import { counted, grouped, lasting } from '../../print/terminal/numbers.ts';
import { redirectCount, redirectEndLines } from '../../print/plan/redirects.ts';
import { visible } from '../../../model/visible.ts';
import { shownConflict } from '../../print/plan/conflict.ts';
import { keptWords } from '../../print/plan/changes.ts';
import type { PlanContext } from '../../print/plan/context.ts';
import { noteLines } from '../../print/plan/notes.ts';
import { inSyncSum, isInSync, refusalLines } from '../../print/plan/plan.ts';

const FAILURES_MAX = 20;

/** What a person must know after a run, before the sum: failures, conflicts, refusals, drift, kept records. */
export function syncLines(report: SyncReport, context: PlanContext): readonly string[] {
  const { plan } = report;
  const blocks = [
    [...failureLines(report.results, context), ...redirectEndLines(report, context)],
    plan.conflicts.flatMap((conflict, index) => [
      ...(index > 0 ? [''] : []),
      ...shownConflict(conflict, context),
    ]),
    refusalLines(plan, context),
    [...noteLines(plan, context), ...lostLines(report, context), ...keptLines(report, context)],
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

/** `2 created, 5 updated, 205 unchanged in 1.9 s, 17 requests` */
export function syncSum(report: SyncReport, context: PlanContext): string {
  const { summary, plan, results } = report;
  const { paint } = context.style;
  const tail = `in ${lasting(report.durationMs)}, ${counted(report.requests, 'request')}`;
  if (report.interrupted)
    return `${paint.yellow('interrupted')}: ${partsOf(report).join(', ')} ${tail}; running again is safe`;
  if (results.length === 0 && summary.pending === 0 && isInSync(plan)) {
    return `${inSyncSum(plan, context)} ${tail}`;
  }
  return paint.bold(`${partsOf(report).join(', ')} ${tail}`);
}

function partsOf({ summary, plan, filesSent, redirects }: SyncReport): readonly string[] {
  const part = (count: number, word: string): readonly string[] =>
    count === 0 ? [] : [`${grouped(count)} ${word}`];
  const sentLines = redirectCount(plan) - (redirects?.waiting ?? 0);
  return [
    ...part(summary.created, 'created'),
    ...part(summary.updated, 'updated'),
    ...part(summary.deleted, 'deleted'),
    ...(filesSent === 0 ? [] : [`${counted(filesSent, 'image or file', 'images and files')} sent`]),
    ...(redirects?.outcome === 'done' ? part(sentLines, sentLines === 1 ? 'redirect' : 'redirects') : []),
    `${grouped(summary.unchanged)} unchanged`,
    ...part(summary.conflict, summary.conflict === 1 ? 'conflict' : 'conflicts'),
    ...part(plan.blocked.filter(({ reason }) => reason !== 'pending').length, 'blocked'),
    ...part(summary.drift, 'drift'),
    ...part(summary.failed, 'failed'),
    ...part(summary.skipped, 'not sent'),
    ...part(summary.pending, 'pending'),
  ];
}

function failureLines(results: readonly Result[], { style, isVerbose }: PlanContext): readonly string[] {
  const { paint } = style;
  const bad = results.filter((result) => result.outcome !== 'done');
  const listed = isVerbose ? bad : bad.slice(0, FAILURES_MAX);
  const rest = bad.length - listed.length;
  return [
    ...listed.map((result) => {
      const word = paint.red(`! ${result.outcome}`);
      return `${word}  ${result.action} ${visible(result.key)}  ${visible(result.message)}`;
    }),
    ...(rest === 0
      ? []
      : [`  … ${counted(rest, 'more like these', 'more like these')} (--verbose or --json lists all)`]),
  ];
}

function keptLines({ plan }: SyncReport, { style, isVerbose }: PlanContext): readonly string[] {
  const reasons = [...new Set(plan.kept.map(keptWords))];
  return reasons.map((reason) => {
    const names = plan.kept.filter((kept) => keptWords(kept) === reason).map(({ key }) => visible(key));
    const listed = isVerbose ? names : names.slice(0, 3);
    const rest = names.length - listed.length;
    const more = rest === 0 ? '' : ` and ${grouped(rest)} more`;
    return style.paint.dim(`  kept      ${listed.join(', ')}${more}: no file; ${reason}`);
  });
}

/** `lost  article/install@en and 3 more: the service does not keep <table> in content` */
function lostLines({ lost }: SyncReport, { style, isVerbose }: PlanContext): readonly string[] {
  const ways = [...new Set(lost.map(lossWords))];
  return ways.map((words) => {
    const names = lost.filter((entry) => lossWords(entry) === words).map(({ key }) => visible(key));
    const listed = isVerbose ? names : names.slice(0, 3);
    const rest = names.length - listed.length;
    const more = rest === 0 ? '' : ` and ${grouped(rest)} more`;
    return `${style.paint.yellow('  lost      ')}${listed.join(', ')}${more}: ${words}`;
  });
}

function lossWords({ field, what }: Lost): string {
  const characters = /^end@(\d+)$/.exec(what)?.[1];
  if (characters !== undefined) return `the service cut ${field} after ${characters} characters`;
  switch (what) {
    case 'value':
      return `the service does not keep ${field}, or does not show it`;
    case 'end':
      return `the service cut the end of ${field}`;
    case 'signs':
      return `the service does not keep emoji and the like in ${field}`;
    case 'tags':
      return `the service takes tags out of ${field}`;
    case 'markup':
      return `the service keeps the words of ${field} in another markup`;
    case 'punctuation':
      return `the service keeps the words of ${field} with other punctuation`;
    case 'word':
      return `the service shows its own word as ${field}; check on the site that readers see what they should`;
    case 'draft':
      return `the service keeps as a draft what kbsync sent as a published page; publish it on the site`;
    case 'derived':
      return `the service makes ${field} from the beginning of the text, and does not keep what it is sent`;
    case 'filled':
      return `the service fills ${field} by itself if the file leaves it empty`;
    case 'entries':
      return `the service keeps only some of the ${field}`;
    case 'more-entries':
      return `the service adds ${field} of its own to those that it is sent`;
    case 'number':
      return `the service keeps another number as ${field}`;
    case 'alt':
      return `the service does not keep the texts of pictures in ${field}`;
    case 'address':
      return `the service does not keep addresses of links or pictures in ${field}`;
    default:
      return `the service does not keep <${visible(what)}> in ${field}`;
  }
}
