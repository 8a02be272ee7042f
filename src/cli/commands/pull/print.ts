import { posix } from 'node:path';
import type { PulledAssets } from '../../../sync/pull/files/assets.ts';
import { WAITS } from '../../../sync/pull/report.ts';
import type { PullAction, PulledRecord, PullReport } from '../../../sync/pull/report.ts';
import type { Finding } from '../../print/problems.ts';
import { counted, grouped, lasting } from '../../print/terminal/numbers.ts';
import { visible } from '../../../model/visible.ts';
import { shellWord } from '../../print/terminal/text.ts';
import { JSON_FORMAT, problemJson } from '../../print/json.ts';
import { listed, textCounts, textLines } from '../../print/texts.ts';
import type { ProposalEnd } from '../../../forge/propose.ts';
import type { Screen } from '../../print/terminal/screen.ts';

const ACTIONS = [
  'created',
  'updated',
  'copied',
  'unchanged',
  'gone',
  'deleted',
  'onSite',
  'left',
] as const satisfies readonly PullAction[];
const LINES_MAX = 20;

/** `pull --json`; without a report the files have errors and nothing was done. */
export function pullDocument(
  report: PullReport | undefined,
  {
    findings,
    dryRun,
    proposal,
  }: {
    readonly findings: readonly Finding[];
    readonly dryRun: boolean;
    readonly proposal?: ProposalEnd | undefined;
  },
) {
  const records = report?.records ?? [];
  return {
    format: JSON_FORMAT,
    dryRun,
    records: records.filter(({ action }) => action !== 'unchanged'),
    incomplete: report?.incomplete ?? [],
    ...(report === undefined || report.others.length === 0 ? {} : { others: report.others }),
    ...(report === undefined || report.foreign.length === 0 ? {} : { foreign: report.foreign }),
    problems: findings.map(problemJson),
    summary: { ...counts(records, report?.unread), text: textCounts(records) },
    ...(report?.assets === undefined ? {} : { assets: report.assets }),
    ...(proposal === undefined ? {} : { proposal }),
    requests: report?.requests ?? 0,
  };
}

interface PullLines {
  readonly screen: Screen;
  readonly dryRun: boolean;
  /** The content folder, as it is shown. */
  readonly folder: string;
  readonly html: 'sanitize' | 'trust';
  /** Everything went into a branch, and nothing into the files here. */
  readonly proposal: ProposalEnd | undefined;
  /** ` --env staging`, or empty. */
  readonly setup: string;
}

/** What a person reads: every file that is not simply new, then sums, then what the files could not hold as Markdown. */
export function pullLines(report: PullReport, options: PullLines): readonly string[] {
  const { records, requests, durationMs } = report;
  const isShown = ({ action }: PulledRecord): boolean =>
    action !== 'unchanged' && action !== 'created' && (action !== 'onSite' || options.screen.isVerbose);
  const changed = records.filter(isShown);
  const created = records.filter(({ action }) => action === 'created');
  const isAll = options.screen.isVerbose || created.length <= LINES_MAX;
  const few = isAll ? created : created.slice(0, LINES_MAX);
  const more = created.length - few.length;
  const sums = counts(records, report.unread);
  const named = ACTIONS.filter((action) => sums[action] > 0 || action === 'created');
  const sum = named.map((action) => `${grouped(sums[action])} ${WORDS[action]}`).join(', ');
  return [
    ...few.map((record) => line(record, options)),
    ...(more === 0 ? [] : [`  and ${counted(more, 'new file')} more; --verbose names them`]),
    ...changed.map((record) => line(record, options)),
    ...report.incomplete.map((text) => `? ${visible(text)}`),
    ...report.others.map(otherLine),
    ...report.foreign.map(foreignLine),
    ...(report.assets?.failed ?? []).map(({ url, why }) => visible(`? image ${url}  ${why}; it stays there`)),
    `${beginningOf(options)}${sum} in ${lasting(durationMs)}, ${counted(requests, 'request')}`,
    ...textLines(records, options),
    ...copyLines(report, options),
    ...assetLines(report.assets, options),
    ...(options.proposal === undefined ? [] : [proposalLine(options.proposal)]),
  ];
}

