import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BaseError } from '../../../src/base/base.ts';
import { parseState, stateText, writtenState } from '../../../src/base/state/state-text.ts';
import type { StateFile } from '../../../src/base/state/state-text.ts';
import { digestOfText } from '../../../src/model/digest.ts';
import { ALL_REWRITINGS } from '../../../src/model/html/rewritings.ts';
import { familyFrom, KINDS, keyOf } from '../../../src/model/key.ts';
import type { Key } from '../../../src/model/key.ts';
import type { BaseRecord, UnmanagedRecord } from '../../../src/model/record.ts';
import { recordOf, stateOf } from '../support/records.ts';

const FILE = '.kbsync/state.json';
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const whole: StateFile = {
  state: stateOf([recordOf('b'), recordOf('a'), { ...recordOf('c'), observed: { title: 'C' } }], {
    serial: 7,
    scopeDigest: digestOfText('scope'),
    capabilities: { location: 'yes', 'read-lang': 'no', languages: ['fr', 'de'] },
    unmanaged: new Map([['article/9', { kind: 'article', id: '9', slug: 'old', seen: 's' }]]),
  }),
  absorbed: { id: '0123456789abcdef', seq: 12, open: ['op-1'] },
};
const text = stateText(whole);

/** A file changed on purpose, its checksum made to fit again: what a wrong writer, not an accident, would leave. */
function resealed(change: (content: string) => string): string {
  const content = change(text.slice(0, text.lastIndexOf('],"checksum"')));
  const sum = createHash('sha256').update(content).digest('hex');
  return `${content}],"checksum":"sha256:${sum}"}\n`;
}

function refusalOf(content: string | Uint8Array): BaseError {
  try {
    parseState(typeof content === 'string' ? bytesOf(content) : content, FILE);
  } catch (error) {
    if (error instanceof BaseError) return error;
    throw error;
  }
  throw new Error('bug: the state was accepted');
}

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string()),
  fc.string().map((digest) => ({ digest: digestOfText(digest) })),
);
const values = fc.dictionary(fc.string(), value);
const record: fc.Arbitrary<BaseRecord> = fc.record(
  {
    key: fc
      .tuple(
        fc.constantFrom(...KINDS),
        fc.string({ minLength: 1, unit: 'binary' }),
        fc.constantFrom('en', 'fr', 'zh-CN'),
      )
      .map(([kind, path, lang]) => keyOf(kind, path, lang)),
    id: fc.string({ minLength: 1 }),
    ownership: fc.constantFrom('created' as const, 'adopted' as const),
    sent: values,
    observed: values,
    forms: fc.dictionary(fc.string(), fc.string()),
    accepted: fc.array(fc.string()),
    lost: fc.array(fc.string()),
    input: fc.string().map(digestOfText),
    original: fc.string().map(digestOfText),
    seen: fc.string(),
  },
  { requiredKeys: ['key', 'id', 'ownership', 'sent'] },
);
const unmanagedRecord: fc.Arbitrary<UnmanagedRecord> = fc.record(
  {
    kind: fc.constantFrom(...KINDS),
    id: fc.string(),
    slug: fc.string(),
    seen: fc.string(),
    isTranslation: fc.constant(true as const),
    was: fc.string(),
    by: fc.string(),
    waits: fc.record({
      family: fc.constantFrom(...KINDS).map((kind) => familyFrom(kind, 'a/b')),
      name: fc.string(),
    }),
  },
  { requiredKeys: ['kind', 'id', 'slug', 'seen'] },
);
const stateFile: fc.Arbitrary<StateFile> = fc
  .record({
    records: fc.array(record),
    serial: fc.nat(),
    unmanaged: fc.array(unmanagedRecord),
    scope: fc.option(fc.string(), { nil: undefined }),
    repository: fc.option(fc.string(), { nil: undefined }),
    revision: fc.option(
      fc.record({ commit: fc.string(), branch: fc.string(), atMs: fc.nat() }, { requiredKeys: ['commit'] }),
      { nil: undefined },
    ),
    languages: fc.option(fc.array(fc.string()), { nil: undefined }),
    shared: fc.option(fc.array(fc.string()), { nil: undefined }),
    leavesOut: fc.option(fc.array(fc.string()), { nil: undefined }),
    location: fc.option(fc.constantFrom('yes' as const, 'no' as const), { nil: undefined }),
    habits: fc.option(
      fc.dictionary(
        fc.string(),
        fc.record({
          rewritings: fc.subarray([...ALL_REWRITINGS]),
          losses: fc.array(fc.string()),
          additions: fc.array(fc.string()),
        }),
        { minKeys: 1 },
      ),
      { nil: undefined },
    ),
    pulled: fc.option(fc.array(record), { nil: undefined }),
    absorbed: fc.option(fc.record({ id: fc.string(), seq: fc.nat(), open: fc.array(fc.string()) }), {
      nil: undefined,
    }),
  })
  .map(
    ({
      records,
      serial,
      unmanaged,
      scope,
      repository,
      revision,
      languages,
      shared,
      leavesOut,
      location,
      habits,
      pulled,
      absorbed,
    }) => ({
      state: stateOf(records, {
        serial,
        ...(scope === undefined ? {} : { scopeDigest: digestOfText(scope) }),
        ...(repository === undefined ? {} : { repository }),
        ...(revision === undefined ? {} : { revision }),
        ...(habits === undefined ? {} : { habits }),
        ...(pulled === undefined ? {} : { pulled }),
        capabilities: {
          ...(location === undefined ? {} : { location }),
          ...(languages === undefined ? {} : { languages }),
          ...(shared === undefined ? {} : { shared }),
          ...(leavesOut === undefined ? {} : { leavesOut }),
        },
        unmanaged: new Map(unmanaged.map((one) => [`${one.kind}/${one.id}`, one])),
      }),
      ...(absorbed === undefined ? {} : { absorbed }),
    }),
  );

