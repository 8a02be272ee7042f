import { describe, expect, test } from 'vitest';
import type { Key } from '../../src/model/key.ts';
import { familyOf } from '../../src/model/key.ts';
import type { BaseRecord } from '../../src/model/record.ts';
import { makePlan } from '../../src/plan/making/make-plan.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { PlanInput } from '../../src/plan/plan-input.ts';
import type { Files } from './support/plan-model.ts';
import { edited, keyFrom, lived, shown } from './support/plan-model.ts';
import { WatchedMap } from './support/watched-map.ts';

const AT = { file: 'content/en/articles/a.md', line: 1, column: 1 };
const STAYS = { 'article/stays@en': {} };

function said({ changes, kept, conflicts, learnt }: Plan): readonly string[] {
  return [
    ...changes.map(({ action, key }) => `${action} ${key}`),
    ...kept.map(({ key, reason }) => `${key} stays: ${reason}`),
    ...conflicts.map(({ key, code }) => `${key} ${code}`),
    ...learnt.flatMap((each) => (each.how === 'forgotten' ? [`${each.key} is forgotten`] : [])),
  ];
}

/** The plan after these files went. */
function without(gone: Files, more: Partial<PlanInput> = {}, rest: Files = STAYS): PlanInput {
  return lived({ ...rest, ...gone }, rest, more);
}

function listedAs(view: Partial<NonNullable<ReturnType<PlanInput['views']['get']>>>) {
  return { name: '', languages: [], ...view };
}

