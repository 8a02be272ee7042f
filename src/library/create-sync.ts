import { resolve } from 'node:path';
import pLimit from 'p-limit';
import { checkoutDoubts } from '../cli/checkout.ts';
import { trashOf } from '../cli/resources.ts';
import { realClock, realFiles, realRandom } from '../cli/world.ts';
import type { BaseStore, LoadedBase } from '../base/base.ts';
import type { Emit } from '../model/event.ts';
import { problemMessage, type Problem } from '../model/problem.ts';
import type { Plan } from '../plan/plan.ts';
import { checkApiKey } from '../remote/api-key.ts';
import { parseBaseUrl } from '../remote/base-url.ts';
import type { Send } from '../remote/remote.ts';
import type { Sync as Engine } from '../sync/create-sync.ts';
import type { SyncPolicy, SyncReport } from '../sync/report.ts';
import type { Content } from './load-content.ts';

export interface SyncOptions {
  /** Address of the knowledge base, without `/api/v2`: https, or http on loopback. */
  readonly url: string;
  readonly key: string;
  /** What the last sync left; locked until `close`. Default: `.kbsync/state.json` in the working directory. */
  readonly stateFile?: string;
  /** What is not given is the careful choice: no deletes, conflicts and drift are reported and left alone. */
  readonly policy?: Partial<Omit<SyncPolicy, 'doubts'>>;
  /** Everything a run says while it is under way. */
  readonly onEvent?: Emit;
  /** Ends a run: what is under way is finished, the rest is left for the next one. */
  readonly signal?: AbortSignal;
  /** Another way to the service: a proxy, or the bundled service's own `fetch`. Default: HTTP/1.1, no redirects. */
  readonly send?: Send;
}

export interface Sync {
  /** What `sync` would do now. Three lists and the records in question are read, nothing is written. */
  plan(content: Content): Promise<Plan>;
  /**
   * Plans, asks `confirm` when there is something to write, carries the plan out and saves the state. A plan with
   * refusals, or one that is not confirmed, writes nothing. What failed, is open or in conflict is in the report.
   * A call while another is under way waits for its end, so `confirm` must not wait for one.
   */
  sync(content: Content, confirm?: (plan: Plan) => boolean | Promise<boolean>): Promise<SyncReport>;
  /** Waits for the run that is under way, closes the connections and gives the state's lock back. */
  close(): Promise<void>;
}

/** The files have errors: no request was sent. */
export class ProblemsError extends Error {
  override readonly name = 'ProblemsError';
  readonly code = 'problems';
  /** Warnings among them. */
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const errors = problems.filter(({ severity }) => severity === 'error');
    const lines = errors.map((problem) => {
      const { file, line, column } = problem.at;
      return `${file}:${line}:${column}: ${problem.code}: ${problemMessage(problem)}`;
    });
    super(lines.join('\n'));
    this.problems = problems;
  }
}

const POLICY: SyncPolicy = {
  prune: false,
  maxDelete: undefined,
  onConflict: 'fail',
  onDrift: 'report',
  adopt: 'fail',
  allow: new Set(),
  stamp: true,
  languages: undefined,
  concurrencyMax: 16,
};

/**
 * The runs of `kbsync plan` and `kbsync sync`, as many as are wanted until `close`. Opens the state and takes its lock;
 * sends nothing yet.
 *
 * `plan` and `sync` throw a ProblemsError for files with errors, and a RemoteError when the service cannot be read;
 * what goes wrong with single records is in the report.
 *
 * @throws RemoteSetupError for an address or a key that cannot be used; BaseError `locked` when another run has the
 * state, `damaged` and others when it cannot be used
 */
export async function createSync(options: SyncOptions): Promise<Sync> {
  const address = parseBaseUrl(options.url);
  const apiKey = checkApiKey(options.key);
  const stateFile = resolve(options.stateFile ?? '.kbsync/state.json');
  const { openBase } = await import('../base/store.ts');
  const base = await openBase({ file: stateFile, origin: address.href, readOnly: false });
  try {
    const loaded = await base.load();
    const { send, close } = await connection(address.origin, options.send);
    const state = { ...base, load: () => Promise.resolve(loaded) };
    const startRun = await runs(options, { baseUrl: address.href, apiKey, send, state, loaded, stateFile });
    // Two runs at once know nothing of each other's creates: what is new would be made twice.
    const inTurn = pLimit(1);
    return {
      plan: async (content) => (await (await startRun(content)).plan(content.state)).plan,
      sync: (content, confirm) =>
        inTurn(async () => {
          const engine = await startRun(content);
          return engine.sync(
            content.state,
            confirm === undefined ? undefined : async (plan) => await confirm(plan),
          );
        }),
      close: () =>
        inTurn(async () => {
          await close();
          await base.close();
        }),
    };
  } catch (error) {
    await base.close();
    throw error;
  }
}

interface Parts {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly send: Send;
  readonly state: BaseStore;
  readonly loaded: LoadedBase;
  readonly stateFile: string;
}

/** What was handed in is the caller's to close. */
async function connection(
  origin: string,
  given: Send | undefined,
): Promise<{ readonly send: Send; readonly close: () => Promise<void> }> {
  if (given !== undefined) return { send: given, close: () => Promise.resolve() };
  const { createSend } = await import('../remote/send.ts');
  const send = createSend({ origin });
  return { send, close: () => send.close() };
}

/** What comes before each run; the engine is made by the first, because the files say what the default language is. */
async function runs(
  options: SyncOptions,
  { baseUrl, apiKey, send, state, loaded, stateFile }: Parts,
): Promise<(content: Content) => Promise<Engine>> {
  const [{ createRemote }, { createSync: createEngine }] = await Promise.all([
    import('../remote/client.ts'),
    import('../sync/create-sync.ts'),
  ]);
  let doubts: readonly string[] = [];
  let saveTrash = await trashOf({ stateFile }, { clock: realClock });
  const policy: SyncPolicy = {
    ...POLICY,
    ...options.policy,
    get doubts() {
      return doubts;
    },
  };
  const emit = options.onEvent ?? (() => undefined);
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  const engineFor = (defaultLanguage: string): Engine => {
    const { capabilities } = loaded.state;
    const shared = { emit, clock: realClock, random: realRandom, ...signal };
    const wire = { baseUrl, apiKey, send, capabilities, concurrencyMax: policy.concurrencyMax };
    const remote = createRemote({ ...shared, ...wire, defaultLanguage });
    return createEngine({
      ...shared,
      remote,
      base: state,
      policy,
      saveTrash: (...seen) => saveTrash(...seen),
    });
  };
  let made: { readonly engine: Engine; readonly defaultLanguage: string } | undefined;
  return async ({ state: desired, problems, contentDir }) => {
    if (problems.some(({ severity }) => severity === 'error')) throw new ProblemsError(problems);
    const { defaultLanguage } = desired;
    made ??= { engine: engineFor(defaultLanguage), defaultLanguage };
    if (made.defaultLanguage !== defaultLanguage) {
      throw new TypeError(
        `this sync was begun with the default language ${made.defaultLanguage}; make another for ${defaultLanguage}`,
      );
    }
    if (policy.prune) doubts = await checkoutDoubts(contentDir, realFiles);
    saveTrash = await trashOf({ stateFile }, { clock: realClock });
    return made.engine;
  };
}
