import { cpSync, existsSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { main } from '../../../src/cli/main.ts';
import type { World } from '../../../src/cli/world.ts';
import { realFiles } from '../../../src/machine/machine.ts';
import { SendError } from '../../../src/remote/http/send-error.ts';
import type { Send } from '../../../src/remote/remote.ts';
import { seededRandom } from '../../support/random.ts';
import { fileText } from './page.ts';
import type { Page } from './page.ts';
import type { Repository } from './repository.ts';
import { runProgram } from '../../../src/machine/run-program.ts';

export const ORIGIN = 'https://help.acme.test';

/** What goes wrong in one run, by the number of the request, from 1. */
export interface Trouble {
  /** The process dies at this write: before it arrives, or after it was carried out and before its answer is read. */
  readonly dies?: { readonly atWrite: number; readonly when: 'before' | 'after' };
  /** The answer to this request is lost, after it was carried out. */
  readonly loses?: number;
  /** From this request on, so many are refused at the door, or lost with their answers. */
  readonly outage?: {
    readonly from: number;
    readonly count: number;
    readonly how: 'refused' | 'cut' | '502';
  };
  /** Somebody does something just before this request arrives. */
  readonly meanwhile?: { readonly at: number; readonly act: () => void };
}

export interface Ran {
  readonly exit: number;
  /** Everything that was printed, on one line. */
  readonly said: string;
  readonly requests: number;
  readonly writes: number;
  readonly died: boolean;
}

export interface MachineClock {
  now(): number;
  advance(ms: number): void;
}

/** A checkout with its own state, and the command in it. */
export interface Machine {
  readonly name: string;
  readonly repository: Repository;
  readonly folder: string;
  run(argv: readonly string[], trouble?: Trouble): Promise<Ran>;
  /** A checkout without any memory, as CI has it. */
  forget(): Promise<void>;
}

export interface MachineOptions {
  readonly name: string;
  readonly repository: Repository;
  readonly folder: string;
  readonly key: string;
  readonly clock: MachineClock;
  readonly send: Send;
}

/** Time that one request takes. */
const REQUEST_MS = 40;

export function createMachine(options: MachineOptions): Machine {
  const { name, repository, folder, key, clock } = options;
  const random = seededRandom(7);

  let checkedOut: ReadonlyMap<string, Page> = new Map();
  const checkOut = async (): Promise<void> => {
    const pages = repository.pages();
    if (checkedOut.size === 0) {
      await mkdir(join(folder, 'content'), { recursive: true });
      await writeFile(
        join(folder, 'kbsync.yaml'),
        `id: twin-${repository.name.toLowerCase()}
baseUrl: ${ORIGIN}
concurrency: 1
${repository.settings}`,
      );
    }
    const fileOf = (place: string): string => join(folder, 'content', `${place}.md`);
    for (const place of checkedOut.keys()) if (!pages.has(place)) await rm(fileOf(place));
    for (const [place, page] of pages) {
      if (checkedOut.get(place) === page) continue;
      await mkdir(dirname(fileOf(place)), { recursive: true });
      await writeFile(fileOf(place), fileText(page));
    }
    checkedOut = pages;
  };

  return {
    name,
    repository,
    folder,
    forget: () => rm(join(folder, '.kbsync'), { recursive: true, force: true }),
    async run(argv, trouble = {}) {
      await checkOut();
      const network = faultyNetwork(options.send, clock, trouble, join(folder, '.kbsync'));
      let said = '';
      const output = { write: (text: string) => void (said += text), isTTY: false, columns: 100 };
      const world: World = {
        version: '0.0.0-test',
        cwd: folder,
        env: { KBSYNC_API_KEY: key, LC_ALL: 'C.UTF-8' },
        stdout: output,
        stderr: output,
        canAsk: false,
        clock: {
          now: () => clock.now(),
          sleep: (delayMs) => {
            clock.advance(delayMs);
            return Promise.resolve();
          },
          after: () => () => undefined,
        },
        files: realFiles,
        random,
        ask: () => Promise.resolve(''),
        onSignal: () => () => undefined,
        runProgram,
        leave: () => undefined,
        connect: () =>
          Promise.resolve(Object.assign(network.send.bind(undefined), { close: () => Promise.resolve() })),
      };
      const exit = await main(argv, world);
      network.bury();
      return { ...network.counted(), exit, said: said.replaceAll(/\s+/g, ' ').trim() };
    },
  };
}

interface FaultyNetwork {
  readonly send: Send;
  readonly counted: () => Pick<Ran, 'requests' | 'writes' | 'died'>;
  /** Leaves on the disk what was there when the process died, and nothing of what its last breath wrote. */
  readonly bury: () => void;
}

function faultyNetwork(send: Send, clock: MachineClock, trouble: Trouble, memory: string): FaultyNetwork {
  let requests = 0;
  let writes = 0;
  let died = false;
  const image = `${memory}.dead`;

  const die = (): never => {
    died = true;
    rmSync(image, { recursive: true, force: true });
    if (existsSync(memory)) cpSync(memory, image, { recursive: true });
    throw unclear('the process is dead');
  };

  const carried: Send = async (request) => {
    if (request.method !== 'GET') writes++;
    return send(request);
  };

  return {
    send: async (request) => {
      if (died) throw unclear('the process is dead');
      const number = ++requests;
      clock.advance(REQUEST_MS);
      const { dies, loses, outage, meanwhile } = trouble;
      if (meanwhile?.at === number) meanwhile.act();
      if (request.method !== 'GET' && dies?.atWrite === writes + 1) {
        if (dies.when === 'after') await carried(request);
        return die();
      }
      if (outage !== undefined && number >= outage.from && number < outage.from + outage.count) {
        if (outage.how === 'refused')
          throw new SendError('not-sent', 'connection refused', { isTimeout: false, cause: undefined });
        if (outage.how === '502') return new Response('<h1>Bad Gateway</h1>', { status: 502 });
        await carried(request);
        throw unclear('the connection was cut');
      }
      if (loses === number) {
        await carried(request);
        throw unclear('the connection was cut');
      }
      return carried(request);
    },
    counted: () => ({ requests, writes, died }),
    bury: () => {
      if (!died) return;
      rmSync(memory, { recursive: true, force: true });
      if (!existsSync(image)) return;
      cpSync(image, memory, { recursive: true });
      rmSync(image, { recursive: true, force: true });
      // The lock names this very process, which lives on; a real death leaves one that may be taken over.
      rmSync(join(memory, 'state.lock'), { force: true });
    },
  };
}

function unclear(message: string): SendError {
  return new SendError('unclear', message, { isTimeout: false, cause: undefined });
}
