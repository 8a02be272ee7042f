import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BaseError } from '../../src/base/base.ts';
import type { BaseStore } from '../../src/base/base.ts';
import { parseJournal } from '../../src/base/journal/entries.ts';
import { openBase } from '../../src/base/store.ts';
import type { BaseState } from '../../src/model/record.ts';
import { MEMORY_ORIGIN, memoryBase } from '../support/memory-base.ts';
import type { MemoryBase } from '../support/memory-base.ts';
import { intentOf, recordOf, stateOf } from './support/records.ts';

const DIRECTORY = '/work/.kbsync';
const JOURNAL = `${DIRECTORY}/state.journal.ndjson`;
const PREVIOUS = `${DIRECTORY}/state.prev.json`;

async function errorOf(work: Promise<unknown>): Promise<BaseError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof BaseError) return error;
    throw error;
  }
  throw new Error('bug: nothing was thrown');
}

async function whole(base: MemoryBase, work: (store: BaseStore) => Promise<void>): Promise<void> {
  const store = await base.open();
  await store.load();
  await work(store);
  await store.close();
}

async function loaded(base: MemoryBase, readOnly = true) {
  const store = await base.open({ readOnly });
  const found = await store.load();
  await store.close();
  return found;
}

describe('on a real disk', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kbsync-base-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const open = (readOnly = false, name = 'state.json') =>
    openBase({ file: join(folder, '.kbsync', name), origin: MEMORY_ORIGIN, readOnly });

  test('a state comes back as it was saved, with its serial one higher, readable by the owner only', async () => {
    const store = await open();
    expect(await store.load()).toEqual({ state: stateOf([]), open: [], isNew: true });
    await store.journal.intend(intentOf('1', 'a'));
    await store.journal.end('1', recordOf('a'));
    await store.save(stateOf([recordOf('a'), recordOf('b')]));
    await store.close();
    await store.close();
    const again = await open(true);
    const found = await again.load();
    expect(found).toMatchObject({ open: [], isNew: false, state: { serial: 1 } });
    expect([...found.state.records.values()]).toEqual([recordOf('a'), recordOf('b')]);
    expect(await readdir(join(folder, '.kbsync'))).toEqual(['.gitignore', 'state.json']);
    expect((await stat(join(folder, '.kbsync/state.json'))).mode & 0o777).toBe(0o600);
  });

  test('a first run that was killed before it saved finds its creates in the journal', async () => {
    const store = await open();
    await store.load();
    await store.journal.intend(intentOf('1', 'a'));
    await store.journal.end('1', recordOf('a'));
    await store.journal.intend(intentOf('2', 'b'));
    const reader = await open(true);
    const found = await reader.load();
    expect(found.isNew).toBe(false);
    expect([...found.state.records.keys()]).toEqual(['article/a@en']);
    expect(found.open).toEqual([intentOf('2', 'b')]);
    await store.close();
  });

  test('reading only makes no folder and no file', async () => {
    const store = await open(true);
    expect((await store.load()).isNew).toBe(true);
    await store.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test('git ignores everything in the folder but the states', async () => {
    await (await open()).close();
    expect(await readFile(join(folder, '.kbsync/.gitignore'), 'utf8')).toContain(
      '*\n!.gitignore\n!state.json\n',
    );
    await writeFile(join(folder, '.kbsync/.gitignore'), '# mine\n');
    await (await open()).close();
    expect(await readFile(join(folder, '.kbsync/.gitignore'), 'utf8')).toBe('# mine\n');
  });

  test('a folder of another name is left without a .gitignore', async () => {
    const store = await openBase({ file: join(folder, 'sync.json'), origin: MEMORY_ORIGIN, readOnly: false });
    await store.load();
    await store.save(stateOf([]));
    await store.close();
    expect(await readdir(folder)).toEqual(['sync.json']);
  });

  test('states beside each other have locks, journals and generations of their own', async () => {
    const production = await open();
    const staging = await open(false, 'state.staging.json');
    for (const store of [production, staging]) {
      await store.load();
      await store.journal.intend(intentOf('1', 'a'));
    }
    expect(await readdir(join(folder, '.kbsync'))).toEqual([
      '.gitignore',
      'state.journal.ndjson',
      'state.lock',
      'state.staging.journal.ndjson',
      'state.staging.lock',
    ]);
    await production.close();
    await staging.close();
  });

  test('a folder that cannot be made is named, with what is in its way', async () => {
    await writeFile(join(folder, '.kbsync'), 'a file');
    const { code, message } = await errorOf(open());
    expect(code).toBe('not-writable');
    expect(message).toContain(join(folder, '.kbsync'));
    expect(message).toContain('EEXIST');
    expect(message).toContain('a file has the name of a folder that is needed');
  });

  test('a state that is a folder cannot be read, and says so', async () => {
    const store = await openBase({ file: folder, origin: MEMORY_ORIGIN, readOnly: true });
    const { code, message } = await errorOf(store.load());
    expect(code).toBe('not-readable');
    expect(message).toContain('EISDIR');
  });
});

describe('a save', () => {
  test('keeps the generation before', async () => {
    const base = memoryBase();
    await whole(base, (store) => store.save(stateOf([recordOf('a')])));
    const first = base.disk.text(base.file);
    await whole(base, (store) => store.save(stateOf([recordOf('a', 2)])));
    expect(base.disk.text(PREVIOUS)).toBe(first);
    expect((await loaded(base)).state.serial).toBe(2);
  });

  test('writes nothing when nothing is new', async () => {
    const base = memoryBase();
    await whole(base, (store) => store.save(stateOf([recordOf('a')])));
    const before = base.disk.text(base.file);
    await whole(base, async (store) => {
      const steps = base.disk.steps();
      await store.save(stateOf([recordOf('a')]));
      expect(base.disk.steps()).toBe(steps);
    });
    expect(base.disk.text(base.file)).toBe(before);
  });

  test('writes what was pulled, though no record is new', async () => {
    const base = memoryBase();
    await whole(base, (store) => store.save(stateOf([recordOf('a')])));
    const store = await base.open();
    const { state } = await store.load();
    await store.save({ ...state, pulled: [recordOf('b')] });
    await store.close();
    expect((await loaded(base)).state.pulled).toEqual([recordOf('b')]);
  });

  test('keeps an intent without an end open, however many saves follow', async () => {
    const base = memoryBase();
    await whole(base, async (store) => {
      await store.journal.intend(intentOf('1', 'a'));
      await store.save(stateOf([]));
    });
    await whole(base, (store) => store.save(stateOf([recordOf('b')])));
    expect((await loaded(base)).open).toEqual([intentOf('1', 'a')]);
    await whole(base, async (store) => {
      await store.journal.end('1', recordOf('a'));
      await store.save(stateOf([recordOf('a'), recordOf('b')]));
    });
    expect(await loaded(base)).toMatchObject({ open: [], state: { serial: 3 } });
    expect(base.disk.names()).not.toContain(JOURNAL);
  });

  test('that fails leaves the old generation and the journal as they were', async () => {
    for (const code of [
      'ENOSPC',
      'EIO',
      'EROFS',
      'EACCES',
      'EDQUOT',
      'EPERM',
      'EMFILE',
      'ENOENT',
      'ENOTDIR',
      'EWEIRD',
    ]) {
      for (let at = 1; at <= 9; at += 1) {
        const base = memoryBase(at);
        await whole(base, (store) => store.save(stateOf([recordOf('a')])));
        const store = await base.open();
        await store.load();
        await store.journal.intend(intentOf('1', 'b'));
        await store.journal.end('1', recordOf('b'));
        base.disk.failAtStep(base.disk.steps() + at, code);
        const { message } = await errorOf(store.save(stateOf([recordOf('a'), recordOf('b')])));
        expect(message).toContain(`(${code})`);
        const { state, open } = await loaded(base);
        expect([...state.records.keys()]).toEqual(['article/a@en', 'article/b@en']);
        expect(open).toEqual([]);
      }
    }
  });

  test('that failed can be tried again, and succeeds once the disk does', async () => {
    for (let at = 1; at <= 12; at += 1) {
      const base = memoryBase(at);
      await whole(base, (store) => store.save(stateOf([recordOf('a')])));
      await whole(base, async (store) => {
        await store.journal.note(recordOf('b'));
        base.disk.failAtStep(base.disk.steps() + at, 'ENOSPC', 1);
        await store.save(stateOf([recordOf('a'), recordOf('b')])).catch(() => undefined);
        base.disk.failAtStep(Number.POSITIVE_INFINITY, '');
        await store.journal.note(recordOf('c')).catch(() => undefined);
        await store.save(stateOf([recordOf('a'), recordOf('b'), recordOf('c')]));
        await store.journal.intend(intentOf('1', 'd'));
      });
      const { state, open } = await loaded(base);
      expect([...state.records.keys()]).toEqual(['article/a@en', 'article/b@en', 'article/c@en']);
      expect(open).toEqual([intentOf('1', 'd')]);
    }
  });

  test.each([
    ['replaced', 'somebody wrote this'],
    ['deleted', undefined],
  ])('is refused when the state was %s during the run', async (what, content) => {
    const base = memoryBase();
    await whole(base, (store) => store.save(stateOf([recordOf('a')])));
    const store = await base.open();
    await store.load();
    await store.journal.note(recordOf('b'));
    base.disk.put(base.file, content);
    const { code, message } = await errorOf(store.save(stateOf([recordOf('b')])));
    expect(code).toBe('changed');
    expect(message).toContain(`${base.file} was ${what} while this run was under way`);
    expect(base.disk.text(base.file)).toBe(content);
    await store.close();
    expect(base.disk.text(JOURNAL)).toContain('article/b@en');
  });

  test('is refused when the lock was taken away, and so is an intent', async () => {
    const base = memoryBase();
    const store = await base.open();
    await store.load();
    base.disk.put(`${DIRECTORY}/state.lock`, undefined);
    expect((await errorOf(store.save(stateOf([recordOf('a')])))).message).toContain(
      'state.lock is gone: somebody removed',
    );
    const other = await base.open();
    const { code, message } = await errorOf(store.journal.intend(intentOf('1', 'a')));
    expect(code).toBe('locked');
    expect(message).toContain('now belongs to pid 102 on memory');
    await store.close();
    expect(base.disk.names()).toContain(`${DIRECTORY}/state.lock`);
    await other.close();
    expect(base.disk.names()).not.toContain(`${DIRECTORY}/state.lock`);
  });
});

describe('a load', () => {
  test('joins a journal to a state that somebody else saved meanwhile', async () => {
    const base = memoryBase();
    const other = memoryBase(2);
    await whole(other, (store) => store.save(stateOf([recordOf('theirs')])));
    await whole(base, async (store) => {
      await store.journal.intend(intentOf('1', 'ours'));
      await store.journal.end('1', recordOf('ours'));
    });
    base.disk.put(base.file, other.disk.text(other.file));
    expect([...(await loaded(base)).state.records.keys()]).toEqual(['article/theirs@en', 'article/ours@en']);
  });

  test('gives the same however often it is done', async () => {
    const base = memoryBase();
    await whole(base, async (store) => {
      await store.save(stateOf([recordOf('a')]));
      await store.journal.intend(intentOf('1', 'a', 'delete'));
      await store.journal.end('1', undefined);
      await store.journal.note(recordOf('b'));
      await store.journal.intend({ ...intentOf('2', 'b', 'delete'), id: 'id-b' });
    });
    const once = await loaded(base);
    expect([...once.state.records.keys()]).toEqual(['article/b@en']);
    expect(once.open).toEqual([{ ...intentOf('2', 'b', 'delete'), id: 'id-b' }]);
    expect(await loaded(base, false)).toEqual(once);
    expect(await loaded(base)).toEqual(once);
  });

  test('passes over a journal that the state contains already', async () => {
    const base = memoryBase();
    const store = await base.open();
    await store.load();
    await store.journal.note(recordOf('a'));
    const journal = base.disk.text(JOURNAL);
    await store.save(stateOf([recordOf('a', 2)]));
    await store.close();
    base.disk.put(JOURNAL, journal);
    expect((await loaded(base)).state.records.get(recordOf('a').key)).toEqual(recordOf('a', 2));
    await whole(base, (next) => next.journal.note(recordOf('a', 3)));
    expect((await loaded(base)).state.records.get(recordOf('a').key)).toEqual(recordOf('a', 3));
  });

  test('refuses a state and a journal of another knowledge base', async () => {
    const base = memoryBase();
    await whole(base, async (store) => {
      await store.save(stateOf([recordOf('a')]));
      await store.journal.note(recordOf('b'));
    });
    const elsewhere = { readOnly: true, origin: 'https://other.example.com' };
    const first = await errorOf((await base.open(elsewhere)).load());
    expect(first.code).toBe('other-origin');
    expect(first.message).toContain(
      `${base.file} belongs to https://help.example.com; this run is for https://other.example.com`,
    );
    base.disk.put(base.file, undefined);
    const second = await errorOf((await base.open(elsewhere)).load());
    expect(second.message).toContain(`${JOURNAL} belongs to https://help.example.com`);
  });

  test.each<readonly [string, string | undefined, string]>([
    ['whole', 'keep', `${PREVIOUS} is whole (serial 1, 1 records): copy it over ${DIRECTORY}/state.json`],
    [
      'missing',
      undefined,
      `Put a good copy back (git checkout -- ${DIRECTORY}/state.json, if you commit it)`,
    ],
    ['damaged too', 'x', `${PREVIOUS} cannot be used either`],
  ])('of an emptied state is refused; the generation before is %s', async (_, previous, advice) => {
    const base = memoryBase();
    await whole(base, (store) => store.save(stateOf([recordOf('a')])));
    await whole(base, (store) => store.save(stateOf([recordOf('b')])));
    base.disk.put(base.file, '');
    if (previous !== 'keep') base.disk.put(PREVIOUS, previous);
    const store = await base.open();
    const { code, message } = await errorOf(store.load());
    expect(code).toBe('damaged');
    expect(message).toContain(
      'it is empty (0 bytes), and a state never is. kbsync does not treat it as empty.',
    );
    expect(message).toContain(advice);
    expect(message).toContain(`Or delete ${base.file}: the next run recognises its records by the comments`);
    await store.close();
    base.disk.put(base.file, undefined);
    expect((await loaded(base)).isNew).toBe(true);
  });

  test('of a newer state is refused without advice to delete it', async () => {
    const base = memoryBase();
    await whole(base, (store) => store.save(stateOf([])));
    base.disk.put(base.file, (base.disk.text(base.file) ?? '').replace('"format":1', '"format":9'));
    const { code, message } = await errorOf((await base.open({ readOnly: true })).load());
    expect(code).toBe('newer-format');
    expect(message).not.toContain('delete');
  });
});

describe('wrong use is a bug', () => {
  test.each<readonly [string, (store: BaseStore) => Promise<unknown>, string]>([
    [
      'a save before the load',
      (store) => store.save(stateOf([])),
      'bug: the base is used before it is loaded',
    ],
    ['an intent before the load', (store) => store.journal.intend(intentOf('1', 'a')), 'before it is loaded'],
    ['a note before the load', (store) => store.journal.note(recordOf('a')), 'before it is loaded'],
    ['an end before the load', (store) => store.journal.end('1', undefined), 'before it is loaded'],
    ['two loads', async (store) => [await store.load(), await store.load()], 'bug: the base is loaded twice'],
    [
      'a state of another knowledge base',
      async (store) => [await store.load(), await store.save(stateOf([], { origin: 'https://x' }))],
      'bug: a state of https://x is saved as https://help.example.com',
    ],
    [
      'an operation intended twice',
      async (store) => {
        await store.load();
        await store.journal.intend(intentOf('1', 'a'));
        await store.journal.intend(intentOf('1', 'b'));
      },
      'bug: operation 1 is intended twice',
    ],
    [
      'an end without an intent',
      async (store) => [await store.load(), await store.journal.end('9', undefined)],
      'bug: operation 9 is ended and was never intended',
    ],
    [
      'an end with the record of another key',
      async (store) => {
        await store.load();
        await store.journal.intend(intentOf('1', 'a'));
        await store.journal.end('1', recordOf('b'));
      },
      'bug: operation 1 is for article/a@en and is ended with article/b@en',
    ],
    [
      'a note after the close',
      async (store) => {
        await store.load();
        await store.close();
        await store.journal.note(recordOf('a'));
      },
      'bug: the journal is closed',
    ],
  ])('%s', async (_, use, message) => {
    const store = await memoryBase().open();
    await expect(use(store)).rejects.toThrow(message);
  });

  test('any write through a base opened for reading', async () => {
    const store = await memoryBase().open({ readOnly: true });
    const writes = [
      () => store.save(stateOf([])),
      () => store.journal.intend(intentOf('1', 'a')),
      () => store.journal.end('1', undefined),
      () => store.journal.note(recordOf('a')),
    ];
    for (const write of writes) {
      await expect(write()).rejects.toThrow('bug: the base was opened for reading only');
    }
  });
});

/** What the journal's file must hold after a save: everything since the save began, and the intents that had no end then. */
function leftAfter(
  lines: readonly { readonly op: string; readonly isEnd: boolean; readonly after: boolean }[],
): readonly string[] {
  const ended = new Set(lines.flatMap(({ op, isEnd, after }) => (isEnd && !after ? [op] : [])));
  return lines.flatMap(({ op, isEnd, after }) =>
    after || (!isEnd && !ended.has(op)) ? [`${isEnd ? 'end' : 'intend'} ${op}`] : [],
  );
}

test('a save leaves in the journal what was not ended when it began, and all that came since', async () => {
  const base = memoryBase();
  const store = await base.open();
  await store.load();
  const lines: { op: string; isEnd: boolean; after: boolean }[] = [];
  const intend = (op: string, after = false) => {
    lines.push({ op, isEnd: false, after });
    return store.journal.intend(intentOf(op, `r${op}`));
  };
  const end = (op: string, after = false) => {
    lines.push({ op, isEnd: true, after });
    return store.journal.end(op, recordOf(`r${op}`));
  };
  for (const round of ['1', '2', '3']) {
    for (const op of ['a', 'b', 'c', 'd']) await intend(`${round}${op}`);
    await end(`${round}a`);
    // Ends that are still waiting to be written when the save begins, and others that come while it is under way.
    const waiting = end(`${round}b`);
    const saving = store.save(stateOf([recordOf(`r${round}`)]));
    const late = [end(`${round}c`, true), intend(`${round}e`, true), end(`${round}e`, true)];
    await Promise.all([waiting, saving, ...late]);
    const left = leftAfter(lines);
    const bytes = (await base.disk.read(JOURNAL)) ?? new Uint8Array();
    const found = parseJournal(bytes, JOURNAL).lines.map(({ entry }) =>
      entry.do === 'note' ? 'note' : `${entry.do} ${entry.do === 'end' ? entry.op : entry.intent.op}`,
    );
    expect(found.toSorted()).toEqual(left.toSorted());
    for (const line of lines) line.after = false;
    lines.splice(
      0,
      lines.length,
      ...lines.filter(({ op, isEnd }) => left.includes(`${isEnd ? 'end' : 'intend'} ${op}`)),
    );
  }
  await store.close();
});

describe('the commit that a state is of', () => {
  const of = (letter: string) => ({ revision: { commit: letter.repeat(40), branch: 'main', atMs: 1000 } });
  const commits = async (base: MemoryBase, ...states: readonly BaseState[]): Promise<readonly string[]> => {
    const seen: string[] = [];
    for (const state of states) {
      await whole(base, (store) => store.save(state));
      seen.push((await loaded(base)).state.revision?.commit.charAt(0) ?? '-');
    }
    return seen;
  };

  test('goes into a file with something else, and never alone: a file that is committed would change with each commit', async () => {
    const [one, two] = [[recordOf('a')], [recordOf('a'), recordOf('b')]];
    expect(
      await commits(
        memoryBase(),
        stateOf(one),
        stateOf(one, of('a')),
        stateOf(two, of('a')),
        stateOf(two, of('b')),
        stateOf(two),
        stateOf(one, of('b')),
        stateOf(two),
      ),
    ).toEqual(['-', '-', 'a', 'a', 'a', 'b', '-']);
  });
});

test('two saves of the same moment keep what ends while the second is under way', async () => {
  const base = memoryBase();
  const store = await base.open();
  await store.load();
  await store.journal.intend(intentOf('a', 'ra'));
  const first = store.save(stateOf([]));
  const second = store.save(stateOf([]));
  await first;
  const ended = store.journal.end('a', recordOf('ra'));
  await Promise.all([second, ended]);
  await store.close();
  const { state, open } = await loaded(base);
  expect([[...state.records.keys()], open]).toEqual([[recordOf('ra').key], []]);
});
