import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { namedAsTold } from '../../../src/remote/http/field-names.ts';
import type { JsonObject } from '../../../src/text/json-value.ts';
import { lists, singles } from '../support/replies.ts';

const REPLIES = [...Object.values(singles), ...Object.values(lists)] as readonly JsonObject[];

const SPELLINGS: Readonly<Record<string, (name: string) => string>> = {
  'camel case': (name) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  'a capital at each word': (name) =>
    name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()),
  'one underscore a word': (name) =>
    name.replaceAll(/_?([A-Z])/g, (_, letter: string) => `_${letter.toLowerCase()}`),
  hyphens: (name) => name.replaceAll('_', '-'),
};

/** Names that kbsync reads nothing of stay as the service spells them. */
const UNREAD =
  /^(?:users_|created_date|article_parent|added_|site_id|_count|tracking|ai|username|first_|last_name|email)/;

function spelt(value: unknown, spell: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => spelt(each, spell));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [UNREAD.test(name) ? name : spell(name), spelt(each, spell)]),
  );
}

test.each(Object.entries(SPELLINGS))('names of replies are read in %s', (_, spell) => {
  for (const reply of REPLIES) {
    const read = JSON.stringify(namedAsTold(spelt(reply, spell) as JsonObject));
    // The text itself writes this one in two ways.
    expect(read.replaceAll('last_edited_date', 'last_edited_Date')).toBe(
      JSON.stringify(reply).replaceAll('last_edited_date', 'last_edited_Date'),
    );
  }
});

test('every name that docs/reference/gaps.md says is read is read in capitals', () => {
  const gaps = readFileSync(join(import.meta.dirname, '../../../docs/reference/gaps.md'), 'utf8');
  const [, table = ''] = gaps.split('\n| Reply | Field |');
  const [rows = ''] = table.split('\n\n');
  const cells = rows.split('\n').map((row) => row.split('|')[2] ?? '');
  const names = cells.flatMap((cell) => [...cell.matchAll(/\w+/g)].map(([name]) => name));
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) {
    const capitals = name.toUpperCase();
    expect(namedAsTold({ [capitals]: 1 })).not.toHaveProperty(capitals);
  }
});

test('a reply that is spelt as the text says is not copied', () => {
  for (const reply of REPLIES) expect(namedAsTold(reply)).toBe(reply);
});

test('a name as the text writes it is never overwritten by another spelling of it', () => {
  const reply = { success: true, data: { id: '1', Id: '2', order_by: 1, orderBy: 9 } };
  expect(namedAsTold(reply)).toBe(reply);
});
