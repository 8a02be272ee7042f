import { BaseError } from '../base.ts';
import type { BaseStore } from '../base.ts';
import { parseJournal } from '../journal/entries.ts';
import { openIntents } from '../journal/journal.ts';
import type { LineFile } from '../journal/line-file.ts';
import { markOf, parsedFiles } from '../load.ts';
import type { LoadedFiles, StateNames } from '../load.ts';
import { isProvablyDead } from '../lock.ts';
import type { ProcessHost } from '../lock.ts';
import type { StatePlace } from '../place.ts';
import { parseState } from '../state/state-text.ts';
import { readOnlyBase, writableBase } from '../store.ts';
import { holdLease, instantOf } from './held-lease.ts';
import type { Instant, LeaseClock } from './held-lease.ts';
import type { HeldBy, Lease, LockOwner, SharedDocument, SharedStore } from './shared-store.ts';

export interface SharedBaseOptions {
  readonly store: SharedStore;
  /** The knowledge base's `https://host[:port]`. */
  readonly origin: string;
  readonly owner: Omit<LockOwner, 'id' | 'since' | 'process'>;
  readonly host: ProcessHost;
  readonly clock: LeaseClock;
}

const TAKEOVERS_MAX = 3;

/** A base that is only looked at, without a lock. */
export function openSharedForReading(store: SharedStore, origin: string): BaseStore {
  const read = async (): Promise<LoadedFiles> => filesOf(await store.read(), store.name, origin);
  return { ...readOnlyBase(read, origin), close: () => store.close() };
}

/**
 * Takes the lock of a store that machines share, and opens the base in it. The store is closed with the base.
 *
 * @throws BaseError `locked` when another run holds it, `not-readable` when the store cannot be reached
 */
