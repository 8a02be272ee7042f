import type { RunEvent } from '../../src/model/event.ts';
import type { DesiredState, KnownRecord } from '../../src/model/record.ts';
import { checkApiKey, parseBaseUrl } from '../../src/remote/address.ts';
import { createRemote } from '../../src/remote/client.ts';
import type { Remote, Send } from '../../src/remote/remote.ts';
import { createApp, createKey, openSqlite } from '../../src/service/index.ts';
import type { Store } from '../../src/service/index.ts';
import type { History } from '../../src/base/history/history.ts';
import { createSync } from '../../src/sync/create-sync.ts';
import type { SyncOptions } from '../../src/sync/options.ts';
import type { OutcomeMemory } from '../../src/sync/outcome/known-outcome.ts';
import { CAREFUL as CAREFUL_PLAN } from '../../src/plan/policy.ts';
import type { SyncPolicy, SyncReport } from '../../src/sync/report.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { MEMORY_ORIGIN, memoryBase } from './memory-base.ts';
import type { MemoryBase } from './memory-base.ts';
import { seededRandom } from './random.ts';
import type { RepositoryNames } from '../../src/model/repository.ts';

export const CAREFUL: SyncPolicy = { ...CAREFUL_PLAN, stamp: true, concurrencyMax: 4 };

export interface Sent {
  readonly method: string;
  readonly path: string;
}

/** The real client against the real service, without a socket; time stands still unless somebody sleeps. */
export interface Rig {
  readonly store: Store;
  readonly base: MemoryBase;
  readonly sent: Sent[];
  readonly events: RunEvent[];
  readonly trash: KnownRecord[];
  /** What the next runs are noted in; undefined: nothing. */
  history: History | undefined;
  /** Over the state of now, for a run of another make than a sync's. */
  open<T>(policy: Partial<SyncPolicy>, use: (options: SyncOptions) => Promise<T>): Promise<T>;
  readonly clock: { now: () => number; sleep: (ms: number) => Promise<void>; advance: (ms: number) => void };
  /** Put a wrapper round the service (test/support/odd-services) or let it fail. */
  wrap: (send: Send) => Send;
  /** Whose runs these are. */
  repository: RepositoryNames;
  /** What runs remember of one another besides the base; undefined: nothing. */
  outcomes: OutcomeMemory | undefined;
  sync(desired: DesiredState, policy?: Partial<SyncPolicy>, signal?: AbortSignal): Promise<SyncReport>;
  plan(desired: DesiredState, policy?: Partial<SyncPolicy>): Promise<{ plan: Plan; requests: number }>;
  /** A client of its own, as an editor has: not wrapped, not counted. */
  editor(): Remote;
  /** As a fresh clone: state and journal are gone. */
  forget(): void;
  /** Goes on as the repository of this id on a machine of its own, whose state it finds again when it comes back. */
  as(id: string): void;
  close(): Promise<void>;
}

export interface RigOptions {
  readonly seed?: number;
  readonly languages?: readonly string[];
  /** Of the service's originals; the client's is `en`. */
  readonly defaultLanguage?: string;
}

export async function createRig({
  seed = 1,
  languages,
  defaultLanguage = 'en',
}: RigOptions = {}): Promise<Rig> {
  // Dates with parts of a second, as a clock gives them: those without may be of a service that rounds.
  let nowMs = Date.UTC(2026, 10, 20, 0, 0, 0, 123);
  const random = seededRandom(seed);
  const clock = {
    now: () => nowMs,
    sleep: (ms: number) => {
      nowMs += ms;
      return Promise.resolve();
    },
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
  const store = openSqlite({ file: ':memory:', defaultLanguage });
  const app = createApp({ store, clock, ...(languages === undefined ? {} : { languages }) });
  const { key } = await createKey({ store, clock, name: 'rig' });
  const sent: Sent[] = [];
  const events: RunEvent[] = [];
  const trash: KnownRecord[] = [];
  let base = memoryBase(seed);
  const bases = new Map<string, MemoryBase>();
  let machine = 'docs';

  const remoteOver = (send: Send): Remote =>
    createRemote({
      address: parseBaseUrl(MEMORY_ORIGIN),
      apiKey: checkApiKey(key),
      send,
      emit: (event) => events.push(event),
      clock,
      random,
      concurrencyMax: 4,
      capabilities: {},
      defaultLanguage: 'en',
    });
  const withSync = <T>(
    policy: Partial<SyncPolicy>,
    readOnly: boolean,
    work: (sync: ReturnType<typeof createSync>) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => withOptions(policy, readOnly, (options) => work(createSync(options)), signal);
  const withOptions = async <T>(
    policy: Partial<SyncPolicy>,
    readOnly: boolean,
    work: (options: SyncOptions) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    const opened = await base.open({ readOnly });
    const recorded: Send = (request) => {
      sent.push({
        method: request.method,
        path: new URL(request.url).pathname + new URL(request.url).search,
      });
      return rig.wrap(app.fetch)(request);
    };
    try {
      const remote = remoteOver(recorded);
      return await work({
        remote,
        base: opened,
        policy: { ...CAREFUL, ...policy },
        emit: (event) => events.push(event),
        clock,
        random,
        repository: rig.repository,
        outcomes: rig.outcomes,
        ...(signal === undefined ? {} : { signal }),
        saveTrash: (_, record) => {
          trash.push(record);
          return Promise.resolve();
        },
        history: rig.history,
      });
    } finally {
      await opened.close();
    }
  };
  const rig: Rig = {
    store,
    get base() {
      return base;
    },
    sent,
    events,
    trash,
    clock,
    wrap: (send) => send,
    repository: { configured: 'docs', former: [], derived: [] },
    outcomes: undefined,
    history: undefined,
    open: (policy, use) => withOptions(policy, false, use),
    sync: (desired, policy = {}, signal) => withSync(policy, false, (sync) => sync.sync(desired), signal),
    plan: (desired, policy = {}) => withSync(policy, true, (sync) => sync.plan(desired)),
    editor: () => remoteOver(app.fetch),
    forget: () => {
      base = memoryBase(seed + 1);
    },
    as: (id) => {
      bases.set(machine, base);
      base = bases.get(id) ?? memoryBase(seed + 10 + bases.size);
      machine = id;
      rig.repository = { configured: id, former: [], derived: [] };
    },
    close: () => store.close(),
  };
  return rig;
}
