import { expect, test } from 'vitest';
import { BaseError } from '../../../src/base/base.ts';
import { entryLine, headerLine, parseJournal } from '../../../src/base/journal/entries.ts';
import { digestOfText } from '../../../src/model/digest.ts';
import { memoryBase } from '../../support/memory-base.ts';
import { intentOf, recordOf } from '../support/records.ts';

const FILE = '.kbsync/state.journal.ndjson';
const JOURNAL = `/work/${FILE}`;
const header = headerLine('0123456789abcdef', 'https://help.example.com');
const intend = entryLine(1, { do: 'intend', intent: intentOf('1', 'a') });
const end = entryLine(2, { do: 'end', op: '1', key: recordOf('a').key, record: recordOf('a') });
const gone = entryLine(3, { do: 'end', op: '1', key: recordOf('a').key, record: undefined });
const note = entryLine(5, { do: 'note', record: recordOf('b') });
const update = entryLine(4, { do: 'intend', intent: intentOf('2', 'b', 'update') });
const text = [header, intend, end, gone, update, note, ''].join('\n');
const parsed = (content: string) => parseJournal(new TextEncoder().encode(content), FILE);
const sealed = (entry: unknown) => {
  const json = JSON.stringify(entry);
  return `{"sum":"${digestOfText(json)}","entry":${json}}`;
};

function refusalOf(content: string): BaseError {
  try {
    parsed(content);
  } catch (error) {
    if (error instanceof BaseError) return error;
    throw error;
  }
  throw new Error('bug: the journal was accepted');
}

test('a journal is lines of JSON that read back as they were written', () => {
  for (const line of text.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('sum');
  expect(parsed(text)).toMatchObject({
    id: '0123456789abcdef',
    origin: 'https://help.example.com',
    isTorn: false,
    lines: [
      { seq: 1, entry: { do: 'intend', intent: intentOf('1', 'a') } },
      { seq: 2, entry: { do: 'end', op: '1', record: recordOf('a') } },
      { seq: 3, entry: { do: 'end', op: '1', record: undefined } },
      { seq: 4, entry: { do: 'intend', intent: intentOf('2', 'b', 'update') } },
      { seq: 5, entry: { do: 'note', record: recordOf('b') } },
    ],
  });
});

test('an intent to create says whether it was sent before', () => {
  for (const intent of [intentOf('1', 'a'), { ...intentOf('1', 'a'), again: true } as const]) {
    const { lines } = parsed(`${header}\n${entryLine(1, { do: 'intend', intent })}\n`);
    expect(lines.map(({ entry }) => entry)).toEqual([{ do: 'intend', intent }]);
  }
});

test('an end in the word of an earlier version is an end', () => {
  const before = sealed({ seq: 2, do: 'settle', op: '1', key: recordOf('a').key, record: null });
  const [, entry] = parsed([header, intend, before, ''].join('\n')).lines.map((line) => line.entry);
  expect(entry).toEqual({ do: 'end', op: '1', key: recordOf('a').key, record: undefined });
});

test('a last line that was cut off is left out, wherever it was cut', () => {
  const upToLast = text.length - note.length - 1;
  for (let length = upToLast + 1; length < text.length; length += 1) {
    const { lines, isTorn } = parsed(text.slice(0, length));
    expect([lines.length, isTorn]).toEqual([4, true]);
  }
  expect(parsed(`${text}${'\0'.repeat(50)}`)).toMatchObject({ isTorn: true });
});

test('a bad line anywhere else is refused, whichever bit was flipped', () => {
  const bytes = new TextEncoder().encode(text.slice(0, -1 - note.length));
  const codes = new Set<string>();
  for (let bit = 0; bit < (bytes.length - 1) * 8; bit += 1) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    try {
      parseJournal(Buffer.concat([flipped, Buffer.from(`${note}\n`)]), FILE);
      codes.add(`bit ${bit} was accepted`);
    } catch (error) {
      codes.add(error instanceof BaseError ? error.code : String(error));
    }
  }
  expect([...codes]).toEqual(['damaged']);
});

