import { posix } from 'node:path';
import { overlayFolder } from '../../../content/files/overlay.ts';
import type { ContentFolder } from '../../../content/files/folder.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { shown, type Settings } from '../../../config/settings.ts';
import type { Branches, ForgeJob } from '../../../forge/forge.ts';
import { openRepository, type Repository } from '../../../forge/branch.ts';
import { forgeJob } from '../../../forge/job.ts';
import { propose, type ProposalEnd } from '../../../forge/propose.ts';
import { digestOfText } from '../../../model/digest.ts';
import { closedMarkdown, pullRequestMarkdown, type PullRequestRow } from '../../../plan-page/pull-request.ts';
import type { PulledRecord, PullReport } from '../../../sync/pull/report.ts';
import type { World } from '../../world.ts';
import type { PullFlags } from './command.ts';

/** Where edits of the site are proposed: all that has to be right before the first request. */
export interface Proposing {
  readonly job: ForgeJob;
  readonly repository: Repository;
  readonly branches: Branches;
  readonly settings: Settings;
  readonly world: World;
}

/** @throws SetupError where this is no job that may propose something */
export async function proposing(
  paths: readonly string[],
  flags: PullFlags,
  settings: Settings,
  world: World,
): Promise<Proposing> {
  const job = forgeJob(world.env);
  if (job === undefined)
    throw new SetupError('usage', '--propose works in a job of GitHub Actions or GitLab CI', {
      help: 'here, kbsync pull writes into the files; docs/guides/editors.md has the jobs',
    });
  const refuse = (message: string, help: string): SetupError => new SetupError('refused', message, { help });
  if (job.isForRequest)
    throw refuse(
      'a job for a pull request proposes nothing: its files may be those of a fork',
      'run it on a schedule, or for the main branch',
    );
  if (job.missing !== undefined) throw refuse(`${job.name}: ${job.missing}`, 'see docs/guides/editors.md');
  const repository = await openRepository(settings.contentDir, world.files);
  const into = job.branch ?? repository.branch;
  if (into === undefined || (job.commit !== undefined && job.commit !== repository.head))
    throw refuse(
      `the checkout is at ${repository.head.slice(0, 7)}, and the job is about ${job.commit?.slice(0, 7) ?? 'no branch'}`,
      'check out the branch that the job runs for, without commits of the job itself',
    );
  const from = flags.branch ?? branchOf(paths, flags);
  if (from === into) throw refuse(`--branch ${from} is the branch that is checked out`, 'name another one');
  return { job, repository, branches: { from, into }, settings, world };
}

/** A run about a part keeps a branch of its own: on that of the whole it would take all other edits back. */
function branchOf(paths: readonly string[], { env, lang, status }: PullFlags): string {
  const whole = env === undefined ? 'kbsync/pull' : `kbsync/pull-${env}`;
  const part = [...paths, ...lang, ...(status === undefined ? [] : [status])].sort();
  if (part.length === 0) return whole;
  const words = part
    .join('-')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, WORDS_MAX);
  const digest = digestOfText(JSON.stringify([[...paths].sort(), [...lang].sort(), status ?? '']));
  return `${whole}-only-${words}-${digest.slice(0, 8)}`;
}

const WORDS_MAX = 40;

/** The content folder as it would be, and the way to propose what a pull wrote into it. */
export function proposedFolder(below: ContentFolder, proposing: Proposing) {
  const folder = overlayFolder(below);
  return {
    folder,
    propose: (report: PullReport, baseUrl: string): Promise<Proposed> =>
      proposed(folder.written, report, { ...proposing, baseUrl }),
  };
}

export interface Proposed {
  readonly end: ProposalEnd;
  /** What became of each record: no file lies beside another one. */
  readonly records: readonly PulledRecord[];
}