describe('a record whose file is gone', () => {
  const gone = { 'article/a@en': {}, 'article/b@en': {} };

  test('is deleted with --prune, and stays without', () => {
    expect(said(makePlan(without(gone)))).toEqual(['delete article/a@en', 'delete article/b@en']);
    expect(said(makePlan(without(gone, { prune: false })))).toEqual([
      'article/a@en stays: no-prune',
      'article/b@en stays: no-prune',
    ]);
  });

  describe('of which an editor set what no file says', () => {
    const one = { 'article/a@en': {} };
    const banner = (more: Partial<PlanInput> = {}): PlanInput =>
      edited(without(one, more), 'article/a@en', { seoBannerUrl: 'https://cdn.example.com/a.png' });
    const known = (input: PlanInput, before: string | undefined, now: string): PlanInput => ({
      ...input,
      base: {
        ...input.base,
        records: new Map(
          [...input.base.records].map(([key, record]) => [
            key,
            before === undefined ? record : { ...record, seen: before },
          ]),
        ),
      },
      seen: new Map([...input.base.records.keys()].map((key) => [familyOf(key), now])),
    });

    test('is a conflict if the list shows an edit since the last sync, or nobody knows', () => {
      for (const before of ['1', undefined]) {
        const plan = makePlan(known(banner(), before, '2'));
        expect(said(plan)).toEqual(['article/a@en delete-modified']);
        expect(plan.conflicts[0]?.fields).toEqual([
          { field: 'seoBannerUrl', base: undefined, remote: 'https://cdn.example.com/a.png' },
        ]);
      }
    });

    test('is deleted if it was so at the last sync, or by choice; the other choice leaves it there', () => {
      expect(said(makePlan(known(banner(), '1', '1')))).toEqual(['delete article/a@en']);
      const choosing = (onConflict: 'local' | 'remote'): readonly string[] => {
        const input = known(banner(), '1', '2');
        return said(makePlan({ ...input, choices: { ...input.choices, onConflict } }));
      };
      expect(choosing('local')).toEqual(['delete article/a@en']);
      expect(choosing('remote')).toEqual(['article/a@en is forgotten']);
    });

    test('is deleted if it is a translation that has it of its original', () => {
      const [original, french] = ['article/stays@en', 'article/stays@fr'];
      const url = 'https://cdn.example.com/a.png';
      const translation = (of: string | null): PlanInput =>
        edited(edited(without({ [french]: {} }), original, { seoBannerUrl: of }), french, {
          seoBannerUrl: url,
        });
      expect(said(makePlan(known(translation(url), '1', '2')))).toEqual([`delete ${french}`]);
      for (const other of [null, 'https://cdn.example.com/b.png'])
        expect(said(makePlan(known(translation(other), '1', '2')))).toEqual([`${french} delete-modified`]);
      const input = known(translation(url), '1', '2');
      const alone = new Map([...input.remote].filter(([key]) => key !== original));
      expect(said(makePlan({ ...input, remote: alone }))).toContain(`${french} delete-modified`);
    });

    test('is a conflict if it is an excerpt that is not of the text', () => {
      const shown = (excerpt: string, content = '<p>It is <b>so</b>.</p>'): readonly string[] => {
        const input = edited(without(one), 'article/a@en', { excerpt, content });
        const { base } = input;
        const withoutText = ([key, record]: readonly [Key, BaseRecord]) => {
          const sent = Object.entries(record.sent).filter(([name]) => name !== 'content');
          return [key, { ...record, sent: Object.fromEntries(sent) }] as const;
        };
        const records = new Map([...base.records].map(withoutText));
        return said(makePlan(known({ ...input, base: { ...base, records } }, '1', '2')));
      };
      expect(shown('Words of an editor')).toEqual(['article/a@en delete-modified']);
      expect(shown('It is so')).toEqual(['delete article/a@en']);
      const beginning =
        '<p>A <code>List&lt;Item&gt;</code><sup><a href="#fn-1">1</a></sup> is kept &amp; sent.</p>';
      for (const excerpt of [
        'A List<Item> is kept & sent.',
        'A List&lt;Item&gt; is kept &amp; sent.',
        'A List<Item> is…',
      ])
        expect(shown(excerpt, beginning)).toEqual(['delete article/a@en']);
    });

    test('stays without a word where nothing is to be deleted', () => {
      expect(said(makePlan(known(banner({ prune: false }), '1', '2')))).toEqual([
        'article/a@en stays: no-prune',
      ]);
    });
  });

  test('stays while it was not read, or cannot be', () => {
    const wanted = ['article/a@en stays: unreadable'];
    const one = { 'article/a@en': {} };
    const { remote, ...rest } = without(one);
    const unread = new Map([...remote].filter(([key]) => key !== 'article/a@en'));
    expect(said(makePlan({ ...rest, remote: unread }))).toEqual(wanted);
    expect(said(makePlan(shown(without(one), 'article/a@en', { state: 'unreadable', why: '' })))).toEqual(
      wanted,
    );
  });

  test('stays while its own file has errors, and while that of another record has', () => {
    const input = without(gone, { only: undefined });
    const withheld = new Map([
      [keyFrom('article/a@en'), { message: 'content/en/articles/a.md has errors', at: AT }],
    ]);
    const plan = makePlan({ ...input, desired: { ...input.desired, withheld } });
    expect(said(plan)).toEqual(['article/b@en stays: unsettled']);
    expect(plan.blocked).toMatchObject([{ key: 'article/a@en', reason: 'file-errors', at: AT }]);
    expect(plan.excluded).toEqual([]);
    // A run over another language neither names it nor touches it.
    const other = makePlan({ ...input, languages: ['fr'], desired: { ...input.desired, withheld } });
    expect([said(other), other.blocked]).toEqual([[], []]);
  });

  test('stays while the settings exclude its file, and is named as excluded', () => {
    const input = without(gone, { only: undefined });
    const excluded = () => new Set([keyFrom('article/a@en')]);
    const plan = makePlan({ ...input, desired: { ...input.desired, excluded } });
    expect(said(plan)).toEqual(['delete article/b@en']);
    expect(plan.excluded).toEqual(['article/a@en']);
  });

  test('is a conflict when somebody edited it, with both values, and nothing else is deleted beside it', () => {
    const plan = makePlan(edited(without(gone), 'article/a@en', { title: 'theirs' }));
    expect(said(plan)).toEqual(['article/b@en stays: unsettled', 'article/a@en delete-modified']);
    expect(plan.conflicts[0]).toMatchObject({
      id: 'id-article/a',
      witness: 'state',
      fields: [{ field: 'title', base: 'a in en', remote: 'theirs' }],
    });
  });

  test('is a conflict, too, when a field is not shown any more', () => {
    const input = without({ 'article/a@en': { fields: { excerpt: 'about' } } });
    const side = input.remote.get(keyFrom('article/a@en'));
    if (side?.state !== 'known') throw new Error('it is shown');
    const { excerpt: _, ...fields } = side.record.fields;
    const bare = shown(input, 'article/a@en', { state: 'known', record: { ...side.record, fields } });
    expect(makePlan(bare).conflicts[0]?.fields).toEqual([{ field: 'excerpt', base: 'about' }]);
  });

  test('is forgotten when it is gone from the service too', () => {
    const input = shown(without({ 'article/a@en': {} }), 'article/a@en', { state: 'absent' });
    expect(said(makePlan(input))).toEqual(['article/a@en is forgotten']);
  });

  test('is deleted by the id under which it is shown; where the list proves it unedited, by the one that is known', () => {
    const input = without({ 'article/a@en': {} });
    const side = input.remote.get(keyFrom('article/a@en'));
    if (side?.state !== 'known') throw new Error('it is shown');
    const own = shown(input, 'article/a@en', { state: 'known', record: { ...side.record, ownId: '77' } });
    expect(makePlan(own).changes[0]?.id).toBe('77');
    expect(makePlan(shown(input, 'article/a@en', { state: 'base' })).changes[0]?.id).toBe('id-article/a');
  });

  test('is named by title or name and slug, as far as the state keeps them', () => {
    const named = makePlan(without({ 'article/a@en': {}, 'tag/t@en': {} })).changes;
    expect(named.map(({ name, slug }) => [name, slug])).toEqual([
      ['a in en', 'a'],
      ['t in en', 't'],
    ]);
    const long = { title: 't'.repeat(300), slug: 's'.repeat(300) };
    const [change] = makePlan(without({ 'article/a@en': { fields: long } })).changes;
    expect([change?.name, change?.slug]).toEqual(['', '']);
  });

  test('stays while something else in the plan is open', () => {
    const input = without({ 'article/a@en': {} });
    const open = {
      ...input,
      pending: new Map([[keyFrom('article/stays@en'), 'no answer yet']]),
    };
    expect(said(makePlan(open))).toEqual(['article/a@en stays: unsettled']);
    const cut = { ...input, lists: { ...input.lists, tag: { complete: false, count: 25, why: 'cut' } } };
    expect(said(makePlan(cut))).toEqual(['article/a@en stays: unsettled']);
  });

  test('names what holds it: conflicts, blocked records and lists; a list that somebody vouches for holds nothing', () => {
    const input = without({ 'article/a@en': {} });
    const wait = { ...input, pending: new Map([[keyFrom('article/stays@en'), 'no answer yet']]) };
    expect(makePlan(wait).holds).toEqual([{ what: 'blocked', key: 'article/stays@en' }]);
    const cut = { ...input, lists: { ...input.lists, tag: { complete: false, count: 25, why: 'cut' } } };
    expect(makePlan(cut).holds).toEqual([{ what: 'list', kind: 'tag', why: 'cut', isLeaky: false }]);
    const tag = { complete: false, count: 25, why: 'cut', isUnread: true };
    expect(makePlan({ ...input, lists: { ...input.lists, tag } }).holds).toEqual([
      { what: 'list', kind: 'tag', why: 'cut', isLeaky: false, isUnread: true },
    ]);
    const bare = { ...input, lists: { ...input.lists, article: { complete: false, count: 25 } } };
    expect(makePlan(bare).holds).toMatchObject([{ why: 'nothing proves that it is complete' }]);
    expect(makePlan({ ...input, prune: false }).holds).toEqual([]);
    const vouched = { ...cut, allow: new Set(['incomplete-list'] as const) };
    expect(makePlan(vouched)).toMatchObject({ holds: [], changes: [{ action: 'delete' }] });
    const leaky = {
      ...vouched,
      lists: { ...input.lists, tag: { complete: false, count: 25, why: 'cut', isLeaky: true } },
    };
    expect(makePlan(leaky)).toMatchObject({ holds: [{ what: 'list', isLeaky: true }], changes: [] });
    const two = without({ 'article/a@en': {}, 'article/b@en': {} });
    const side = two.remote.get(keyFrom('article/b@en'));
    if (side?.state !== 'known') throw new Error('it is shown');
    const record = { ...side.record, fields: { ...side.record.fields, title: 'Theirs' } };
    expect(makePlan(shown(two, 'article/b@en', { state: 'known', record })).holds).toEqual([
      { what: 'conflict', key: 'article/b@en' },
    ]);
  });

  test('is not touched by a run that is about others', () => {
    expect(said(makePlan(without({ 'article/a@fr': {} }, { languages: ['en'] })))).toEqual([]);
  });
});