const entry = (fields: object) => `${header}\n${sealed({ seq: 1, ...fields })}\n`;
const intent = intentOf('1', 'a');

test.each([
  ['empty', '', 'it has no complete line'],
  ['half a header', header.slice(0, 40), 'it has no complete line'],
  ['another file', 'hello\n', 'its first line is not the header of a kbsync journal'],
  ['another header', `${sealed({ kbsync: 'state' })}\n`, 'its first line is not the header'],
  ['a header without id', `${sealed({ kbsync: 'journal', format: 1 })}\n`, 'its header is'],
  [
    'a header of format 0',
    `${sealed({ kbsync: 'journal', format: 0, id: 'x', origin: 'y' })}\n`,
    'its header is',
  ],
  ['a line that is no object', `${header}\n${sealed([1])}\n`, 'line 2 does not fit its checksum'],
  ['an empty line', `${header}\n\n${note}\n`, 'line 2 does not fit its checksum'],
  ['a number twice', `${header}\n${note}\n${note}\n`, 'line 3 has number 5 after 5'],
  ['no number', `${header}\n${sealed({ do: 'note' })}\n`, 'line 2 has number missing after 0'],
  ['an unknown entry', entry({ do: 'undo' }), 'line 2: "undo" is not an entry'],
  ['a note of nothing', entry({ do: 'note' }), 'line 2: a record is not an object'],
  [
    'an end without key',
    entry({ do: 'end', op: '1', record: null }),
    'line 2: op "1" or key missing is wrong',
  ],
  ['an end without op', entry({ do: 'end', key: 'tag/a@en', record: null }), 'line 2: op missing or key'],
  [
    'an end with a bad record',
    entry({ do: 'end', op: '1', key: 'tag/a@en', record: {} }),
    'line 2: key missing is not',
  ],
  ['an intent that is text', entry({ do: 'intend', intent: 'x' }), 'line 2: an intent is not an object'],
  [
    'an intent without key',
    entry({ do: 'intend', intent: { ...intent, key: 'a' } }),
    'line 2: op "1" or key "a" is wrong',
  ],
  ['an intent without op', entry({ do: 'intend', intent: { ...intent, op: 1 } }), 'line 2: op 1 or key'],
  [
    'an intent to undo',
    entry({ do: 'intend', intent: { ...intent, action: 'undo' } }),
    'line 2: action is "undo"',
  ],
  [
    'an update of nothing',
    entry({ do: 'intend', intent: { ...intent, action: 'update' } }),
    'line 2: fields missing are not an object',
  ],
  [
    'an update without meanings',
    entry({ do: 'intend', intent: { ...intent, action: 'update', sent: {} } }),
    'line 2: fields missing are not an object',
  ],
  ['an intent with a wrong id', entry({ do: 'intend', intent: { ...intent, id: 1 } }), 'line 2: id is 1'],
  [
    'an intent without name',
    entry({ do: 'intend', intent: { ...intent, name: 1 } }),
    'line 2: name 1, slug "a"',
  ],
  [
    'an intent without slug',
    entry({ do: 'intend', intent: { ...intent, slug: 1 } }),
    'line 2: name "a", slug 1',
  ],
  [
    'an intent without time',
    entry({ do: 'intend', intent: { ...intent, atMs: '1' } }),
    'or atMs "1" is wrong',
  ],
])('a journal (%s) is refused and says why', (_, content, why) => {
  const { code, message } = refusalOf(content);
  expect(code).toBe('damaged');
  expect(message).toContain(`${FILE} is damaged: `);
  expect(message).toContain(why);
});

test('a journal of a newer format is refused', () => {
  expect(refusalOf(`${sealed({ kbsync: 'journal', format: 2 })}\n`)).toMatchObject({ code: 'newer-format' });
});