export async function openSharedBase(options: SharedBaseOptions): Promise<BaseStore> {
  const { store, origin, host, clock } = options;
  const asked = instantOf(clock);
  try {
    const lease = await takeLease(options);
    return writableBase({ place: sharedPlace(lease, asked, options), origin, journalId: host.nonce() });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The lock, if nobody who may be alive holds it. @throws BaseError `locked`, naming the holder, and what to do */
export async function takeLease({
  store,
  owner,
  host,
}: Omit<SharedBaseOptions, 'origin' | 'clock'>): Promise<Lease> {
  const process = host.identity();
  for (let attempt = 0; ; attempt += 1) {
    const id = `${host.nonce()}${host.nonce()}`;
    const since = new Date(host.nowMs()).toISOString();
    const answer = await store.lock({ ...owner, id, since, process });
    if ('lease' in answer) return answer.lease;
    const { heldBy } = answer;
    const isDead = heldBy.process !== undefined && isProvablyDead(heldBy.process, process, host.startTimeOf);
    if (heldBy.id === undefined || !isDead || attempt === TAKEOVERS_MAX) throw lockedBy(store.name, heldBy);
    // Its process is dead; what it sent is not.
    if (heldBy.until !== undefined && (await hasOpenIntents(store)))
      throw endedBy(store.name, heldBy.until, heldBy);
    await store.unlock(heldBy.id);
  }
}

/** `ada@laptop (kbsync sync, commit 1a2b3c4, since 2026-11-23T01:00:00Z)` */
function holderText({ who, command, commit, since }: HeldBy): string {
  const more = [
    ...(command === undefined ? [] : [command]),
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 10)}`]),
    ...(since === undefined ? [] : [`since ${since}`]),
  ];
  return `${who ?? 'somebody whom the store does not name'}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

function lockedBy(name: string, heldBy: HeldBy): BaseError {
  const until =
    heldBy.until === undefined ? '' : ` If that run is dead, its lock ends by itself at ${heldBy.until}.`;
  const unlock =
    heldBy.id === undefined
      ? ''
      : ` If you are sure that it is dead, run \`kbsync state unlock ${heldBy.id}\`.`;
  return new BaseError(
    'locked',
    `${name}: another kbsync run holds this state: ${holderText(heldBy)}. Wait until it is done and run again.${until}${unlock}`,
  );
}

function endedBy(name: string, until: string, heldBy: HeldBy): BaseError {
  return new BaseError(
    'locked',
    `${name}: a kbsync run on this machine ended while a write to the knowledge base had no answer: ${holderText(heldBy)}. ` +
      `That write may still be carried out, so its lock stays until ${until}. Run again then.`,
  );
}

/** Whether the journal names writes whose outcome nobody knows; so it is, as far as we know, if it cannot be read. */
async function hasOpenIntents(store: SharedStore): Promise<boolean> {
  const { state, journal } = await store.read();
  if (journal === undefined) return false;
  try {
    const lines = parseJournal(Buffer.from(journal), store.name);
    const known = state === undefined ? undefined : parseState(Buffer.from(state), store.name);
    return openIntents(lines.lines, markOf(known, lines)).size > 0;
  } catch {
    return true;
  }
}

function filesOf(document: SharedDocument, name: string, origin: string): Promise<LoadedFiles> {
  return parsedFiles(
    { stateBytes: bytesOf(document.state), journalBytes: bytesOf(document.journal) },
    namesOf(name, document),
    origin,
  );
}

function namesOf(name: string, { previous }: SharedDocument): StateNames {
  const older =
    previous === undefined
      ? 'Put a good copy there with `kbsync state push FILE`.'
      : 'The state before it is kept beside it: `kbsync state pull --previous > FILE`, then `kbsync state push FILE`.';
  return {
    state: `the state in ${name}`,
    journal: `the journal in ${name}`,
    wayOut: {
      state: () => Promise.resolve(older),
      other: 'another `state:` in kbsync.yaml, or an environment there',
    },
  };
}

function bytesOf(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text);
}

/**
 * State and journal in one document. Lines that need not last wait for the next write; every other change is a write of
 * its own, in the order of the calls.
 */
function sharedPlace(lease: Lease, asked: Instant, { store, clock }: SharedBaseOptions): StatePlace {
  const { name } = store;
  const held = holdLease(lease, asked, { name, clock });
  let document = lease.document;
  let isDirty = false;

  const write = async (): Promise<void> => {
    const sent = document;
    await lease.write(sent);
    if (document === sent) isDirty = false;
  };

  const stopRenewing =
    lease.leaseMs === undefined
      ? () => undefined
      : clock.every(lease.leaseMs / 5, () => {
          held.inTurn(() => (isDirty ? write() : lease.renew())).catch(() => undefined);
        });

  const journal = (header: string): LineFile => {
    let kept = document.journal ?? '';
    const change = (text: string | undefined): void => {
      const { journal: _, ...rest } = document;
      document = text === undefined ? rest : { ...rest, journal: text };
      kept = text ?? '';
      isDirty = true;
    };
    return {
      start: async (lines) => {
        change([header, ...lines, ''].join('\n'));
        await held.inTurn(write);
      },
      append: async (lines, mustLast) => {
        change(`${kept}${lines.join('\n')}\n`);
        if (!mustLast) return;
        await held.inTurn(write);
        // The answer may have come late.
        held.assertMayWrite();
      },
      remove: async () => {
        change(undefined);
        await held.inTurn(write);
      },
      close: async () => {
        // Also after a renewal that failed, of which nobody heard.
        if (isDirty) await held.inTurn(write);
      },
    };
  };

  return {
    journalName: `the journal in ${name}`,
    load: (origin) => filesOf(document, name, origin),
    // The store itself refuses the write of whoever does not hold the lock.
    assertHeld: () => Promise.resolve(),
    assertState: () => Promise.resolve(),
    replaceState: async (next, before) => {
      const previous = before === undefined ? {} : { previous: Buffer.from(before).toString('utf8') };
      document = { ...document, ...previous, state: Buffer.from(next).toString('utf8') };
      await held.inTurn(write);
    },
    journal,
    keepsEachRevision: true,
    guard: held.guard,
    release: async (hasOpen) => {
      stopRenewing();
      await held.end();
      try {
        // The next run would look for its record before it is made, and make it again.
        if (!hasOpen || !held.mayArrive()) await lease.release();
      } finally {
        await store.close();
      }
    },
  };
}