describe('an original whose file is gone', () => {
  const family = { 'article/a@en': {}, 'article/a@fr': {} };

  test('is deleted after its translations', () => {
    expect(said(makePlan(without(family)))).toEqual(['delete article/a@en', 'delete article/a@fr']);
    expect(makePlan(without(family)).changes.map(({ isTranslation }) => isTranslation === true)).toEqual([
      false,
      true,
    ]);
  });

  test('stays while the file of a translation is there', () => {
    const left = { ...STAYS, 'article/a@fr': {} };
    const plan = makePlan(lived({ ...STAYS, ...family }, left));
    expect(said(plan)).toEqual(['article/a@en stays: translations']);
  });

  test('stays while a translation stays, or one is listed that is not ours', () => {
    const unread = shown(without(family), 'article/a@fr', { state: 'unknown', why: '' });
    expect(said(makePlan(unread))).toEqual([
      'article/a@fr stays: unreadable',
      'article/a@en stays: translations',
    ]);
    const views = new Map([[familyOf(keyFrom('article/a@en')), listedAs({ languages: ['de', 'fr'] })]]);
    expect(said(makePlan(without(family, { views })))).toEqual([
      'delete article/a@fr',
      'article/a@en stays: translations',
    ]);
  });

  test('goes where the list calls the translation that was read by its region, and stays where nobody read one', () => {
    const named = (languages: readonly string[]) => ({
      views: new Map([[familyOf(keyFrom('article/a@en')), listedAs({ languages })]]),
    });
    const all = ['delete article/a@en', 'delete article/a@fr'];
    expect(said(makePlan(without(family, named(['fr-FR']))))).toEqual(all);
    const stays = ['delete article/a@fr', 'article/a@en stays: translations'];
    expect(said(makePlan(without(family, named(['fr', 'fr-CA']))))).toEqual(stays);
    const gone = shown(without(family, named(['fr-CA'])), 'article/a@fr', { state: 'absent' });
    expect(said(makePlan(gone))).toEqual(['article/a@en stays: translations', 'article/a@fr is forgotten']);
    // One of the two is somebody else's, and so is what an editor made for a region of the original's language.
    expect(said(makePlan(without(family, named(['fr-FR', 'fr-CA']))))).toEqual(stays);
    expect(said(makePlan(without(family, named(['fr', 'en-GB']))))).toEqual(stays);
  });

  test('goes where its translation is gone from the service already', () => {
    const input = shown(without(family), 'article/a@fr', { state: 'absent' });
    expect(said(makePlan(input))).toEqual(['delete article/a@en', 'article/a@fr is forgotten']);
  });

  test('stays where the user let an edited translation stand', () => {
    const choices = { onConflict: 'remote', onDrift: 'report', adopt: 'fail' } as const;
    const input = edited(without(family, { choices }), 'article/a@fr', { title: 'theirs' });
    expect(said(makePlan(input))).toEqual(['article/a@en stays: translations', 'article/a@fr is forgotten']);
  });
});

