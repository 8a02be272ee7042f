import { digestOf } from '../../../src/model/digest.ts';
import { describe, expect, test } from 'vitest';
import { createChange, driftOf, learntRecord, updateChange } from '../../../src/plan/making/entries.ts';
import type { DecidedRecord } from '../../../src/plan/making/entries.ts';
import { findMoves } from '../../../src/plan/moves.ts';
import { makePlan } from '../../../src/plan/making/make-plan.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { unreadForms } from '../../../src/plan/observed.ts';
import type { PlanInput } from '../../../src/plan/plan-input.ts';
import type { RemoteSide } from '../../../src/plan/sides.ts';
import type { Choices } from '../../../src/plan/policy.ts';
import { NO_CHOICES } from '../../../src/plan/policy.ts';
import { splitStamp, withStamp } from '../../../src/model/stamp.ts';
import type { Fields } from '../../../src/model/fields.ts';
import type { Files } from '../support/plan-model.ts';
import { keptBytes } from '../../support/kept-bytes.ts';
import { edited, keyFrom, lived, shown } from '../support/plan-model.ts';

const BEFORE = { 'article/a@en': { fields: { title: 'A' }, body: '<p>one two</p>' } };

/** The service does not show the title. */
function withoutTitle(files: Files): PlanInput {
  const input = lived(BEFORE, files);
  const side = input.remote.get(keyFrom('article/a@en'));
  if (side?.state !== 'known') throw new Error('it is shown');
  const { title: _, ...fields } = side.record.fields;
  return shown(input, 'article/a@en', { state: 'known', record: { ...side.record, fields } });
}

function fieldsOf(plan: Plan): unknown {
  return plan.changes[0]?.fields;
}

describe('a change names', () => {
  test('each field with what the service shows and what the file says, and counts the words of a text', () => {
    const after = { 'article/a@en': { fields: { title: 'B' }, body: '<p>one three four</p>' } };
    expect(fieldsOf(makePlan(lived(BEFORE, after)))).toEqual([
      { field: 'title', before: 'A', after: 'B' },
      {
        field: 'content',
        before: { digest: expect.any(String) },
        after: { digest: expect.any(String) },
        words: { added: 2, removed: 1 },
      },
    ]);
  });

  test('what the state remembers where the list proves that nobody edited it', () => {
    const after = { 'article/a@en': { fields: { title: 'B' }, body: '<p>one two</p>' } };
    const input = shown(lived(BEFORE, after), 'article/a@en', { state: 'base' });
    expect(fieldsOf(makePlan(input))).toEqual([{ field: 'title', before: 'A', after: 'B' }]);
  });

  test('no value before for a field that the file states for the first time and the service does not show', () => {
    const after = { 'article/a@en': { fields: { title: 'A', excerpt: 'about' }, body: '<p>one two</p>' } };
    const asked = makePlan(lived(BEFORE, after)).conflicts;
    expect(asked).toMatchObject([
      { code: 'not-shown', witness: 'state', fields: [{ field: 'excerpt', base: undefined }] },
    ]);
    const choices = { ...NO_CHOICES, onConflict: 'local' } as const;
    expect(fieldsOf(makePlan({ ...lived(BEFORE, after), choices }))).toEqual([
      { field: 'excerpt', after: 'about' },
    ]);
  });

  test('no words where the service shows no text', () => {
    const after = { 'article/a@en': { fields: { title: 'A' }, body: '<p>new</p>' } };
    const bare = edited(lived(BEFORE, after), 'article/a@en', { content: null });
    const choices = { ...NO_CHOICES, onConflict: 'local' } as const;
    expect(fieldsOf(makePlan({ ...bare, choices }))).toEqual([
      { field: 'content', before: { digest: expect.any(String) }, after: { digest: expect.any(String) } },
    ]);
  });

  test('fields that were edited on the service and stay, and those that the user let stand', () => {
    const after = { 'article/a@en': { fields: { title: 'B', slug: 'b' }, body: '<p>one two</p>' } };
    const both = edited(lived(BEFORE, after), 'article/a@en', { title: 'theirs', content: '<p>theirs</p>' });
    const plan = makePlan({ ...both, choices: { ...NO_CHOICES, onConflict: 'remote' } });
    expect(plan.changes).toMatchObject([{ drift: ['content'], acknowledged: ['title'] }]);
    expect(plan.changes[0]?.fields.map(({ field }) => field)).toEqual(['slug']);
    expect(plan.drift).toMatchObject([{ id: 'id-article/a', fields: [{ field: 'content' }] }]);
  });
});

