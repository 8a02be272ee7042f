import { expect, test } from 'vitest';
import { KINDS } from '../../src/model/key.ts';
import type { RemoteClient } from '../../src/remote/client.ts';
import { RemoteError } from '../../src/remote/error.ts';
import { json, rig } from './support.ts';
import { ids, links, lists, reviews, singles, versions } from './replies.ts';

/** Replies that are a yes and JSON, but not the documented shape: each part left out, and each of a wrong type. */
interface Subject {
  readonly name: string;
  readonly reply: object;
  readonly call: (remote: RemoteClient) => Promise<unknown>;
}

const SUBJECTS: readonly Subject[] = [
  ...KINDS.flatMap((kind) => [
    { name: `list ${kind}`, reply: lists[kind], call: (remote: RemoteClient) => remote.list(kind) },
    {
      name: `read ${kind}`,
      reply: singles[kind],
      call: (remote: RemoteClient) => remote.read(kind, ids[kind]),
    },
  ]),
  { name: 'versions', reply: versions, call: (remote) => remote.tool('versions') },
  { name: 'links', reply: links, call: (remote) => remote.tool('links') },
  { name: 'reviews', reply: reviews, call: (remote) => remote.tool('reviews') },
];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([name, item]) =>
    pathsOf(item, [...path, Array.isArray(value) ? Number(name) : name]),
  );
  return path.length === 0 ? below : [path, ...below];
}

/** A deep copy in which the part at `path` is `part`, or left out. */
function changed(value: unknown, path: Path, part: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return part;
  if (Array.isArray(value)) return value.map((item, n) => (n === first ? changed(item, rest, part) : item));
  return Object.fromEntries(
    Object.entries(Object(value)).flatMap(([name, item]) => {
      if (name !== first) return [[name, item]];
      return rest.length === 0 && part === undefined ? [] : [[name, changed(item, rest, part)]];
    }),
  );
}

/** Wrong for every documented field: none is such an object. */
const WRONG = { wrong: true };

test.each(SUBJECTS)(
  '$name: a reply without a documented part, or with a wrong one, is not understood',
  async ({ reply, call }) => {
    const taken: string[] = [];
    const cases = pathsOf(reply)
      .filter(([first]) => first !== 'success')
      .flatMap((path) => [[path, undefined] as const, [path, WRONG] as const, [path, [WRONG]] as const]);
    for (const [path, part] of cases) {
      const { remote } = rig({ send: () => Promise.resolve(json(changed(reply, path, part))) });
      const outcome = await call(remote).then(
        () => 'taken',
        (error: unknown) => (error instanceof RemoteError ? error.code : `crash ${String(error)}`),
      );
      if (outcome !== 'not-understood')
        taken.push(`${path.join('.')} ${part === undefined ? 'left out' : 'wrong'}: ${outcome}`);
    }
    // `message` may be missing: the documentation shows it as a text that goes with an answer, not as part of a record.
    // A list element that is left out is only a shorter list.
    expect(taken.filter((line) => !/^message left out: taken$|\.\d+ left out/.test(line))).toEqual([]);
    expect(cases.length).toBeGreaterThan(15);
  },
);

test.each(SUBJECTS.filter(({ name }) => name.startsWith('list ')))(
  '$name: what is no list is never an empty list',
  async ({ reply, call }) => {
    for (const data of [
      undefined,
      null,
      {},
      '',
      'none',
      0,
      false,
      { length: 0 },
      { 0: 'a' },
      [null],
      [[]],
      ['a1'],
      [1],
    ]) {
      const { remote } = rig({ send: () => Promise.resolve(json({ ...reply, data })) });
      await expect(call(remote)).rejects.toMatchObject({ code: 'not-understood' });
    }
  },
);

test.each(SUBJECTS.filter(({ name }) => name.startsWith('list ')))(
  '$name: an id that comes twice is not understood',
  async ({ reply, call }) => {
    const { data } = reply as { data: readonly object[] };
    const { remote } = rig({ send: () => Promise.resolve(json({ ...reply, data: [...data, ...data] })) });
    await expect(call(remote)).rejects.toMatchObject({
      code: 'not-understood',
      message: expect.stringContaining('twice'),
    });
  },
);

test.each(SUBJECTS)(
  '$name: parts that the documentation does not name are no obstacle',
  async ({ reply, call }) => {
    const { remote } = rig({
      send: () => Promise.resolve(json({ ...reply, extra: { deep: [1] }, toString: 1, constructor: null })),
    });
    await expect(call(remote)).resolves.toBeDefined();
  },
);

test('the first place that differs is named', async () => {
  const { remote } = rig({
    send: () => Promise.resolve(json(changed(lists.article, ['data', 0, 'status'], 7))),
  });
  await expect(remote.list('article')).rejects.toThrow(
    /^GET \/api\/v2\/articles: the answer is not what the API's documentation says: data\.0\.status: .*expected string/,
  );
});