describe('a translation whose file moved away from its original', () => {
  const before = { 'article/a@en': {}, 'article/a@fr': { body: '<p>fr</p>' } };
  const moved = (sketch: Files[string]) =>
    makePlan(lived(before, { 'article/a@en': {}, 'article/moved/a@fr': sketch }));

  test('stays while its slug or its text says that it is the same', () => {
    const wanted = ['article/a@fr stays: unsettled'];
    expect(said(moved({ body: '<p>other</p>' }))).toEqual(wanted);
    expect(said(moved({ fields: { slug: 'other' }, body: '<p>fr</p>' }))).toEqual(wanted);
  });

  test('stays after an edit whose answer was lost: the base knows the text that was sent, not what it was made of', () => {
    const after = (body: string) => {
      const files = { 'article/a@en': {}, 'article/moved/a@fr': { fields: { slug: 'other' }, body } };
      const input = lived(before, files);
      const key = keyFrom('article/a@fr');
      const { input: _, ...base } = input.base.records.get(key) as BaseRecord;
      const records = new Map([...input.base.records, [key, base]]);
      return said(makePlan({ ...input, base: { ...input.base, records } }));
    };
    expect(after('<p>fr</p>')).toEqual(['article/a@fr stays: unsettled']);
    expect(after('<p>other</p>')).toEqual(['delete article/a@fr']);
  });

  test('is gone where both are others', () => {
    expect(said(moved({ fields: { slug: 'other' }, body: '<p>other</p>' }))).toEqual(['delete article/a@fr']);
  });

  test('is gone where the file that resembles it is of another language or kind, or has an original', () => {
    const after = (text: string, more: Files = {}) =>
      said(makePlan(lived(before, { 'article/a@en': {}, [text]: { fields: { slug: 'a' } }, ...more })));
    expect(after('article/moved/a@de')).toEqual(['delete article/a@fr']);
    expect(after('tag/a@fr')).toEqual(['delete article/a@fr']);
    expect(after('article/moved/a@fr', { 'article/moved/a@en': { fields: { slug: 'x' } } })).toEqual([
      'create article/moved/a@en',
      'create article/moved/a@fr',
      'delete article/a@fr',
    ]);
  });

  test('without a text is known by its slug alone', () => {
    const tags = { 'tag/t@en': {}, 'tag/t@fr': {} };
    const after = { 'tag/t@en': {}, 'tag/moved/t@fr': { fields: { slug: 'other' } } };
    expect(said(makePlan(lived(tags, after)))).toEqual(['delete tag/t@fr']);
  });
});