test('a damaged journal stops the load and says what to do with it', async () => {
  const base = memoryBase();
  base.disk.put(JOURNAL, 'x\n');
  const store = await base.open();
  await expect(store.load()).rejects.toThrow(
    /Move it away and keep it: the next run then looks for those records/,
  );
  base.disk.put(JOURNAL, `${sealed({ kbsync: 'journal', format: 2 })}\n`);
  await expect(store.load()).rejects.toThrow(/Use the newer kbsync that wrote it\.$/);
});

test('intents that are said at once share one fsync', async () => {
  const base = memoryBase();
  const store = await base.open();
  await store.load();
  await store.journal.intend(intentOf('0', 'first'));
  const before = base.disk.steps();
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => store.journal.intend(intentOf(`op-${index}`, `a${index}`))),
  );
  expect(base.disk.steps() - before).toBeLessThanOrEqual(2); // one write, one fsync
  base.cutPower();
  expect((await (await base.open()).load()).open).toHaveLength(51);
});

test('an end and a note cost a write and no fsync', async () => {
  const base = memoryBase();
  const store = await base.open();
  await store.load();
  await store.journal.intend(intentOf('1', 'a'));
  const before = base.disk.steps();
  await store.journal.end('1', recordOf('a'));
  await store.journal.note(recordOf('b'));
  expect(base.disk.steps() - before).toBe(2);
});

test('a note that must last is there after a power cut, with all that was said before it', async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const base = memoryBase(seed);
    const store = await base.open();
    await store.load();
    await store.journal.intend(intentOf('1', 'x'));
    await store.journal.note(recordOf('a'));
    await store.journal.note(recordOf('b'), 'durable');
    await store.journal.note(recordOf('c'));
    base.cutPower();
    const { state } = await (await base.open()).load();
    expect([...state.records.keys()].slice(0, 2)).toEqual(['article/a@en', 'article/b@en']);
  }
});

test('after a write that failed nothing is promised any more, and what was promised before holds', async () => {
  for (const [at, code] of [
    [1, 'ENOSPC'],
    [2, 'EIO'],
  ] as const) {
    const base = memoryBase(at);
    const store = await base.open();
    await store.load();
    await store.journal.intend(intentOf('1', 'a'));
    base.disk.failAtStep(base.disk.steps() + at, code, 1);
    await expect(store.journal.intend(intentOf('2', 'b'))).rejects.toMatchObject({ code: 'not-writable' });
    await expect(store.journal.intend(intentOf('3', 'c'))).rejects.toThrow(code);
    await expect(store.journal.end('1', recordOf('a'))).rejects.toThrow(code);
    await store.close();
    base.cutPower();
    const { open } = await (await base.open()).load();
    expect(open.map(({ op }) => op).filter((op) => op !== '2')).toEqual(['1']);
  }
});

test('a close that cannot sync still gives the lock back', async () => {
  const base = memoryBase();
  const store = await base.open();
  await store.load();
  await store.journal.intend(intentOf('1', 'a'));
  await store.journal.note(recordOf('a'));
  base.disk.failAtStep(base.disk.steps() + 1, 'EIO', 1);
  await expect(store.close()).rejects.toMatchObject({ code: 'not-writable' });
  expect(base.disk.names()).not.toContain('/work/.kbsync/state.lock');
});

test('a write goes on after a torn last line without joining it', async () => {
  const base = memoryBase();
  base.disk.put(JOURNAL, `${text}${note.slice(0, 30)}`);
  const store = await base.open();
  await store.load();
  await store.journal.note(recordOf('c'));
  await store.journal.note(recordOf('d'));
  await store.close();
  const { state } = await (await base.open({ readOnly: true })).load();
  expect([...state.records.keys()]).toEqual(['article/b@en', 'article/c@en', 'article/d@en']);
});
