import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unreadForm } from '../../src/model/compare/difference.ts';
import { digestOf } from '../../src/model/digest.ts';
import { keyOf } from '../../src/model/key.ts';
import type { BaseRecord, KnownRecord } from '../../src/model/record.ts';
import type { Decision } from '../../src/plan/reconcile.ts';
import type { RecordRule, RemoteSide, Sides } from '../../src/plan/sides.ts';
import type { Choices } from '../../src/plan/policy.ts';
import { NO_CHOICES } from '../../src/plan/policy.ts';
import { reconcile } from '../../src/plan/reconcile.ts';

/** The table in the docstring of reconcile() is this test's data: table and code cannot drift apart. */
const source = readFileSync(join(import.meta.dirname, '../../src/plan/reconcile.ts'), 'utf8');
const table = [...source.matchAll(/^ \* {5}(\S+) {2,}(\S+) {2,}(\S+) {2,}(.+)$/gm)]
  .map(([, file, base, remote, rest]) => ({ file, base, remote, rest: rest ?? '' }))
  .filter(({ file }) => file !== 'file');

const key = keyOf('article', 'a', 'en');

/** Only records with a rule have one here. */
const SLUG = { slug: 'a' };

function baseOf(value: string, slug: { readonly slug?: string } = {}): BaseRecord {
  return {
    key,
    id: '1',
    ownership: 'created',
    sent: { title: value, content: { digest: digestOf('text') }, ...slug },
  };
}

function known(value: string, more: Partial<KnownRecord> = {}): RemoteSide {
  return {
    state: 'known',
    record: {
      kind: 'article',
      id: '1',
      ownId: '1',
      lang: 'en',
      fields: { title: value, content: 'text', excerpt: 'theirs' },
      labels: new Map(),
      readAtMs: 0,
      ...more,
    },
  };
}

function remoteOf(letter: string | undefined, slug: { readonly slug?: string } = {}): RemoteSide {
  if (letter === 'absent') return { state: 'absent' };
  if (letter === 'unknown') return { state: 'unknown', why: 'it was not read' };
  if (letter === 'taken') return taken({ title: 'theirs', slug: 'theirs' });
  return known(letter ?? '', {
    fields: { title: letter ?? '', content: 'text', excerpt: 'theirs', ...slug },
  });
}

function taken(fields: KnownRecord['fields'], isOnlyPlace = false): RemoteSide {
  const side = known('', { fields });
  if (side.state !== 'known') throw new Error('bug: it is known');
  return { state: 'taken', by: 'others', record: side.record, isOnlyPlace };
}

const RULES: ReadonlyMap<string, RecordRule> = new Map([
  ['!', 'protected'],
  ['°', 'released'],
]);

function sidesOf(row: {
  file?: string | undefined;
  base?: string | undefined;
  remote?: string | undefined;
}): Sides {
  const rule = RULES.get(row.base?.slice(1) ?? '');
  const isRuled = rule !== undefined;
  return {
    file: fileOf(row.file),
    base: row.base === '-' ? undefined : baseOf(row.base?.slice(0, 1) ?? '', isRuled ? SLUG : {}),
    rule,
    remote: remoteOf(row.remote, isRuled ? SLUG : {}),
  };
}

function fileOf(letter: string | undefined): Sides['file'] {
  if (letter === '-') return undefined;
  return letter === 'S'
    ? { title: 'A', content: 'text', slug: 'other' }
    : { title: letter ?? '', content: 'text' };
}

function shown(decision: Decision): string {
  return decision.verdict === 'conflict' ? `conflict ${decision.code}` : decision.verdict;
}

/** `any` stands for every value of its column. */
function expanded(row: (typeof table)[number]): readonly (typeof table)[number][] {
  const values = (cell: string | undefined, all: readonly string[]) => (cell === 'any' ? all : [cell]);
  return values(row.file, ['A', 'B']).flatMap((file) =>
    values(row.base, ['-', 'A', 'B']).flatMap((base) =>
      values(row.remote, ['A', 'B', 'absent', 'unknown']).map((remote) => ({ ...row, file, base, remote })),
    ),
  );
}