describe('a category or tag whose file is gone', () => {
  const views = new Map(
    ['category/c@en', 'tag/t@en'].map(
      (text) => [familyOf(keyFrom(text)), listedAs({ inUse: true })] as const,
    ),
  );

  test('stays while an article that stays is in it', () => {
    expect(said(makePlan(without({ 'category/c@en': {}, 'tag/t@en': {} }, { views })))).toEqual([
      'category/c@en stays: in-use',
      'tag/t@en stays: in-use',
    ]);
  });

  test('goes when articles are written or deleted in the same run: what is in it then is looked up before the delete', () => {
    expect(said(makePlan(without({ 'category/c@en': {}, 'article/a@en': {} }, { views })))).toEqual([
      'delete article/a@en',
      'delete category/c@en',
    ]);
    const rest = { 'article/stays@en': { fields: { title: 'B' } } };
    const input = lived({ ...STAYS, 'category/c@en': {} }, rest, { views });
    expect(said(makePlan(input))).toEqual(['update article/stays@en', 'delete category/c@en']);
  });
});

describe('a category or tag that our own records are in', () => {
  const users = ({ kept }: Plan) => kept.map(({ key, reason, users: names }) => [key, reason, names]);
  const before = { 'article/a@en': {}, 'article/a@fr': {}, 'category/c@en': {}, 'tag/t@en': {} };
  const after = { 'article/a@en': {}, 'article/a@fr': {} };
  const filed = { categories: ['id-category/c'], tags: ['id-tag/t'] };

  test('stays while somebody has filed an article there and the file leaves that alone, with the names of those articles', () => {
    const drifted = edited(lived(before, after), 'article/a@en', filed);
    expect(users(makePlan(drifted))).toEqual([
      ['category/c@en', 'in-use', ['article/a@en']],
      ['tag/t@en', 'in-use', ['article/a@en']],
    ]);
    expect(users(makePlan(edited(drifted, 'article/a@fr', filed)))[0]?.[2]).toEqual([
      'article/a@en',
      'article/a@fr',
    ]);
  });

  test('goes when the same run takes the article out of it, which it does where the file states what it is filed under', () => {
    const drifted = edited(lived(before, after), 'article/a@en', filed);
    const choices = { onConflict: 'fail', onDrift: 'overwrite', adopt: 'fail' } as const;
    expect(said(makePlan({ ...drifted, choices }))).toEqual([
      'update article/a@en',
      'delete category/c@en',
      'tag/t@en stays: in-use',
    ]);
    const moved = lived({ ...before, 'article/a@en': { fields: { categories: ['category/c'] } } }, after);
    expect(said(makePlan(moved))).toContain('delete category/c@en');
  });

  test('goes when the article goes, from here or from the service', () => {
    const drifted = edited(lived(before, { 'article/stays@en': {} }), 'article/a@en', filed);
    const choices = { onConflict: 'local', onDrift: 'report', adopt: 'fail' } as const;
    expect(said(makePlan({ ...drifted, choices }))).toContain('delete category/c@en');
    const inBoth = { ...before, 'article/a@en': { fields: { categories: ['category/c'] } } };
    const lost = shown(lived(inBoth, { 'article/stays@en': {} }), 'article/a@en', { state: 'absent' });
    expect(said(makePlan(lost))).toContain('delete category/c@en');
  });

  test('is not said to hold an article that is gone from the service', () => {
    const inBoth = { ...before, 'article/a@en': { fields: { categories: ['category/c'] } } };
    const lost = shown(lived(inBoth, after), 'article/a@en', { state: 'absent' });
    expect(users(makePlan(lost))).toEqual([
      ['category/c@en', 'unsettled', undefined],
      ['tag/t@en', 'unsettled', undefined],
    ]);
  });

  test('stays while an article is there that was let stand, as the state remembers it', () => {
    const input = lived(before, after);
    const records = new Map(
      [...input.base.records].map(([key, record]) => [
        key,
        key === 'article/a@en' ? { ...record, observed: { categories: ['id-category/c'] } } : record,
      ]),
    );
    const unread = shown({ ...input, base: { ...input.base, records } }, 'article/a@en', { state: 'base' });
    expect(users(makePlan(unread))).toEqual([['category/c@en', 'in-use', ['article/a@en']]]);
  });

  test('goes though its id is that of a category in use: a service may count each kind apart', () => {
    const drifted = edited(lived(before, after), 'article/a@en', { categories: ['id-tag/t'] });
    expect(said(makePlan(drifted))).toContain('delete tag/t@en');
  });

  test('goes when the category below it moves to the top in the same run', () => {
    const tree = { 'category/a@en': {}, 'category/b@en': { fields: { categoryParent: 'category/a' } } };
    const plan = makePlan(lived(tree, { 'category/b@en': { fields: { categoryParent: null } } }));
    expect(said(plan)).toEqual(['update category/b@en', 'delete category/a@en']);
  });

  test('stays with the category below it that stays', () => {
    const tree = {
      ...before,
      'category/top@en': {},
      'category/c@en': { fields: { categoryParent: 'category/top' } },
    };
    const drifted = edited(lived(tree, after), 'article/a@en', { categories: ['id-category/c'] });
    expect(users(makePlan(drifted))).toEqual([
      ['category/c@en', 'in-use', ['article/a@en']],
      ['category/top@en', 'in-use', ['category/c@en']],
    ]);
  });
});

