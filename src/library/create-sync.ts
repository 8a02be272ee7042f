import { resolve } from 'node:path';
import pLimit from 'p-limit';
import { realClock, realFiles, realRandom } from '../machine/machine.ts';
import type { Emit } from '../model/event.ts';
import { problemMessage, type Problem } from '../model/problem.ts';
import type { Plan } from '../plan/plan.ts';
import { CAREFUL } from '../plan/policy.ts';
import { checkApiKey, parseBaseUrl } from '../remote/address.ts';
import type { Send } from '../remote/remote.ts';
import type { Access } from '../session/access.ts';
import { checkoutDoubts } from '../session/checkout.ts';
import { checkoutBeside } from '../session/revision.ts';
import { borrowed, connect, openClient, openState, trashOf, type Session } from '../session/session.ts';
import type { Sync as Engine } from '../sync/create-sync.ts';
import type { SyncPolicy, SyncReport } from '../sync/report.ts';
import type { SaveTrash } from '../sync/run.ts';
import type { Content } from './load-content.ts';
import type { RepositoryNames } from '../model/repository.ts';
import { repositoryNames } from '../session/repository.ts';

export interface SyncOptions {
  /** Address of the knowledge base, without `/api/v2`: https, or http on loopback. */
  readonly url: string;
  readonly key: string;
  /** What the last sync left; locked until `close`. Default: `.kbsync/state.json` in the working directory. */
  readonly stateFile?: string;
  /** Whose records these are. Default: a name made from the git remote of the working directory, without a kbsync.yaml. */
  readonly repository?: RepositoryNames;
  /** What is not given is the careful choice: no deletes, conflicts and drift are reported and left alone. */
  readonly policy?: Partial<SyncPolicy>;
  /** Everything a run says while it is under way. */
  readonly onEvent?: Emit;
  /** Ends a run: what is under way is finished, the rest is left for the next one. */
  readonly signal?: AbortSignal;
  /** Another way to the service: a proxy, or the included service's own `fetch`. Default: HTTP/1.1, no redirects. */
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

const POLICY: SyncPolicy = { ...CAREFUL, stamp: true, concurrencyMax: 16 };

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
  const access = { address: parseBaseUrl(options.url), apiKey: checkApiKey(options.key) };
  const stateFile = resolve(options.stateFile ?? '.kbsync/state.json');
  const state = await openState({ stateFile, readOnly: false }, access.address);
  const { startRun, close } = runs(options, { access, stateFile, ...state });
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
        await state.base.close();
      }),
  };
}

interface Parts extends Pick<Session, 'base' | 'loaded'> {
  readonly access: Access;
  readonly stateFile: string;
}

interface Made {
  readonly engine: Engine;
  readonly defaultLanguage: string;
  readonly close: () => Promise<void>;
}

/** What comes before each run; the engine is made by the first, because the files say what the default language is. */
function runs(
  options: SyncOptions,
  { access, stateFile, base, loaded }: Parts,
): { readonly startRun: (content: Content) => Promise<Engine>; readonly close: () => Promise<void> } {
  let contentDir: string | undefined;
  let saveTrash: SaveTrash | undefined;
  const policy: SyncPolicy = { ...POLICY, ...options.policy };
  const shared = {
    emit: options.onEvent ?? (() => undefined),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  const make = async (defaultLanguage: string): Promise<Made> => {
    const machine = {
      clock: realClock,
      random: realRandom,
      connect: options.send === undefined ? connect : borrowed(options.send),
    };
    const { capabilities } = loaded.state;
    const { concurrencyMax } = policy;
    const client = { ...shared, machine, access, concurrencyMax, capabilities, defaultLanguage };
    const [{ remote, close }, { createSync: createEngine }] = await Promise.all([
      openClient(client),
      import('../sync/create-sync.ts'),
    ]);
    const repository =
      options.repository ?? (await repositoryNames({ root: resolve('.'), file: {} }, realFiles));
    const engine = createEngine({
      ...shared,
      repository,
      origin: access.address.origin,
      clock: realClock,
      random: realRandom,
      remote,
      base,
      policy,
      doubts: async () => (contentDir === undefined ? [] : await checkoutDoubts(contentDir, realFiles)),
      checkout: (known) => checkoutBeside(contentDir ?? resolve('.'), known, { env: {}, files: realFiles }),
      saveTrash: async (...seen) => saveTrash?.(...seen),
    });
    return { engine, defaultLanguage, close };
  };
  let made: Promise<Made> | undefined;
  return {
    async startRun({ state: desired, problems, contentDir: folder }) {
      if (problems.some(({ severity }) => severity === 'error')) throw new ProblemsError(problems);
      made ??= make(desired.defaultLanguage);
      const { engine, defaultLanguage } = await made;
      if (defaultLanguage !== desired.defaultLanguage) {
        throw new TypeError(
          `this sync was begun with the default language ${defaultLanguage}; make another for ${desired.defaultLanguage}`,
        );
      }
      contentDir = folder;
      saveTrash = await trashOf(stateFile, realClock);
      return engine;
    },
    close: async () => (await made)?.close(),
  };
}
