import type { LoadedBase } from '../base/base.ts';
import { dateIn } from '../model/compare/fingerprint.ts';
import type { ListView } from '../model/compare/fingerprint.ts';
import type { Family, Key, RemoteId } from '../model/key.ts';
import { kindOf } from '../model/key.ts';
import { once } from '../model/once.ts';
import type { BaseState, DesiredState } from '../model/record.ts';
import { NAMELESS } from '../model/repository.ts';
import type { TextsOf } from '../plan/plan-texts.ts';
import { planTexts } from '../plan/plan-texts.ts';
import type { Plan } from '../plan/plan.ts';
import { isOriginalIn } from './known-originals.ts';
import type { RunOptions, SyncOptions } from './options.ts';
import { planned } from './plan-run.ts';
import type { SyncReport } from './report.ts';
import { repositoryOf } from './repository.ts';
import type { Wishes } from './sync-once.ts';
import { syncOnce } from './sync-once.ts';

export interface Planned {
  readonly plan: Plan;
  readonly requests: number;
  /** Whole texts, which the plan holds digests of. */
  readonly textsOf: TextsOf;
}

export interface Sync {
  /** What a sync would do now. Reads only. */
  plan(desired: DesiredState): Promise<Planned>;
  /**
   * Plans, asks `confirm` when there is something to write, carries the plan out and saves the base. A plan with
   * refusals, or one that is not confirmed, writes nothing and saves nothing.
   */
  sync(desired: DesiredState, confirm?: (plan: Plan) => Promise<boolean>): Promise<SyncReport>;
  /**
   * The same for the records whose files changed since the last run, without reading the lists: one read and one edit
   * for each, and no request for those that say the same as before. Where that is not enough it is a whole run. The
   * base is journalled and not saved: see `save`.
   */
  syncChanged(desired: DesiredState, keys: ReadonlySet<Key>): Promise<SyncReport>;
  /** Saves what the runs since the last whole one have left in the journal. */
  save(): Promise<void>;
  /** The base as it is now. */
  known(): Promise<BaseState>;
}

/** The base is loaded by the first call and carried from run to run, so watching need not read it again. */
export function createSync(options: SyncOptions): Sync {
  let loaded: LoadedBase | undefined;
  let running: RunOptions | undefined;
  let views: ReadonlyMap<Family, ListView> | undefined;
  let isUnsaved = false;
  const run = async (desired: DesiredState, how: Pick<Wishes, 'confirm' | 'keys'>): Promise<SyncReport> => {
    const [known, running] = await begin();
    const end = await syncOnce(desired, known, chosenIn(running, desired, known), { ...how, views });
    loaded = end.base;
    if (end.views !== undefined) views = end.views;
    isUnsaved = end.isSaved ? false : isUnsaved || end.views !== undefined;
    return end.report;
  };
  const load = async (): Promise<readonly [LoadedBase, RunOptions]> => {
    if (loaded === undefined || running === undefined) {
      loaded = await options.base.load();
      const { checkout: _, repository = NAMELESS, ...rest } = options;
      running = {
        ...rest,
        repository: repositoryOf(repository, loaded.state),
        openBefore: new Set(loaded.open.map(({ op }) => op)),
      };
      options.remote.learn(loaded.state.capabilities);
    }
    return [loaded, running];
  };
  const begin: typeof load = async () => {
    const [known, running] = await load();
    options.remote.learnDates(listedDates(known.state));
    options.remote.learnOriginals(isOriginalIn(known.state));
    const checkout = await options.checkout?.(known.state.revision);
    return [known, checkout === undefined ? running : { ...running, checkout }];
  };
  return {
    async plan(desired) {
      const [known, running] = await begin();
      const { plan, input } = await planned(desired, known, chosenIn(running, desired, known));
      const textsOf = input === undefined ? () => ({}) : planTexts(input);
      return { plan, requests: options.remote.requests(), textsOf };
    },
    sync: (desired, confirm) => run(desired, { confirm }),
    syncChanged: (desired, keys) => run(desired, { keys }),
    async save() {
      if (!isUnsaved || loaded === undefined) return;
      await options.base.save(loaded.state);
      isUnsaved = false;
    },
    known: async () => (await load())[0].state,
  };
}

/** When the list said at the last sync that an article was edited last, by its id. */
function listedDates({ records }: BaseState): (id: RemoteId) => string | undefined {
  const dates = once(
    () =>
      new Map(
        [...records.values()].flatMap(({ key, id, seen }) => {
          const date = seen === undefined || kindOf(key) !== 'article' ? undefined : dateIn(seen);
          return date === undefined ? [] : [[id, date] as const];
        }),
      ),
  );
  return (id) => dates().get(id);
}

function chosenIn(run: RunOptions, desired: DesiredState, { state }: LoadedBase): RunOptions {
  const only = run.choose?.(desired, state);
  return only === undefined ? run : { ...run, policy: { ...run.policy, only } };
}