/** What a person does with a file that was laid beside theirs. */
function copyLines({ records }: PullReport, { dryRun, proposal, setup }: PullLines): readonly string[] {
  const copies = records.filter(({ action, why }) => action === 'copied' && why !== WAITS);
  const [first] = copies;
  if (first === undefined || dryRun || proposal !== undefined) return [];
  const key = copies.length === 1 && first.key !== undefined ? shellWord(first.key) : 'KEY';
  const [it, them] = copies.length === 1 ? ['it', 'the copy'] : ['each of them', 'the copies'];
  return [
    visible(
      `next: compare ${it} with your file, decide with kbsync resolve${setup} ${key} --local | --remote, then delete ${them}`,
    ),
  ];
}

function otherLine({ repository, articles }: PullReport['others'][number]): string {
  return visible(
    `${counted(articles, 'article')} of another repository left alone: the stamp names ${repository}; if that is this repository, write ${repository} into kbsync.yaml as \`id\` or below \`formerIds\``,
  );
}

function foreignLine({ repository, articles }: PullReport['others'][number]): string {
  return visible(
    `${counted(articles, 'article')} that the repository ${repository} wrote: a sync from here leaves them alone, and nothing names this repository; if it is ${repository}, write \`id: ${repository}\` into kbsync.yaml`,
  );
}

function beginningOf({ dryRun, proposal }: PullLines): string {
  if (dryRun) return 'would be: ';
  return proposal === undefined ? '' : 'in the branch: ';
}

function proposalLine({ state, branch, url }: ProposalEnd): string {
  const at = url === undefined ? '' : `: ${visible(url)}`;
  switch (state) {
    case 'opened':
    case 'updated':
    case 'closed':
      return `${state} the request to merge ${branch}${at}`;
    case 'unchanged':
      return `the request to merge ${branch} has these edits already${at}`;
    case 'declined':
      return `somebody closed the request with these edits, so it stays closed${at}`;
    case 'none':
      return `nothing to propose`;
  }
}

const WORDS: Readonly<Record<PullAction, string>> = {
  created: 'created',
  updated: 'updated',
  copied: 'copied beside their files',
  unchanged: 'unchanged',
  gone: 'without their file',
  deleted: 'deleted on the site',
  onSite: 'on the site alone',
  left: 'left out',
};

const SIGNS: Readonly<Record<PullAction, string>> = {
  created: '+',
  updated: '~',
  copied: '!',
  unchanged: ' ',
  gone: '-',
  deleted: '!',
  onSite: ' ',
  left: '?',
};

function line(record: PulledRecord, { folder }: PullLines): string {
  const name =
    record.file === undefined
      ? `${record.kind} ${record.id} in ${record.lang}`
      : posix.join(folder, record.file);
  const fields = record.fields.length === 0 ? '' : `  ${record.fields.join(', ')}`;
  const of = record.of === undefined ? '' : `  the site’s version of ${posix.join(folder, record.of)}`;
  const why = record.why === undefined ? '' : `  ${record.why}`;
  const { navigations = [] } = record;
  const verb = record.action === 'created' ? 'entered' : 'renamed';
  const listed =
    navigations.length === 0
      ? ''
      : `  ${verb} in ${navigations.map((path) => posix.join(folder, path)).join(', ')}`;
  return visible(`${SIGNS[record.action]} ${name}${fields}${of}${listed}${why}`);
}

function assetLines(assets: PulledAssets | undefined, { folder, dryRun }: PullLines): readonly string[] {
  if (assets === undefined) return [];
  const { saved, kept, elsewhere } = assets;
  const there = kept === 0 ? '' : `, ${grouped(kept)} there already`;
  const left = Object.keys(elsewhere).length === 0 ? '' : listed('; left on', elsewhere);
  const verb = dryRun ? 'to fetch' : 'fetched';
  const hint = left === '' ? '' : ' (--asset-host fetches those too)';
  return [`${counted(saved, 'image')} ${verb} into ${folder}/assets${there}${left}${hint}`];
}

function counts(records: readonly PulledRecord[], unread = 0): Readonly<Record<PullAction, number>> {
  const sums = {
    created: 0,
    updated: 0,
    copied: 0,
    unchanged: unread,
    gone: 0,
    deleted: 0,
    onSite: 0,
    left: 0,
  };
  for (const { action } of records) sums[action] += 1;
  return sums;
}
