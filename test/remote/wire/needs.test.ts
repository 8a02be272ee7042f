import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KINDS } from '../../../src/model/key.ts';
import type { Kind } from '../../../src/model/key.ts';
import { RemoteError } from '../../../src/remote/error.ts';
import { createCleanText } from '../../../src/remote/http/clean-text.ts';
import { decode, isNewVersion } from '../../../src/remote/wire/decode.ts';
import { decodeList } from '../../../src/remote/wire/decode-list.ts';
import type { JsonObject } from '../../../src/text/json-value.ts';
import { lists, singles } from '../support/replies.ts';

const GAPS = join(import.meta.dirname, '../../../docs/reference/gaps.md');
const REPLIES: Readonly<Record<string, readonly string[]>> = {
  'every reply': [],
  lists: KINDS.map((kind) => `${kind} list`),
  'single reads': KINDS,
};
/** Whole samples: no list of theirs is empty. */
const WHOLE_LISTS: Readonly<Record<Kind, unknown>> = {
  ...lists,
  tag: changedAt(lists.tag, 'data[].other_tags', [{ language: 'fr' }]),
};
const reading = { request: 'GET /', clean: createCleanText('key') };

/** What has another name or place to be read from. */
const LEFT_OUT = [
  undefined,
  'last_edited_date',
  'last_edited_Date',
  'article_relationships',
  'tags_relationship',
] as const;

type Reply = 'list' | 'single';

function read(reply: Reply, kind: Kind, value: JsonObject): void {
  if (reply === 'list') {
    const answer = { value, headers: {}, atMs: 0 };
    decodeList(kind, answer, reading);
  } else if (!isNewVersion(value)) decode(kind, value, reading);
}

/** The same value; notes what is asked of it by name. Going through all members asks for none. */
function noted(value: unknown, at: string, seen: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const isList = Array.isArray(value);
  let listed: PropertyKey | undefined;
  const pathOf = (name: PropertyKey): string =>
    isList ? `${at}[]` : `${at}${at === '' ? '' : '.'}${String(name)}`;
  return new Proxy(value, {
    get(target, name) {
      const inner: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol' || (isList && !/^\d+$/.test(name))) return inner;
      if (!isList && name !== listed) seen.add(pathOf(name));
      listed = undefined;
      return noted(inner, pathOf(name), seen);
    },
    has(target, name) {
      if (!isList) seen.add(pathOf(name));
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor(target, name) {
      listed = name;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
}

function fieldsRead(reply: Reply, kind: Kind): ReadonlySet<string> {
  const seen = new Set<string>();
  const whole = reply === 'list' ? WHOLE_LISTS[kind] : singles[kind];
  // What is looked for only where another field is missing is read too.
  for (const leftOut of LEFT_OUT) read(reply, kind, noted(without(whole, leftOut), '', seen) as JsonObject);
  return seen;
}

function without(value: unknown, name: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((each) => without(each, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([each, inner]) => (each === name ? [] : [[each, without(inner, name)]])),
  );
}

function changedAt(value: unknown, path: string, to: unknown): unknown {
  if (path.startsWith('[]'))
    return Array.isArray(value) ? value.map((each) => changedAt(each, path.slice(2), to)) : value;
  const [, name = '', rest = ''] = /^\.?([^.[]+)(.*)$/.exec(path) ?? [];
  if (name === '') return to;
  if (typeof value !== 'object' || value === null) return value;
  const inner: unknown = Reflect.get(value, name);
  return Object.fromEntries(
    Object.entries({ ...value, [name]: changedAt(inner, rest, to) }).filter(([, each]) => each !== undefined),
  );
}

/** Fields without which a reply cannot be read, whatever stands there instead. */
function fieldsNeeded(reply: Reply, kind: Kind, fields: ReadonlySet<string>): readonly string[] {
  const whole = reply === 'list' ? WHOLE_LISTS[kind] : singles[kind];
  return [...fields].filter((path) =>
    [undefined, null, {}, [], 7.5, true].some((odd) => {
      try {
        read(reply, kind, changedAt(whole, path, odd) as JsonObject);
        return false;
      } catch (error) {
        if (!(error instanceof RemoteError) || error.field === undefined) throw error;
        return (
          error.field.replaceAll(/\[\d+\]/g, '[]') === path ||
          `${path}[]` === error.field.replaceAll(/\[\d+\]/g, '[]')
        );
      }
    }),
  );
}

interface Row {
  readonly replies: readonly string[];
  readonly fields: readonly string[];
  readonly odd: string;
}

function tableRows(): readonly Row[] {
  const text = readFileSync(GAPS, 'utf8');
  const section = text.slice(text.indexOf('## What the client needs'), text.indexOf('## Services that fill'));
  return section
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|(?:---| Reply)/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, reply = '', fields = '', , odd = '']) => ({
      replies: REPLIES[reply] ?? [reply],
      fields: [...fields.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      odd,
    }));
}

const CASES = KINDS.flatMap((kind) => [
  { name: `${kind} list`, reply: 'list' as const, kind },
  { name: kind, reply: 'single' as const, kind },
]);

test.each(CASES)('the table names every field that is read of: $name', ({ name, reply, kind }) => {
  const rows = tableRows().filter(({ replies }) => replies.includes(name));
  const told = rows.flatMap(({ fields }) => fields);
  expect([...told].sort()).toEqual([...fieldsRead(reply, kind)].sort());
});

test.each(CASES)('the table says which fields stop what needs them: $name', ({ name, reply, kind }) => {
  const rows = tableRows().filter(({ replies, odd }) => replies.includes(name) && /\bstops\b/.test(odd));
  const told = rows.flatMap(({ fields }) => fields);
  expect([...told].sort()).toEqual([...fieldsNeeded(reply, kind, fieldsRead(reply, kind))].sort());
});
