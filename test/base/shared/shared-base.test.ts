import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/base/base.ts';
import { headerLine } from '../../../src/base/journal/entries.ts';
import { documentText, parseDocument } from '../../../src/base/shared/document-text.ts';
import { openSharedBase } from '../../../src/base/shared/shared-base.ts';
import type { HeldBy, SharedDocument, SharedStore } from '../../../src/base/shared/shared-store.ts';
import { stateOf } from '../support/records.ts';
import { machineHost, ORIGIN, stillClock } from '../../shared-state/support/conformance.ts';

const DEAD = machineHost('here').identity();

/** A store whose lock is held, by this; it counts what is asked of it. */
function heldStore(
  heldBy: HeldBy,
  document: SharedDocument = {},
): SharedStore & { readonly unlocked: string[]; isClosed(): boolean } {
  const unlocked: string[] = [];
  let isClosed = false;
  return {
    name: 'a store',
    unlocked,
    isClosed: () => isClosed,
    read: () => Promise.resolve(document),
    lock: () => Promise.resolve({ heldBy }),
    unlock: (id) => {
      unlocked.push(id);
      return Promise.resolve(true);
    },
    close: () => {
      isClosed = true;
      return Promise.resolve();
    },
  };
}

async function refusalOf(store: SharedStore, startTime = '1'): Promise<string> {
  const opening = openSharedBase({
    store,
    origin: ORIGIN,
    owner: { who: 'ada@laptop', command: 'kbsync sync', version: '0.0.0' },
    host: { ...machineHost('here'), startTimeOf: () => startTime },
    clock: stillClock,
  });
  const error: unknown = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof BaseError) || error.code !== 'locked')
    throw new Error(`not refused: ${String(error)}`);
  return error.message;
}

describe('a lock of another run', () => {
  test('is told with all that the store knows of it', async () => {
    const store = heldStore({
      id: 'a1',
      who: 'bo@ci',
      command: 'kbsync sync',
      commit: '1a2b3c4d5e6f7a8b',
      since: '2026-11-23T01:00:00Z',
      until: '2026-11-23T01:05:00Z',
    });
    expect(await refusalOf(store)).toBe(
      'a store: another kbsync run holds this state: bo@ci (kbsync sync, commit 1a2b3c4d5e, since 2026-11-23T01:00:00Z). ' +
        'Wait until it is done and run again. If that run is dead, its lock ends by itself at 2026-11-23T01:05:00Z. ' +
        'If you are sure that it is dead, run `kbsync state unlock a1`.',
    );
    expect([store.unlocked, store.isClosed()]).toEqual([[], true]);
  });

  test('is told where the store says nothing of it', async () => {
    expect(await refusalOf(heldStore({}))).toBe(
      'a store: another kbsync run holds this state: somebody whom the store does not name. Wait until it is done and run again.',
    );
  });

  test('is taken away where its process is proved dead, but not for ever', async () => {
    const store = heldStore({ id: 'a1', who: 'ada@here', process: DEAD });
    expect(await refusalOf(store, 'another start')).toContain('ada@here');
    expect(store.unlocked).toEqual(['a1', 'a1', 'a1']);
  });

  test.each([
    [
      'is taken away where the journal has nothing open',
      `${headerLine('j', ORIGIN)}\n`,
      3,
      'another kbsync run',
    ],
    ['stays until its end where the journal cannot be read', 'damaged', 0, 'its lock stays until 2030-01-01'],
  ])('of a dead process %s', async (_, journal, takenAway, said) => {
    const heldBy = { id: 'a1', who: 'ada@here', process: DEAD, until: '2030-01-01' };
    const store = heldStore(heldBy, { journal });
    expect(await refusalOf(store, 'another start')).toContain(said);
    expect(store.unlocked).toHaveLength(takenAway);
  });

  test('without a name stays, even if its process is dead', async () => {
    const store = heldStore({ process: DEAD });
    expect(await refusalOf(store, 'another start')).toContain('somebody whom');
    expect(store.unlocked).toEqual([]);
  });
});

describe('the text of a document', () => {
  const numbered = { serial: 7, fence: 3, document: { state: '{}\n' } };

  test('is read as it was written, whichever part is there', () => {
    for (const document of [{}, { state: '{}' }, { journal: 'a line\n' }, { state: '{}', journal: '' }]) {
      const given = { ...numbered, document };
      expect(parseDocument(documentText(given), 'a store')).toEqual(given);
    }
  });

  test.each([
    [
      'another program',
      '{"version":4,"serial":1,"resources":[]}',
      'holds something that kbsync did not write',
    ],
    ['no JSON', '<html>', 'holds something that kbsync did not write'],
    [
      'a changed body',
      documentText(numbered).replace('{}', '[]'),
      'holds a state that does not fit its checksum',
    ],
    ['no number', documentText(numbered).replace('"fence":3', '"fence":-3'), 'does not fit its checksum'],
    ['no serial', documentText(numbered).replace('"serial":7', '"serial":"7"'), 'does not fit its checksum'],
    ['no body', documentText(numbered).replace(/"body":.*/, '"body":null}'), 'does not fit its checksum'],
  ])('of %s is never taken for an empty one', (_, text, why) => {
    expect(() => parseDocument(text, 'a store')).toThrow(why);
  });

  test('of a newer format names the way out', () => {
    const text = documentText(numbered).replace('"format":1', '"format":2');
    expect(() => parseDocument(text, 'a store')).toThrow(
      'a store has format 2; this kbsync reads format 1. Use the newer kbsync that wrote it.',
    );
  });
});

test('another commit alone is written: what the next run may take back depends on it', async () => {
  const written: SharedDocument[] = [];
  const store: SharedStore = {
    ...heldStore({}),
    lock: () =>
      Promise.resolve({
        lease: {
          fence: 1,
          leaseMs: undefined,
          document: {},
          write: (document: SharedDocument) => {
            written.push(document);
            return Promise.resolve();
          },
          renew: () => Promise.resolve(),
          release: () => Promise.resolve(),
        },
      }),
  };
  const base = await openSharedBase({
    store,
    origin: ORIGIN,
    owner: { who: 'ada@laptop', command: 'kbsync sync', version: '0.0.0' },
    host: machineHost('here'),
    clock: stillClock,
  });
  await base.load();
  for (const letter of ['a', 'b', 'b'])
    await base.save(stateOf([], { origin: ORIGIN, revision: { commit: letter.repeat(40) } }));
  await base.close();
  expect(written.map(({ state = '' }) => /"commit":"(.)/.exec(state)?.[1])).toEqual(['a', 'b']);
});