describe('drift', () => {
  test('names what was last sent and what the service shows', () => {
    const input = edited(lived(BEFORE, BEFORE), 'article/a@en', { title: 'theirs' });
    expect(makePlan(input).drift).toEqual([
      {
        kind: 'article',
        key: 'article/a@en',
        lang: 'en',
        id: 'id-article/a',
        fields: [{ field: 'title', base: 'A', remote: 'theirs' }],
      },
    ]);
  });

  test('is not told of a field that the service does not show', () => {
    expect(makePlan(withoutTitle(BEFORE)).drift).toEqual([]);
  });
});

test('a field that the service does not show is a conflict when its file changes', () => {
  const after = { 'article/a@en': { fields: { title: 'C' }, body: '<p>one two</p>' } };
  const [conflict] = makePlan(withoutTitle(after)).conflicts;
  expect(conflict).toMatchObject({ code: 'not-shown', fields: [{ field: 'title', base: 'A', local: 'C' }] });
  expect(conflict?.fields[0]?.remote).toBe(undefined);
});

test('a stamp says nothing of a field that the service does not show', () => {
  const files = { 'article/a@en': { fields: { title: 'C' }, body: '<p>three</p>' } };
  const input = withoutTitle(files);
  const side = input.remote.get(keyFrom('article/a@en'));
  if (side?.state !== 'known') throw new Error('it is shown');
  const content = '<p>theirs</p>';
  const stamp = splitStamp(withStamp('', keyFrom('article/a@en'), { title: 'A', content })).stamp ?? '';
  const record = { ...side.record, fields: { ...side.record.fields, content }, stamp };
  const [conflict] = makePlan(shown(input, 'article/a@en', { state: 'known', record })).conflicts;
  expect(conflict).toMatchObject({
    code: 'both-changed',
    fields: [{ field: 'content' }, { field: 'title' }],
  });
  expect(conflict?.isOurs).toBe(undefined);
});

describe('a value that the stamp was written over is ours, though the state is older', () => {
  const after = { 'article/a@en': { fields: { title: 'C' }, body: '<p>one two</p>' } };
  const newer = { title: 'B', content: '<p>one two</p>' };
  const stampOver = (key: string, fields: Fields): string =>
    splitStamp(withStamp('', keyFrom(key), fields)).stamp ?? '';
  const stamped = (files: Files, fields: Fields, stamp: string) => {
    const input = edited(lived(BEFORE, files), 'article/a@en', fields);
    const side = input.remote.get(keyFrom('article/a@en'));
    if (side?.state !== 'known') throw new Error('it is shown');
    return makePlan(shown(input, 'article/a@en', { ...side, record: { ...side.record, stamp } }));
  };

  test.each([
    ['over these values', stampOver('article/a@en', newer), true],
    ['over another value', stampOver('article/a@en', { ...newer, title: 'A' }), undefined],
    ['of another key', stampOver('article/b@en', newer), undefined],
    ['that is none', 'a comment', undefined],
  ])('a stamp %s', (_, stamp, isOurs) => {
    expect(stamped(BEFORE, newer, stamp).drift).toMatchObject([{ fields: [{ field: 'title' }] }]);
    expect(stamped(BEFORE, newer, stamp).drift[0]?.isOurs).toBe(isOurs);
    expect(stamped(after, newer, stamp).conflicts).toMatchObject([{ code: 'both-changed' }]);
    expect(stamped(after, newer, stamp).conflicts[0]?.isOurs).toBe(isOurs);
  });
});