describe('categories whose files are gone', () => {
  const below = (parent: string): Files[string] => ({ fields: { categoryParent: `category/${parent}` } });
  const tree = { 'category/a@en': {}, 'category/b@en': below('a'), 'category/c@en': below('b') };
  const deepestFirst = ['delete category/c@en', 'delete category/b@en', 'delete category/a@en'];

  test('are deleted from the bottom up', () => {
    expect(said(makePlan(without(tree)))).toEqual(deepestFirst);
  });

  test('are deleted from the bottom up by what the state says where the service was not read', () => {
    const input = without(tree);
    const unread = Object.keys(tree).reduce((so, text) => shown(so, text, { state: 'base' }), input);
    expect(said(makePlan(unread))).toEqual(deepestFirst);
  });

  test('are deleted in the order of their keys where they contain each other', () => {
    const circle = { 'category/a@en': below('b'), 'category/b@en': below('a') };
    expect(said(makePlan(without(circle)))).toEqual(['delete category/a@en', 'delete category/b@en']);
  });
});

test('a record that was adopted is deleted like one that was made', () => {
  const input = without({ 'article/a@en': {} });
  const adopted = (record: BaseRecord): BaseRecord => ({ ...record, ownership: 'adopted' });
  const records = new Map([...input.base.records].map(([key, record]) => [key, adopted(record)]));
  expect(said(makePlan({ ...input, base: { ...input.base, records } }))).toEqual(['delete article/a@en']);
});

test('many deletes, and categories in categories that keep each other, need no more looks through all records', () => {
  const looksAt = (count: number): number => {
    const below = (n: number) => (n === 0 ? {} : { fields: { categoryParent: `category/c${n - 1}` } });
    const numbers = Array.from({ length: count }, (_, n) => n);
    const gone = Object.fromEntries([
      ...numbers.map((n) => [`category/c${n}@en`, below(n)] as const),
      ...numbers.map((n) => [`article/a${n}@en`, {}] as const),
    ]);
    const rest = { 'article/stays@en': { fields: { categories: [`category/c${count - 1}`] } } };
    const input = without(gone, { maxDelete: 1000 }, rest);
    const base = new WatchedMap(input.base.records);
    const desired = new WatchedMap(input.desired.records);
    const plan = makePlan({
      ...input,
      base: { ...input.base, records: base },
      desired: { ...input.desired, records: desired },
    });
    expect([plan.changes.length, plan.kept.length]).toEqual([count, count]);
    return base.looks + desired.looks;
  };
  expect(looksAt(40)).toBe(looksAt(5));
});