async function proposed(
  written: ReadonlyMap<string, string | Uint8Array>,
  report: PullReport,
  { job, repository, branches, settings, world, baseUrl }: Proposing & { readonly baseUrl: string },
): Promise<Proposed> {
  const copies = new Set(report.records.filter(({ action }) => action === 'copied').map(({ file }) => file));
  const { untracked, edited } = await repository.unfit([
    ...new Set(
      report.records.flatMap(({ action, file, navigations = [] }) =>
        action === 'updated' && file !== undefined ? [file, ...navigations] : navigations,
      ),
    ),
  ]);
  const why = new Map([
    ...edited.map((file) => [file, 'the file here differs from its commit'] as const),
    ...untracked.map((file) => [file, 'git does not have this file'] as const),
  ]);
  const records = report.records.map((record) => byHand(record, why));
  const without = new Set(records.flatMap(({ action, file }) => (action === 'left' ? (file ?? []) : [])));
  const files = new Map(
    [...written].filter(([file]) => !copies.has(file) && !why.has(file) && !without.has(file)),
  );
  const folder = shown(settings.contentDir, world);
  const connection = await world.connect(job.origin);
  try {
    const rows = records.flatMap((record) => rowsOf(record, folder));
    const end = await propose({
      repository,
      forge: job.connect(connection),
      branches,
      files,
      title: titleOf(rows),
      body: pullRequestMarkdown({
        name: folder,
        digest: digestOfFiles(files),
        baseUrl,
        rows,
        byHand: records
          .filter(({ action }) => action === 'left' || action === 'gone' || action === 'deleted')
          .map((record) => ({ what: nameOf(record, folder), why: handWork(record) })),
        incomplete: report.incomplete,
      }),
      closing: closedMarkdown(folder),
      isIncomplete: report.incomplete.length > 0 || report.interrupted,
    });
    return { end, records };
  } finally {
    await connection.close();
  }
}

/** A record whose edits are in no file of the branch. */
function byHand(record: PulledRecord, unfit: ReadonlyMap<string, string>): PulledRecord {
  const { action, file = '', of = file } = record;
  if (action === 'copied') {
    const { of: _, ...rest } = record;
    return { ...rest, file: of, action: 'left', why: record.why ?? 'file and site both changed it' };
  }
  const own = action === 'updated' ? unfit.get(file) : undefined;
  if (own !== undefined) return { ...record, action: 'left', why: own };
  const { navigations, ...page } = record;
  const open = navigations?.find((path) => unfit.has(path));
  return open === undefined ? record : { ...page, action: 'left', why: `${open}: ${unfit.get(open)}` };
}

function rowsOf(
  { action, file = '', changes = [] }: PulledRecord,
  folder: string,
): readonly PullRequestRow[] {
  const path = posix.join(folder, file);
  if (action === 'created') return [{ file: path }];
  return action === 'updated' ? changes.map((change) => ({ file: path, ...change })) : [];
}

function titleOf(rows: readonly PullRequestRow[]): string {
  const files = [...new Set(rows.map(({ file }) => file))];
  const [first = '', ...others] = files;
  const name = first.slice(first.lastIndexOf('/') + 1);
  return `Edits of the site: ${others.length === 0 ? name : `${name} and ${others.length} more`}`;
}

function nameOf({ kind, id, lang, file }: PulledRecord, folder: string): string {
  return file === undefined ? `${kind} ${id} in ${lang}` : posix.join(folder, file);
}

function handWork({ changes = [], fields, why = '' }: PulledRecord): string {
  const shown = changes.map(({ field, before, after }) => `${field} “${before}” → “${after}”`);
  const what = shown.length > 0 ? shown : fields;
  return what.length === 0 ? why : `${what.join('; ')}. ${why}`;
}

function digestOfFiles(files: ReadonlyMap<string, string | Uint8Array>): string {
  const parts = [...files].map(
    ([file, content]) => `${file}\n${digestOfText(Buffer.from(content).toString('base64'))}`,
  );
  return digestOfText(parts.sort().join('\n')).slice(0, 16);
}