test('the docstring holds the whole table', () => {
  expect(table.length).toBe(24);
});

describe('the truth table', () => {
  for (const row of table.flatMap(expanded)) {
    const wanted = row.rest.split(/ {2,}|\(|:/)[0]?.trim() ?? '';
    test(`file ${row.file}, base ${row.base}, remote ${row.remote}: ${wanted}`, () => {
      expect(shown(reconcile(sidesOf(row), NO_CHOICES))).toBe(wanted);
    });
  }

  const choices = table.flatMap((row) =>
    [...row.rest.matchAll(/(--[\w-]+ )?(local|remote|overwrite): (\w+)/g)].map(([, , choice, verdict]) => ({
      row,
      choice,
      verdict,
    })),
  );
  test('names what each choice does', () => expect(choices.length).toBe(11));
  for (const { row, choice, verdict } of choices) {
    test(`file ${row.file}, base ${row.base}, remote ${row.remote}, settled by "${choice}": ${verdict}`, () => {
      const option: Choices =
        choice === 'overwrite'
          ? { ...NO_CHOICES, onDrift: 'overwrite' }
          : {
              onConflict: choice as 'local' | 'remote',
              onDrift: 'report',
              adopt: choice as 'local' | 'remote',
            };
      expect(shown(reconcile(sidesOf(row), option))).toBe(verdict);
    });
  }
});

describe('fields', () => {
  const base: BaseRecord = {
    key,
    id: '1',
    ownership: 'created',
    sent: { title: 'A', slug: 'a', content: 'text' },
  };

  test('merge when each side changed another field', () => {
    const decision = reconcile(
      {
        file: { title: 'B', slug: 'a', content: 'text' },
        base,
        remote: known('A', { fields: { title: 'A', slug: 'theirs', content: 'text' } }),
      },
      NO_CHOICES,
    );
    expect(decision).toEqual({ verdict: 'update', fields: ['title'], drift: ['slug'], acknowledged: [] });
  });

  test('of a record with one field in conflict are all left alone', () => {
    const decision = reconcile(
      {
        file: { title: 'B', slug: 'b', content: 'text' },
        base,
        remote: known('C', { fields: { title: 'C', slug: 'a', content: 'text' } }),
      },
      NO_CHOICES,
    );
    expect(decision).toEqual({ verdict: 'conflict', code: 'both-changed', fields: ['title'] });
  });

  test('that the file newly owns are written without asking', () => {
    const decision = reconcile(
      { file: { title: 'A', excerpt: 'mine' }, base, remote: known('A') },
      NO_CHOICES,
    );
    expect(decision).toEqual({ verdict: 'update', fields: ['excerpt'], drift: [], acknowledged: [] });
  });

  test('that the file does not own are never compared', () => {
    expect(reconcile({ file: { title: 'A' }, base, remote: known('A') }, NO_CHOICES).verdict).toBe(
      'unchanged',
    );
  });

  test('that the service rewrote and that nobody edited since are no drift', () => {
    const observed: BaseRecord = { ...base, observed: { title: 'A!' } };
    expect(reconcile({ file: { title: 'A' }, base: observed, remote: known('A!') }, NO_CHOICES).verdict).toBe(
      'unchanged',
    );
    expect(reconcile({ file: { title: 'A' }, base: observed, remote: known('A?') }, NO_CHOICES).verdict).toBe(
      'drift',
    );
  });

  test('of a slug that the service changed are told, and hinder neither another slug nor a delete', () => {
    const shown = known('A', { fields: { title: 'A', slug: 'kb-a', content: 'text' } });
    const base = { ...baseOf('A', SLUG), observed: { slug: 'kb-a' } };
    const decide = (file: Sides['file'], of: BaseRecord = base) =>
      reconcile({ file, base: of, remote: shown }, NO_CHOICES);
    expect(decide({ title: 'A', slug: 'a' })).toEqual({ verdict: 'drift', drift: ['slug'] });
    expect(decide({ title: 'A', slug: 'b' })).toMatchObject({ verdict: 'update', fields: ['slug'] });
    expect(decide(undefined)).toEqual({ verdict: 'delete' });
    // Whoever let it stand has agreed.
    expect(decide({ title: 'A', slug: 'a' }, { ...base, accepted: ['slug'] }).verdict).toBe('unchanged');
    const { slug: _, ...rest } = base.sent;
    expect(decide({ title: 'A', slug: 'a' }, { ...base, sent: rest })).toMatchObject({ fields: ['slug'] });
    // The service has become another one, or somebody put the slug right.
    const right = known('A', { fields: { title: 'A', slug: 'a', content: 'text' } });
    expect(reconcile({ file: { title: 'A', slug: 'a' }, base, remote: right }, NO_CHOICES).verdict).toBe(
      'unchanged',
    );
  });

  test('of a slug that a run moved out of the way before it died are put back, also when the file went back too', () => {
    const marked = known('A', { fields: { title: 'A', slug: 'a--kbsync-0123abcd', content: 'text' } });
    const update = { verdict: 'update', fields: ['slug'], drift: [], acknowledged: [] };
    expect(reconcile({ file: { title: 'A', slug: 'a' }, base, remote: marked }, NO_CHOICES)).toEqual(update);
    expect(reconcile({ file: { title: 'A', slug: 'b' }, base, remote: marked }, NO_CHOICES)).toEqual(update);
    const theirs = known('A', { fields: { title: 'A', slug: 'b--kbsync-0123abcd', content: 'text' } });
    expect(reconcile({ file: { title: 'A', slug: 'a' }, base, remote: theirs }, NO_CHOICES).verdict).toBe(
      'drift',
    );
  });

  test('settled in favour of the service stay settled beside an update', () => {
    const decision = reconcile(
      {
        file: { title: 'B', slug: 'b', content: 'text' },
        base,
        remote: known('C', { fields: { title: 'C', slug: 'a', content: 'text' } }),
      },
      { ...NO_CHOICES, onConflict: 'remote' },
    );
    expect(decision).toEqual({ verdict: 'update', fields: ['slug'], drift: [], acknowledged: ['title'] });
  });

  test('known by a shortened digest compare as by the whole one', () => {
    const stamped: BaseRecord = {
      ...base,
      sent: { title: { digest: digestOf('A').slice(0, 10) as ReturnType<typeof digestOf> } },
    };
    expect(reconcile({ file: { title: 'B' }, base: stamped, remote: known('A') }, NO_CHOICES).verdict).toBe(
      'update',
    );
    expect(reconcile({ file: { title: 'B' }, base: stamped, remote: known('C') }, NO_CHOICES).verdict).toBe(
      'conflict',
    );
  });
});

test('a text that is there in the form of the service is learnt, though the base knows only its digest', () => {
  const text = '<p>Salt &amp; pepper</p>';
  const file = { title: 'A', content: text };
  const base: BaseRecord = { ...baseOf('A'), sent: { title: 'A', content: { digest: digestOf(text) } } };
  const showing = (content: string): RemoteSide => known('A', { fields: { title: 'A', content } });
  const remote = showing('<p>Salt &#38; pepper</p>\n');
  expect(reconcile({ file, base, remote }, NO_CHOICES)).toEqual({ verdict: 'adopt' });
  const edited = showing('<p>Salt &#38; oil</p>');
  expect(reconcile({ file, base, remote: edited }, NO_CHOICES)).toEqual({
    verdict: 'drift',
    drift: ['content'],
  });
});

describe('an article that shows no text although one was sent', () => {
  const base: BaseRecord = { ...baseOf('A'), observed: { content: { digest: digestOf('') } } };
  const side = (more: object = {}, record: Partial<KnownRecord> = {}): RemoteSide => {
    const fields = { title: 'A', content: '' };
    return Object.assign({}, known('A', { fields, ...record }), more);
  };
  const remote = side();
  const unwritten = side({ isUnwritten: true });
  const SAME = { title: 'A', content: 'text' };
  const TEXT = { title: 'A', content: 'new' };
  const TITLE = { title: 'B', content: 'text' };
  const unshown = { verdict: 'conflict', code: 'not-shown', fields: ['content'] };
  const decide = (file: Sides['file'], of: Partial<Sides> = {}, choices: Partial<Choices> = {}) =>
    reconcile({ file, base, remote, ...of }, { ...NO_CHOICES, ...choices });

  test('is written and deleted as long as nobody else has written', () => {
    for (const content of ['new', ''])
      expect(decide({ title: 'A', content }, { remote: unwritten })).toMatchObject({ fields: ['content'] });
    expect(decide(TITLE, { remote: unwritten })).toMatchObject({ verdict: 'update', fields: ['title'] });
    expect(decide(undefined, { remote: unwritten }).verdict).toBe('delete');
  });

  test('is left alone where somebody may have written, by each change that would carry its text', () => {
    expect(decide(SAME).verdict).toBe('unchanged');
    expect([decide(TEXT), decide({ title: 'A', content: '' }), decide(TITLE)]).toEqual([
      unshown,
      unshown,
      unshown,
    ]);
    expect(decide(undefined)).toMatchObject({ code: 'delete-modified', fields: ['content'] });
  });

  test('is settled by a choice, as a whole', () => {
    const fields = ['title', 'content'];
    expect(decide(TITLE, {}, { onConflict: 'local' })).toMatchObject({ verdict: 'update', fields });
    expect(decide(TITLE, {}, { onConflict: 'remote' })).toEqual({ verdict: 'acknowledge', fields });
    expect(decide(TEXT, {}, { onConflict: 'remote' })).toMatchObject({ fields: ['content'] });
    const drifted = side({}, { fields: { title: 'C', content: '' } });
    expect(decide(SAME, { remote: drifted })).toEqual({ verdict: 'drift', drift: ['title'] });
    expect(decide(SAME, { remote: drifted }, { onDrift: 'overwrite' })).toMatchObject(unshown);
    expect(decide(TITLE, { remote: drifted }, { onConflict: 'local' })).toMatchObject({ fields });
    // What somebody let stand is nobody's to carry, whatever a date says.
    expect(decide(TITLE, { base: { ...base, accepted: ['content'] }, remote: unwritten })).toEqual(unshown);
  });

  test('is not one whose stamp is shown, whose text was shown before, that had none, or of another kind', () => {
    const { observed: _, ...plain } = base;
    expect(decide(TEXT, { base: { ...plain, forms: { content: '1:0' } } })).toMatchObject({
      code: 'both-changed',
    });
    expect(decide(TEXT, { base: plain })).toMatchObject({ code: 'both-changed' });
    expect(decide(TEXT, { base: { ...base, observed: { content: 'other' } } })).toMatchObject({
      code: 'both-changed',
    });
    expect(decide(TEXT, { remote: side({}, { stamp: 'stamp' }) }).verdict).toBe('update');
    expect(decide(TITLE, { remote: side({}, { kind: 'tag' }) }).verdict).toBe('update');
    expect(decide(TEXT, { base: { ...base, sent: { title: 'A', content: '' } } }).verdict).toBe('update');
    expect(decide(TEXT, { base: { ...base, sent: { title: 'A' } } }).verdict).toBe('update');
  });

  test('is one too where nobody has read back what was sent', () => {
    const { observed: _, ...plain } = base;
    const unread = { ...plain, forms: { content: unreadForm(digestOf('text')) } };
    expect(decide(TEXT, { base: unread })).toEqual(unshown);
  });
});

describe('a record of somebody else', () => {
  const file = { title: 'A', slug: 'a', content: 'text' };
  const local: Choices = { onConflict: 'local', onDrift: 'overwrite', adopt: 'local' };

  test('that has the slug of the file, or its only place, leaves room for nothing, whatever is chosen', () => {
    const end = { verdict: 'taken', by: 'others', id: '1' };
    const theirs = { title: 'theirs', content: 'theirs' };
    for (const remote of [taken({ ...theirs, slug: 'a' }), taken({ ...theirs, slug: 'b' }, true)])
      for (const base of [baseOf('A'), undefined])
        expect(reconcile({ file, base, remote }, local)).toEqual(end);
  });

  test('under another slug is no obstacle to a new record of ours', () => {
    expect(reconcile({ file, base: baseOf('A'), remote: taken({ slug: 'b' }) }, local).verdict).toBe(
      'create',
    );
  });
});

describe('an open draft copy', () => {
  const file = { title: 'B', content: 'text' };
  const remote = known('A', { openDraft: '9' });

  test('stops an update', () => {
    expect(shown(reconcile({ file, base: baseOf('A'), remote }, NO_CHOICES))).toBe('conflict draft-open');
    expect(shown(reconcile({ file, base: undefined, remote }, { ...NO_CHOICES, adopt: 'local' }))).toBe(
      'conflict draft-open',
    );
  });

  test('is overwritten when the user says so', () => {
    expect(
      reconcile({ file, base: baseOf('A'), remote }, { ...NO_CHOICES, onConflict: 'local' }).verdict,
    ).toBe('update');
  });
});

describe('a record that the list proves unedited', () => {
  test('is updated where the file differs from the base, without a read', () => {
    const side: RemoteSide = { state: 'base' };
    expect(reconcile({ file: { title: 'B' }, base: baseOf('A'), remote: side }, NO_CHOICES).verdict).toBe(
      'update',
    );
    expect(reconcile({ file: { title: 'A' }, base: baseOf('A'), remote: side }, NO_CHOICES).verdict).toBe(
      'unchanged',
    );
    expect(reconcile({ file: undefined, base: baseOf('A'), remote: side }, NO_CHOICES).verdict).toBe(
      'delete',
    );
  });

  test('proves nothing when the base does not know it', () => {
    expect(
      reconcile({ file: { title: 'B' }, base: undefined, remote: { state: 'base' } }, NO_CHOICES).verdict,
    ).toBe('unknown');
  });
});

describe('an order that the file gives to a record that nobody ordered', () => {
  const file = { title: 'A', ordering: 3 };
  const sides = (fields: KnownRecord['fields'], more: Partial<KnownRecord> = {}): Sides => ({
    file,
    base: undefined,
    remote: known('A', { ...more, fields }),
  });

  test('is written, though no base joins the two', () => {
    const write: Decision = { verdict: 'update', fields: ['ordering'], drift: [], acknowledged: [] };
    expect(reconcile(sides({ title: 'A', ordering: 0 }), NO_CHOICES)).toEqual(write);
    // What the service does not show is not compared.
    expect(reconcile(sides({ ordering: 0 }), NO_CHOICES)).toEqual(write);
  });

  test('is no reason to write over anything else, over an order, or into an open draft', () => {
    for (const fields of [
      { title: 'B', ordering: 0 },
      { title: 'A', ordering: 7 },
    ])
      expect(shown(reconcile(sides(fields), NO_CHOICES))).toBe('conflict both-new');
    expect(shown(reconcile(sides({ title: 'A', ordering: 0 }, { openDraft: '9' }), NO_CHOICES))).toBe(
      'conflict draft-open',
    );
    expect(reconcile(sides({ title: 'A', ordering: 0 }), { ...NO_CHOICES, adopt: 'remote' }).verdict).toBe(
      'acknowledge',
    );
  });
});

test('without a base, a text of which a pull makes that of the file is that of the file', () => {
  const file = { title: 'A', content: '<p>mine</p>' };
  const remote = known('A', { fields: { title: 'A', content: '<p>theirs</p>' } });
  const asked: string[] = [];
  const sides = (isPulled: boolean, base?: BaseRecord): Sides => ({
    file,
    base,
    remote,
    isPulled: () => {
      asked.push('asked');
      return isPulled;
    },
  });
  expect(shown(reconcile(sides(true), NO_CHOICES))).toBe('adopt');
  expect(shown(reconcile(sides(false), NO_CHOICES))).toBe('conflict both-new');
  expect(asked).toHaveLength(2);
  // With a base, the base says what changed.
  expect(shown(reconcile(sides(true, baseOf('A')), NO_CHOICES))).toBe('conflict both-changed');
  expect(reconcile({ ...sides(true), file: { ...file, title: 'B' } }, NO_CHOICES)).toEqual({
    verdict: 'conflict',
    code: 'both-new',
    fields: ['title'],
  });
});