describe('what the base learns', () => {
  const theirs = (choices: Partial<Choices>) =>
    makePlan({
      ...edited(lived(BEFORE, BEFORE), 'article/a@en', { title: 'theirs' }),
      choices: { ...NO_CHOICES, ...choices },
    });

  test('of a value that the user let stand is both values: the next run does not ask again', () => {
    const plan = theirs({ onDrift: 'acknowledge' });
    expect(plan.learnt).toMatchObject([
      {
        how: 'acknowledged',
        record: { sent: { title: 'A' }, observed: { title: 'theirs' }, accepted: ['title'] },
      },
    ]);
    const [settled] = plan.learnt;
    if (settled === undefined || settled.how !== 'acknowledged') throw new Error('it is learnt');
    const input = edited(lived(BEFORE, BEFORE), 'article/a@en', { title: 'theirs' });
    const records = new Map([[settled.record.key, settled.record]]);
    const next = makePlan({ ...input, base: { ...input.base, records } });
    expect([next.unchanged, next.drift, next.learnt]).toEqual([1, [], []]);
    const more = edited(lived(BEFORE, BEFORE), 'article/a@en', { title: 'theirs', slug: 'theirs' });
    const choices = { ...NO_CHOICES, onDrift: 'acknowledge' as const };
    const again = makePlan({ ...more, base: { ...more.base, records }, choices });
    expect(again.learnt).toMatchObject([{ record: { accepted: ['slug', 'title'] } }]);
  });

  test('of a new value that arrived without what the service does not keep is both: it is not sent again', () => {
    const after = { 'article/a@en': { fields: { title: 'How to begin' }, body: '<p>one two</p>' } };
    const cut = edited(lived(BEFORE, after), 'article/a@en', { title: 'How to beg' });
    const habits = { 'article.title': { rewritings: [], losses: ['end@10'], additions: [] } };
    const plan = makePlan({ ...cut, ways: { ...cut.ways, habits } });
    expect(plan.changes).toEqual([]);
    expect(plan.learnt).toMatchObject([
      { record: { sent: { title: 'How to begin' }, observed: { title: 'How to beg' } } },
    ]);
    expect(makePlan(cut).conflicts).toMatchObject([{ code: 'both-changed' }]);
  });

  test('drops what the service once made of a value when it shows the file’s own now', () => {
    const after = { 'article/a@en': { fields: { title: 'B' }, body: '<p>one two</p>' } };
    const input = edited(lived(BEFORE, after), 'article/a@en', { title: 'B' });
    const records = new Map(
      [...input.base.records].map(([key, record]) => [
        key,
        { ...record, observed: { title: 'A!', content: 'rewritten' } },
      ]),
    );
    const plan = makePlan({ ...input, base: { ...input.base, records } });
    expect(plan.learnt).toMatchObject([{ how: 'refreshed', record: { sent: { title: 'B' } } }]);
    const [settled] = plan.learnt;
    expect(settled !== undefined && 'record' in settled && 'observed' in settled.record).toBe(false);
  });

  test('keeps what the service made of a value that it still shows so, and what the list showed', () => {
    const after = { 'article/a@en': { fields: { title: 'B' }, body: '<p>one two</p>' } };
    const input = edited(lived(BEFORE, after), 'article/a@en', { title: 'B', content: 'rewritten' });
    const records = new Map(
      [...input.base.records].map(([key, record]) => [
        key,
        { ...record, observed: { content: 'rewritten' }, lost: ['table'], seen: 'listed' },
      ]),
    );
    const plan = makePlan({ ...input, base: { ...input.base, records } });
    expect(plan.learnt).toMatchObject([
      {
        how: 'refreshed',
        record: {
          sent: { title: 'B' },
          observed: { content: { digest: digestOf('rewritten') } },
          lost: ['table'],
          seen: 'listed',
        },
      },
    ]);
  });

  test('is what the file owns: a field or text that left the file is not ours any more', () => {
    const owned = {
      'tag/t@en': { fields: { name: 'T', description: 'about' }, body: '<p>long</p>' },
    };
    const less = { 'tag/t@en': { fields: { name: 'U' }, body: null } };
    const input = edited(lived(owned, less), 'tag/t@en', { name: 'U' });
    const [settled] = makePlan(input).learnt;
    if (settled === undefined || settled.how !== 'refreshed') throw new Error('it is learnt');
    expect(settled.record.sent).toEqual({ name: 'U', slug: 't' });
  });

  test('of a record that is adopted by the service’s side is our value beside theirs, as far as theirs is shown', () => {
    const input = edited(lived(BEFORE, BEFORE), 'article/a@en', { title: 'theirs' });
    const side = input.remote.get(keyFrom('article/a@en'));
    if (side?.state !== 'known') throw new Error('it is shown');
    const { slug: _, ...fields } = side.record.fields;
    const hidden: RemoteSide = { state: 'known', record: { ...side.record, fields } };
    const plan = makePlan({
      ...shown(input, 'article/a@en', hidden),
      base: { ...input.base, records: new Map() },
      choices: { ...NO_CHOICES, adopt: 'remote' },
    });
    expect(plan.learnt).toMatchObject([
      {
        how: 'acknowledged',
        record: { ownership: 'adopted', sent: { slug: 'a' }, observed: { title: 'theirs' } },
      },
    ]);
  });
});