const absorbedOf = ({ absorbed }: StateFile): Pick<StateFile, 'absorbed'> =>
  absorbed === undefined ? {} : { absorbed };

/** `copy`: an equal record that is another object, and stands at another place of the map. */
function changed(
  records: ReadonlyMap<Key, BaseRecord>,
  changes: readonly { readonly at: number; readonly does: 'edit' | 'remove' | 'add' | 'copy' }[],
): ReadonlyMap<Key, BaseRecord> {
  const next = new Map(records);
  const keys = [...records.keys()];
  for (const { at, does } of changes) {
    const added = recordOf(`Ärger ${String(at).padStart(4, '0')} b`, 2);
    const key = keys[at % Math.max(1, keys.length)];
    const known = key === undefined ? undefined : next.get(key);
    if (does === 'add') next.set(added.key, added);
    if (known === undefined || does === 'add') continue;
    next.delete(known.key);
    if (does === 'edit') next.set(known.key, { ...known, id: `${known.id} again` });
    if (does === 'copy') next.set(known.key, structuredClone(known));
  }
  return next;
}

describe('the text of a state', () => {
  test('reads back as the same state', () => {
    fc.assert(
      fc.property(stateFile, (file) => {
        expect(parseState(bytesOf(stateText(file)), FILE)).toEqual({
          ...file,
          checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
        });
      }),
      { numRuns: 500 },
    );
  });

  test('is equal for equal states, in whatever order they were put together', () => {
    fc.assert(
      fc.property(stateFile, (file) => {
        const { state } = file;
        const turned: StateFile = {
          ...file,
          state: {
            ...state,
            records: new Map([...state.records].toReversed()),
            unmanaged: new Map([...state.unmanaged].toReversed()),
          },
        };
        expect(stateText(turned)).toBe(stateText(file));
      }),
    );
  });

  test('is JSON with one line a record, sorted by key, and changes one line when one record changes', () => {
    const lines = text.split('\n');
    expect(JSON.parse(text)).toMatchObject({ kbsync: 'state', format: 1, serial: 7 });
    expect(lines.filter((line) => line.startsWith('{"key":')).map((line) => line.slice(8, 20))).toEqual([
      'article/a@en',
      'article/b@en',
      'article/c@en',
    ]);
    const records = new Map(whole.state.records).set(recordOf('a').key, recordOf('a', 2));
    const changed = stateText({ ...whole, state: { ...whole.state, records } }).split('\n');
    expect(changed.filter((line, index) => line !== lines[index])).toHaveLength(2); // the record and the checksum
  });

  test.each([511, 512, 513, 1_025])(
    'of %i records, made in pieces, is the one text that JSON is',
    (count) => {
      const names = Array.from({ length: count }, (_, i) => `Ärger ${String(i).padStart(4, '0')}`);
      const state = stateOf(names.map((name) => recordOf(name)));
      const made = stateText({ state });
      expect(parseState(bytesOf(made), FILE).state).toEqual(state);
      expect(made.split('\n')).toHaveLength(count + 5);
    },
  );

  const changes = fc.array(
    fc.record({
      at: fc.nat(1_300),
      does: fc.constantFrom('edit' as const, 'remove' as const, 'add' as const, 'copy' as const),
    }),
    { maxLength: 12 },
  );

  test('is the same whether the lines that did not change are made anew or copied from what was read or written', () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 3, 600, 1_200), changes, changes, (count, first, second) => {
        const names = Array.from({ length: count }, (_, i) => `Ärger ${String(i).padStart(4, '0')}`);
        const state = stateOf(names.map((name) => recordOf(name)));
        const bytes = bytesOf(stateText({ state }));
        const read = parseState(bytes, FILE).state;
        const then = { ...read, serial: 1, records: changed(read.records, first) };
        const once = writtenState({ state: then }, { bytes, records: [...read.records.values()] });
        expect(Buffer.from(once.bytes).toString()).toBe(stateText({ state: then }));
        const last = { ...then, serial: 2, records: changed(then.records, second) };
        const twice = writtenState({ state: last, ...absorbedOf(whole) }, once);
        expect(Buffer.from(twice.bytes).toString()).toBe(stateText({ state: last, ...absorbedOf(whole) }));
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ['line ends of Windows', (content: string) => content.replaceAll('\n', '\r\n')],
    ['one line end of Windows', (content: string) => content.replace('},\n{"key"', '},\r\n{"key"')],
    ['a byte order mark', (content: string) => `\uFEFF${content}`],
  ])('copies nothing that an editor or git added: %s', (_, spoilt) => {
    const bytes = bytesOf(spoilt(text));
    const { state } = parseState(bytes, FILE);
    const records = changed(state.records, [{ at: 1, does: 'edit' }]);
    const made = writtenState(
      { state: { ...state, records } },
      { bytes, records: [...state.records.values()] },
    );
    expect(Buffer.from(made.bytes).toString()).toBe(stateText({ state: { ...state, records } }));
  });

  test.each([
    ['a line too many', '},\n\n{"key"'],
    ['two records in a line', '},{"key"'],
  ])('copies nothing from lines that are not one for each record: %s', (_, joint) => {
    const { state } = parseState(bytesOf(text), FILE);
    const bytes = bytesOf(text.replace('},\n{"key"', joint));
    const made = writtenState({ state }, { bytes, records: [...state.records.values()] });
    expect(Buffer.from(made.bytes).toString()).toBe(stateText({ state }));
  });

  test('is not made from a number that JSON cannot hold', () => {
    const broken = { ...recordOf('a'), sent: { ordering: Number.NaN } };
    expect(() => stateText({ state: stateOf([broken]) })).toThrow(
      'bug: ordering is a number that JSON cannot hold',
    );
  });

  test('keeps no capability that this version does not know', () => {
    const foreign = resealed((content) =>
      content.replace('"location":"yes"', '"location":"yes","telepathy":"yes"'),
    );
    expect(parseState(bytesOf(foreign), FILE).state.capabilities).toEqual(whole.state.capabilities);
  });

  test.each(['null', '{"family":"article/a"}', '{"family":"page/a","name":"A"}'])(
    'reads a record without its wait where that is %s',
    (waits) => {
      const odd = resealed((content) => content.replace('"seen":"s"}', `"seen":"s","waits":${waits}}`));
      expect(odd).toContain('waits');
      expect(parseState(bytesOf(odd), FILE).state.unmanaged).toEqual(whole.state.unmanaged);
    },
  );

  test.each([
    ['CRLF line ends, as git autocrlf makes them', text.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${text}`],
    ['both', `\uFEFF${text.replaceAll('\n', '\r\n')}`],
  ])('is accepted with %s, because the content is provably the same', (_, content) => {
    expect(parseState(bytesOf(content), FILE)).toEqual({
      ...whole,
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

const lines = text.split('\n');
const merged = [
  ...lines.slice(0, 3),
  '<<<<<<< HEAD',
  lines[3],
  '=======',
  lines[4],
  '>>>>>>> theirs',
  ...lines.slice(5),
].join('\n');
const replace = (from: string, to: string) => resealed((content) => content.replace(from, to));

describe('a damaged state', () => {
  test.each<readonly [string, string | Uint8Array, string]>([
    ['empty', '', 'it is empty (0 bytes)'],
    ['one line end', '\n', 'not the header'],
    ['only NUL bytes', new Uint8Array(400), 'not the header'],
    ['an empty object', '{}', 'not the header'],
    ['another JSON file', '{"name":"x",\n"version":1}\n', 'not the header'],
    ['a JSON list', '[\n]\n', 'not the header'],
    ['Latin-1 bytes', Buffer.from(`${text}é`, 'latin1'), 'it is not UTF-8'],
    ['UTF-16', Buffer.from(text, 'utf16le'), 'not the header'],
    ['git conflict markers', merged, 'line 4 is a conflict marker of an unfinished git merge'],
    ['diff3 conflict markers', text.replace('\n', '\n||||||| base\n'), 'line 2 is a conflict marker'],
    ['conflict markers before the header', `<<<<<<< HEAD\n${text}`, 'line 1 is a conflict marker'],
    ['no last line', lines.slice(0, -2).join('\n'), 'the checksum line at its end is missing'],
    ['no last line end', text.slice(0, -1), 'the checksum line at its end is missing'],
    ['something behind its end', `${text}\n`, 'the checksum line at its end is missing'],
    ['the text twice', text + text, 'does not fit its checksum'],
    ['a record edited by hand', text.replace('"a 1"', '"a 2"'), 'does not fit its checksum'],
    [
      'a record removed by hand',
      lines.filter((_, index) => index !== 2).join('\n'),
      'does not fit its checksum',
    ],
    [
      'formatted by a JSON formatter',
      `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`,
      'not the header',
    ],
    ['a serial edited by hand', text.replace('"serial":7', '"serial":8'), 'does not fit its checksum'],
    ['zeros in the middle', text.replace(lines[3] ?? '', '\0'.repeat(90)), 'does not fit its checksum'],
    ['broken JSON', replace('"records":[', '"records":['.concat(',')), 'it is not JSON below its first line'],
    ['format 0', replace('"format":1', '"format":0'), 'its format is 0, not 1'],
    ['format "1"', replace('"format":1', '"format":"1"'), 'its format is "1", not 1'],
    ['format 1.5', replace('"format":1', '"format":1.5'), 'its format is 1.5, not 1'],
    ['no origin', replace('"origin":"https://help.example.com",', ''), 'its origin is missing'],
    ['forms that are a list', replace('"sent":{', '"forms":[],"sent":{'), 'forms [] are not texts by field'],
    [
      'a form that is a number',
      replace('"sent":{', '"forms":{"content":1},"sent":{'),
      'are not texts by field',
    ],
    [
      'accepted fields that are one text',
      replace('"sent":{', '"accepted":"title","sent":{'),
      'is not a list of fields',
    ],
    ['losses that are one text', replace('"sent":{', '"lost":"table","sent":{'), 'is not a list of texts'],
    ['serial -1', replace('"serial":7', '"serial":-1'), 'its serial is -1'],
    ['serial "7"', replace('"serial":7', '"serial":"7"'), 'its serial is "7"'],
    [
      'a scope that is a number',
      replace(`"scopeDigest":"${digestOfText('scope')}"`, '"scopeDigest":1'),
      'scopeDigest is 1',
    ],
    ...(
      [
        ['no object', '1'],
        ['without a commit', '{}'],
        ['whose branch is a number', '{"commit":"1a","branch":2}'],
        ['whose time is a word', '{"commit":"1a","atMs":"noon"}'],
      ] as const
    ).map(
      ([what, json]) =>
        [
          `a revision ${what}`,
          replace('"serial":', `"revision":${json},"serial":`),
          'its revision is',
        ] as const,
    ),
    [
      'a repository that is a number',
      replace('"serial":', '"repository":1,"serial":'),
      'its repository is 1',
    ],
    [
      'pulled pages that are text',
      replace('"serial":', '"pulled":"none","serial":'),
      'its pulled are "none"',
    ],
    [
      'a pulled page without a key',
      replace('"serial":', '"pulled":[{}],"serial":'),
      'of what was pulled, key missing is not a key',
    ],
    [
      'capabilities that are a list',
      replace(/"capabilities":\{[^}]*\}/.exec(text)?.[0] ?? '', '"capabilities":[]'),
      'its capabilities are []',
    ],
    [
      'a capability "maybe"',
      replace('"location":"yes"', '"location":"maybe"'),
      'its capability location is "maybe"',
    ],
    [
      'languages that are text',
      replace('"languages":["fr","de"]', '"languages":"fr"'),
      'its capability languages is "fr"',
    ],
    [
      'languages that are numbers',
      replace('"languages":["fr","de"]', '"languages":[1]'),
      'its capability languages is [1]',
    ],
    [
      'shared fields that are numbers',
      replace('"languages":["fr","de"]', '"shared":[1]'),
      'its capability shared is [1]',
    ],
    ['a journal mark without number', replace('"seq":12', '"seq":"12"'), 'its journal mark is'],
    [
      'a journal mark that is text',
      replace('"journal":{"id":"0123456789abcdef","seq":12,"open":["op-1"]}', '"journal":"x"'),
      'its journal mark is "x"',
    ],
    ['records that are an object', replace('"records":[', '"records":{},"x":['), 'its records are {}'],
    ['unmanaged that is null', replace('"unmanaged":[', '"unmanaged":null,"x":['), 'its unmanaged are null'],
    ['a record that is a number', replace('"records":[\n', '"records":[\n1,\n'), 'a record is not an object'],
    [
      'a key twice',
      resealed((content) => content.replace('article/b@en', 'article/a@en')),
      'article/a@en is in it twice',
    ],
    ['a key without kind', replace('"article/a@en"', '"a@en"'), 'key "a@en" is not a key'],
    ['a key that is a number', replace('"article/a@en"', '5'), 'key 5 is not a key'],
    ['an empty id', replace('"id-a"', '""'), 'article/a@en: id "" is not an id'],
    ['an id that is a number', replace('"id-a"', '12'), 'article/a@en: id 12 is not an id'],
    ['a foreign ownership', replace('"created"', '"stolen"'), 'article/a@en: ownership is "stolen"'],
    [
      'an original that is a number',
      replace('"ownership":"created"', '"ownership":"created","original":1'),
      'article/a@en: original 1 is not a digest',
    ],
    [
      'an input that is a number',
      replace(`"input":"${recordOf('a').input}"`, '"input":1'),
      'article/a@en: input 1',
    ],
    [
      'a seen that is a flag',
      replace(`"seen":"${recordOf('a').seen}"`, '"seen":true'),
      'article/a@en: seen true',
    ],
    ['no fields', replace('"sent":', '"send":'), 'article/a@en: fields missing are not an object'],
    [
      'a field that is an object',
      replace('"title":"a 1"', '"title":{"a":1}'),
      'article/a@en: field title is {"a":1}',
    ],
    [
      'a digest with more beside it',
      replace('"content":{', '"content":{"a":1,'),
      'article/a@en: field content is',
    ],
    ['a list of numbers', replace('["c1","c2"]', '[1]'), 'article/a@en: field categories is [1]'],
    [
      'observed that is text',
      replace('"observed":{"title":"C"}', '"observed":"C"'),
      'article/c@en: fields "C" are not',
    ],
    ['a long wrong value', replace('"title":"a 1"', `"title":{"a":"${'x'.repeat(99)}"}`), 'x…'],
    [
      'an unmanaged number',
      replace('"unmanaged":[\n', '"unmanaged":[\n1,\n'),
      'an unmanaged record is not an object',
    ],
    [
      'an unmanaged without name',
      replace('"name":"article/9"', '"name":9'),
      'the name of an unmanaged record is 9',
    ],
    [
      'an unmanaged kind',
      replace('"kind":"article"', '"kind":"page"'),
      'unmanaged article/9: kind is "page"',
    ],
    [
      'an unmanaged slug',
      replace('"slug":"old"', '"slug":1'),
      'unmanaged article/9: id, slug and seen are not all text',
    ],
    [
      'an unmanaged twice',
      resealed((content) => content.replace(/(\{"name".*\})\n/, '$1,\n$1\n')),
      'unmanaged article/9 is in it twice',
    ],
  ])('(%s) is refused and says why', (_, content, why) => {
    const { code, message } = refusalOf(content);
    expect(message).toContain(why);
    expect(message).toContain(FILE);
    expect(code).toBe('damaged');
  });

  test('is refused wherever it was cut off', () => {
    const bytes = bytesOf(text);
    const accepted = [...bytes.keys()].filter(
      (length) => refusalOf(bytes.subarray(0, length)).code !== 'damaged',
    );
    expect(accepted).toEqual([]);
  });

  test('is refused whichever bit was flipped, or reads as a newer format', () => {
    const codes = new Set<string>();
    for (let bit = 0; bit < bytesOf(text).length * 8; bit += 1) {
      const bytes = bytesOf(text);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      codes.add(refusalOf(bytes).code);
    }
    expect([...codes].sort()).toEqual(['damaged', 'newer-format']);
  });

  test('is refused after a line was dropped, doubled or moved', () => {
    const codes = new Set<string>();
    for (let index = 0; index < lines.length - 1; index += 1) {
      const line = lines[index] ?? '';
      codes.add(refusalOf(lines.toSpliced(index, 1).join('\n')).code);
      codes.add(refusalOf(lines.toSpliced(index, 0, line).join('\n')).code);
      if (index > 0) codes.add(refusalOf([line, ...lines.toSpliced(index, 1)].join('\n')).code);
    }
    expect([...codes]).toEqual(['damaged']);
  });
});

test('a state of a newer format is refused with the way out, even when its checksum is made otherwise', () => {
  const newer = refusalOf(text.replace('"format":1', '"format":2'));
  expect(newer.code).toBe('newer-format');
  expect(newer.message).toBe(
    '.kbsync/state.json has format 2; this kbsync reads format 1. Use the newer kbsync that wrote it.',
  );
});

test('lines of any length, in letters of any width, are written whole', () => {
  const records = [10, 700, 9_000, 300].map((length, n) => ({
    ...recordOf(`page-${n}`),
    sent: { title: 'ü€😀'.repeat(length) },
  }));
  const { bytes, checksum } = writtenState({ state: stateOf(records) });
  const read = parseState(bytes, FILE);
  expect([...read.state.records.values()]).toEqual(records.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
  expect(read.checksum).toBe(checksum);
});
