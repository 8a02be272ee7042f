import type { BaseStore, LoadedBase } from '../../base/base.ts';
import type { Spool } from '../../content/files/folder.ts';
import type { Emit } from '../../model/event.ts';
import type { Kind } from '../../model/key.ts';
import { idKey } from '../../model/key.ts';
import type { BaseState } from '../../model/record.ts';
import type { Plan } from '../../plan/plan.ts';
import { RemoteError } from '../../remote/error.ts';
import type { Remote } from '../../remote/remote.ts';
import { baseIds } from '../survey/consistent-base.ts';
import { createSync } from '../create-sync.ts';
import { waitForCreates } from '../wait-for-creates.ts';
import type { SyncPolicy, SyncReport } from '../report.ts';
import type { Clock } from '../../model/clock.ts';
import type { SaveTrash } from '../run.ts';
import { carriedFiles } from './carried-files.ts';
import { migrationOf } from './migration.ts';
import type { Migration } from './migration.ts';
import { nameRecords } from './name-records.ts';
import type { Names } from './name-records.ts';
import type { NamesFile } from './names-file.ts';
import { readSource } from './read-source.ts';
import type { Source } from './read-source.ts';
import type { HelpCentre } from './relink.ts';
import { verify } from './verify.ts';
import type { Verification } from './verify.ts';

export interface MigrateOptions {
  /** Only read. */
  readonly source: Remote;
  readonly target: Remote;
  /** Address of the source's API. */
  readonly sourceUrl: string;
  readonly from: HelpCentre;
  readonly to: HelpCentre;
  readonly base: BaseStore;
  readonly loaded: LoadedBase;
  readonly names: NamesFile;
  /** Asks the source's help centre as a reader does. */
  readonly ask: (request: Request) => Promise<Response>;
  readonly spool: Spool;
  readonly defaultLanguage: string;
  readonly policy: SyncPolicy;
  /** Records that the source does not show are left out. */
  readonly skipUnreadable: boolean;
  readonly verify: boolean;
  readonly emit: Emit;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal?: AbortSignal;
  readonly saveTrash: SaveTrash;
}

export interface SourceCounts {
  readonly originals: Readonly<Record<Kind, number>>;
  readonly translations: number;
  readonly languages: readonly string[];
  /** Articles with an open draft copy; the copy is not read. */
  readonly openDrafts: number;
}

export interface Prepared {
  readonly source: Source;
  readonly names: Names;
  readonly counts: SourceCounts;
  readonly migration: Migration;
  /** Why the source is not to be trusted as a whole: with any, nothing is written. */
  readonly faults: readonly string[];
  /** What was left out because it was asked for. */
  readonly leftOut: readonly string[];
}

export interface Migrating {
  /** Reads the source; writes nothing. */
  prepare(): Promise<Prepared>;
  /** What a run would do. */
  plan(prepared: Prepared): Promise<Plan>;
  /** Does it, and compares both sides in the end. */
  run(prepared: Prepared, confirm: (plan: Plan) => Promise<boolean>): Promise<MigrateRun>;
}

export interface MigrateRun {
  readonly report: SyncReport;
  /** After the run. */
  readonly base: BaseState;
  /** Undefined where nothing was compared: refused, declined, interrupted, failed, or not asked for. */
  readonly verification: Verification | undefined;
  /** Why the comparison was given up; what was written stands. */
  readonly unverified?: string;
}

/**
 * A knowledge base into another one. The source is a source of desired state as the files of a folder are: plan, journal,
 * conflicts, guards and what makes a second run write nothing are those of a sync.
 */