describe('what no decision asks for is a bug, and says so', () => {
  const input = lived(BEFORE, BEFORE);
  const key = keyFrom('article/a@en');
  const desired = input.desired.records.get(key);
  if (desired === undefined) throw new Error('a file gives a record');
  const unread: DecidedRecord = { desired, base: undefined, remote: { state: 'base' }, file: desired.fields };

  test('drift of a record that was not read', () => {
    expect(() => driftOf(unread, ['title'])).toThrow('bug: drift of article/a@en without a read');
  });

  test('a base record without an id', () => {
    expect(() => learntRecord(unread, { ...input, ids: new Map() }, [])).toThrow(
      'bug: article/a@en is learnt without an id',
    );
  });

  test('a change of a field that the file does not state', () => {
    const decision = { verdict: 'update', fields: ['excerpt'], drift: [], acknowledged: [] } as const;
    expect(() => updateChange(unread, decision)).toThrow(
      'bug: excerpt was decided, and the file does not state it',
    );
  });
});

describe('what file and service have come to agree on is learnt though another field stays open', () => {
  const NEW = '<p>three four</p>';
  const KEY = keyFrom('article/a@en');
  const learntOf = (input: PlanInput) =>
    makePlan(input).learnt.flatMap((each) => (each.how === 'refreshed' ? [each.record] : []));
  const withBase = (input: PlanInput, more: object): PlanInput => {
    const record = input.base.records.get(KEY);
    if (record === undefined) throw new Error('it is known');
    const records = new Map(input.base.records).set(KEY, { ...record, ...more });
    return { ...input, base: { ...input.base, records } };
  };

  test('beside a title that an editor changed: the file is known again by its text if it moves', () => {
    const merged = { 'article/a@en': { fields: { title: 'A' }, body: NEW } };
    const input = edited(lived(BEFORE, merged), 'article/a@en', { title: 'theirs', content: NEW });
    expect(makePlan(input).drift).toMatchObject([{ fields: [{ field: 'title' }] }]);
    expect(learntOf(input)).toMatchObject([
      {
        sent: { title: 'A', content: { digest: digestOf(NEW) } },
        input: input.desired.records.get(KEY)?.body?.inputDigest,
      },
    ]);
    const [record] = learntOf(input);
    if (record === undefined) throw new Error('it is learnt');
    const away = lived({}, { 'article/b@en': { fields: { title: 'A' }, body: NEW } }).desired;
    const { moves } = findMoves(away, { ...input.base, records: new Map([[record.key, record]]) });
    expect(moves).toMatchObject([{ how: 'moved', from: 'article/a@en', record: { key: 'article/b@en' } }]);
  });

  test('beside a conflict, without what was remembered of the value before', () => {
    const after = { 'article/a@en': { fields: { title: 'C' }, body: NEW } };
    const input = edited(lived(BEFORE, after), 'article/a@en', { title: 'theirs', content: NEW });
    const before = withBase(input, {
      observed: { content: { digest: digestOf('<p>was</p>') }, title: 'shown' },
      forms: { content: 'x' },
      accepted: ['content', 'title'],
    });
    expect(makePlan(before).conflicts).toMatchObject([{ code: 'both-changed' }]);
    const [record] = learntOf(before);
    expect(record).toMatchObject({ sent: { title: 'A' }, observed: { title: 'shown' }, accepted: ['title'] });
    expect([record?.observed?.['content'], record?.forms]).toEqual([undefined, undefined]);
    const [all] = learntOf(withBase(input, { observed: { content: null }, accepted: ['content'] }));
    expect([all?.observed, all?.accepted]).toEqual([undefined, undefined]);
  });

  test('of a field that is no text, the input of the text stays as it was', () => {
    const after = { 'article/a@en': { fields: { title: 'A', excerpt: 'new' }, body: '<p>one two</p>' } };
    const input = edited(lived(BEFORE, after), 'article/a@en', { title: 'theirs', excerpt: 'new' });
    expect(learntOf(input)).toMatchObject([
      { sent: { excerpt: 'new' }, input: input.base.records.get(KEY)?.input },
    ]);
  });

  describe('what only looks like the new value', () => {
    const WAS = { 'article/a@en': { fields: { title: 'A', excerpt: 'How to beg' }, body: '<p>one two</p>' } };
    const NOW = {
      'article/a@en': { fields: { title: 'C', excerpt: 'How to begin' }, body: '<p>one two</p>' },
    };
    const cuts = (input: PlanInput, field: string, loss: string): PlanInput => ({
      ...input,
      ways: { ...input.ways, habits: { [field]: { rewritings: [], losses: [loss], additions: [] } } },
    });

    test('is its form, if the service showed another one before', () => {
      const before = { 'article/a@en': { ...WAS['article/a@en'], fields: { title: 'A', excerpt: 'was' } } };
      const input = edited(lived(before, NOW), 'article/a@en', { title: 'theirs', excerpt: 'How to beg' });
      expect(learntOf(cuts(input, 'article.excerpt', 'end@10'))).toMatchObject([
        { sent: { title: 'A', excerpt: 'How to begin' }, observed: { excerpt: 'How to beg' } },
      ]);
    });

    test('is the value before, if that was shown already: the new one was never sent', () => {
      const input = edited(lived(WAS, NOW), 'article/a@en', { title: 'theirs' });
      expect(learntOf(cuts(input, 'article.excerpt', 'end@10'))).toEqual([]);
    });

    test('is an editor’s, if the file never said the field', () => {
      const before = { 'article/a@en': { ...WAS['article/a@en'], fields: { title: 'A' } } };
      const input = edited(lived(before, NOW), 'article/a@en', { title: 'theirs', excerpt: 'How to beg' });
      expect(learntOf(cuts(input, 'article.excerpt', 'end@10'))).toEqual([]);
    });

    test('is nothing, if the service does not show texts', () => {
      const after = { 'article/a@en': { fields: { title: 'C' }, body: NEW } };
      const input = edited(lived(BEFORE, after), 'article/a@en', { title: 'theirs', content: '' });
      const { ways } = input;
      const unread = withBase(input, unreadForms('article', { content: '<p>one two</p>' }, ways));
      expect(learntOf(cuts(unread, 'article.content', 'value'))).toEqual([]);
      expect(makePlan(cuts(unread, 'article.content', 'value')).conflicts).toHaveLength(1);
    });
  });

  test('nothing where they agree on nothing new', () => {
    expect(learntOf(edited(lived(BEFORE, BEFORE), 'article/a@en', { title: 'theirs' }))).toEqual([]);
  });
});