export function createMigration(options: MigrateOptions): Migrating {
  const { target, policy, emit, clock, random, signal, saveTrash } = options;
  let names: Names = new Map();
  const saveNames = (): Promise<void> => options.names.save(names);
  const sync = createSync({
    remote: target,
    base: withNamesFirst(options.base, saveNames),
    policy,
    emit,
    clock,
    random,
    saveTrash,
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    prepare: () => prepare(options),
    plan: async ({ migration }) => (await sync.plan(migration.desired)).plan,
    run: async (prepared, confirm) => {
      let isConfirmed: boolean | undefined;
      ({ names } = prepared);
      // Before the first write: from then on the target knows the records by these names.
      const once = (): Promise<SyncReport> =>
        sync.sync(prepared.migration.desired, async (plan) => {
          if (isConfirmed !== undefined) return isConfirmed;
          isConfirmed = await confirm(plan);
          if (isConfirmed) await saveNames();
          return isConfirmed;
        });
      const report = await (policy.waits === true ? waitForCreates(once, options) : once());
      const known = await sync.known();
      const isCarriedOut = isConfirmed !== false && report.plan.refusals.length === 0;
      if (!isCarriedOut || report.interrupted || !options.verify)
        return { report, base: known, verification: undefined };
      return { base: known, ...(await verifiedOrWhy(prepared, report, known, options)) };
    },
  };
}

/** Where nothing is to be written, nobody is asked, and yet the base may learn of records that were there already. */
function withNamesFirst(base: BaseStore, saveNames: () => Promise<void>): BaseStore {
  return {
    ...base,
    save: async (state) => {
      await saveNames();
      await base.save(state);
    },
  };
}

async function prepare(options: MigrateOptions): Promise<Prepared> {
  const { source: remote, spool, defaultLanguage, policy, loaded, emit } = options;
  emit({ type: 'phase', phase: 'read source' });
  const source = await readSource({
    remote,
    spool,
    defaultLanguage,
    languages: policy.languages,
    atOnce: policy.concurrencyMax,
    onRead: (done, total, failed) => emit({ type: 'progress', done, total, failed }),
  });
  const needed = loaded.state.records.size > 0 || loaded.open.length > 0;
  const names = nameRecords(source.records, await options.names.load({ needed }), defaultLanguage);
  const isVouchedFor = policy.allow.has('incomplete-list');
  const files = await carriedFiles(source.records, {
    ...options,
    origin: options.from.origin,
    atOnce: policy.concurrencyMax,
  });
  const migration = migrationOf({
    ...options,
    files,
    source,
    names,
    base: loaded.state,
    languages: policy.languages,
  });
  const isEmpty = source.records.length === 0 && loaded.state.records.size > 0;
  return {
    source,
    names,
    counts: countsOf(source, defaultLanguage),
    migration,
    faults: [
      ...(isVouchedFor ? [] : source.cut),
      ...(options.skipUnreadable ? [] : source.unread),
      ...source.misread,
      ...(isEmpty ? [EMPTY] : []),
    ],
    leftOut: [...(isVouchedFor ? source.cut : []), ...(options.skipUnreadable ? source.unread : [])],
  };
}

const EMPTY = 'the source shows no record at all, and an earlier run brought records from there';

function countsOf({ records }: Source, defaultLanguage: string): SourceCounts {
  const originals = records.filter(({ lang }) => lang === defaultLanguage);
  const count = (kind: Kind): number => originals.filter((record) => record.kind === kind).length;
  const others = new Set(records.map(({ lang }) => lang).filter((lang) => lang !== defaultLanguage));
  return {
    originals: { category: count('category'), tag: count('tag'), article: count('article') },
    translations: records.length - originals.length,
    languages: [defaultLanguage, ...[...others].sort()],
    openDrafts: records.filter(({ hasOpenDraft }) => hasOpenDraft).length,
  };
}

/** The report comes even if the comparison fails, because a key was revoked or a side stopped answering. */
async function verifiedOrWhy(
  prepared: Prepared,
  report: SyncReport,
  base: BaseState,
  options: MigrateOptions,
): Promise<Pick<MigrateRun, 'report' | 'verification' | 'unverified'>> {
  try {
    return { report, verification: await verified(prepared, report, base, options) };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    const interrupted = report.interrupted || error.code === 'aborted';
    return { report: { ...report, interrupted }, verification: undefined, unverified: error.message };
  }
}

function verified(
  { source, migration }: Prepared,
  { plan, results }: SyncReport,
  base: BaseState,
  options: MigrateOptions,
): Promise<Verification> {
  const { emit, policy, defaultLanguage } = options;
  emit({ type: 'phase', phase: 'verify' });
  return verify({
    migration,
    source: options.source,
    target: options.target,
    ids: baseIds(base, defaultLanguage),
    strangers: new Set(plan.unmanaged.map(({ kind, id }) => idKey(kind, id))),
    listed: source.listed,
    isLate: results.length > 0,
    atOnce: policy.concurrencyMax,
    onRead: (done, total, failed) => emit({ type: 'progress', done, total, failed }),
  });
}