test('the changes of a first sync have one shape, which is kept once and not for each of them', () => {
  const input = lived({}, { 'article/a@en': { fields: { title: 'A' }, body: '<p>one</p>' } });
  const desired = input.desired.records.get(keyFrom('article/a@en'));
  if (desired === undefined) throw new Error('there is a file');
  const file = { title: 'A' };
  const sides: DecidedRecord = { desired, base: undefined, remote: { state: 'absent' }, file };
  expect(keptBytes(20_000, () => createChange(sides, input))).toBeLessThan(350);
});

describe('a page that a pull has made a file of, in a clone without a state', () => {
  const TEXT = '<p>one <acronym>two</acronym></p>';
  /** `content` is what the service shows. */
  const cloned = (content: string | null, more: Partial<Files[string]> = {}): PlanInput => {
    const files = { 'article/a@en': { ...BEFORE['article/a@en'], ...more } };
    const { base, ...input } = edited(lived(BEFORE, files), 'article/a@en', { content });
    const asPulled = (_: unknown, shownText: string): string => shownText.replaceAll(/<\/?acronym>/g, '');
    return { ...input, base: { ...base, records: new Map() }, desired: { ...input.desired, asPulled } };
  };

  test('is in sync if a pull makes the text of the file of that of the service, and the base learns both', () => {
    const { changes, conflicts, learnt } = makePlan(cloned(TEXT));
    expect([changes, conflicts]).toEqual([[], []]);
    expect(learnt).toMatchObject([
      {
        how: 'adopted',
        record: {
          sent: { content: { digest: digestOf(BEFORE['article/a@en'].body) } },
          observed: { content: { digest: digestOf(TEXT) } },
        },
      },
    ]);
  });

  test('is a conflict if it makes another one, or if the service shows none', () => {
    for (const content of [TEXT.replace('one', 'three'), null])
      expect(makePlan(cloned(content)).conflicts).toMatchObject([
        { code: 'both-new', fields: [{ field: 'content' }] },
      ]);
  });

  test('is a conflict of its title alone if only that differs', () => {
    const { conflicts } = makePlan(cloned(TEXT, { fields: { title: 'B' } }));
    expect(conflicts.map(({ fields }) => fields.map(({ field }) => field))).toEqual([['title']]);
  });
});
