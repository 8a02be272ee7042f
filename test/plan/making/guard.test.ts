import { describe, expect, test } from 'vitest';
import { digestOfText } from '../../../src/model/digest.ts';
import { keyOf } from '../../../src/model/key.ts';
import type { BaseState, DesiredState } from '../../../src/model/record.ts';
import type { GuardInput } from '../../../src/plan/making/guard.ts';
import { refusals } from '../../../src/plan/making/guard.ts';
import type { Change } from '../../../src/plan/plan.ts';
import type { Relation } from '../../../src/model/revision.ts';
import { desiredState } from '../../support/desired.ts';
import { baseRecord, emptyBase } from '../support/plan-inputs.ts';

/** A run over `count` managed articles with their files, in sync with the service. */
function guarded(count: number, more: Partial<GuardInput> = {}): GuardInput {
  return {
    desired: files(count),
    base: managed(count),
    changes: [],
    blocked: [],
    gone: 0,
    prune: true,
    languages: undefined,
    maxDelete: undefined,
    allow: new Set(),
    lists: {
      article: { complete: true, count },
      category: { complete: true, count: 0 },
      tag: { complete: true, count: 0 },
    },
    knownIds: count,
    knownIdsSeen: count,
    ...more,
  };
}

function files(count: number): DesiredState {
  return desiredState(
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`article/a${index}@en`, {}])),
  );
}

function managed(count: number): BaseState {
  const base = emptyBase(
    Array.from({ length: count }, (_, index) =>
      baseRecord(keyOf('article', `a${index}`, 'en'), 'article', `${index}`, {}),
    ),
  );
  return { ...base, scopeDigest: digestOfText('scope') };
}

function deletes(count: number): readonly Change[] {
  return Array.from({ length: count }, (_, index) => ({
    action: 'delete',
    kind: 'article',
    key: keyOf('article', `a${index}`, 'en'),
    lang: 'en',
    slug: '',
    name: '',
    fields: [],
  }));
}

function said(input: GuardInput): readonly string[] {
  return refusals(input).map(({ code, message, flag }) => `${code}: ${message} (${flag})`);
}

test('a run in sync, and one that deletes within the limit, are not refused', () => {
  expect(said(guarded(20))).toEqual([]);
  expect(said(guarded(20, { gone: 10, changes: deletes(10) }))).toEqual([]);
  expect(said(guarded(0))).toEqual([]);
});

describe('files that vanished', () => {
  const empty = 'the content folder holds no records, but the last sync left 3 on the service';

  test('an empty folder is refused, whether records would be deleted or not', () => {
    for (const prune of [true, false])
      expect(said(guarded(3, { desired: files(0), gone: 3, prune }))).toEqual([
        `files-vanished: ${empty}; is this the right folder and a full checkout? (--allow-vanished)`,
      ]);
  });

  test('an empty folder is right where nothing was ever synced', () => {
    expect(said(guarded(0, { desired: files(0) }))).toEqual([]);
  });

  test('more than half of ten records or more are not deleted at once', () => {
    const most = guarded(10, { desired: files(4), gone: 6 });
    expect(said(most)).toEqual([
      'files-vanished: the files of 6 of 10 managed records are gone; is this the right folder and a full checkout? (--allow-vanished)',
    ]);
    expect(said({ ...most, gone: 5 })).toEqual([]);
    expect(said({ ...most, prune: false })).toEqual([]);
    expect(said(guarded(9, { desired: files(3), gone: 6 }))).toEqual([]);
  });

  test('all of one language are as many as all, when the run is about that language', () => {
    const french = Array.from({ length: 10 }, (_, index) =>
      baseRecord(keyOf('article', `a${index}`, 'fr'), 'article', `${index}`, {}),
    );
    const base = { ...managed(90), records: new Map([...managed(90).records, ...emptyBase(french).records]) };
    const all = guarded(90, { base, gone: 10, changes: deletes(10) });
    expect(said(all)).toEqual([]);
    expect(said({ ...all, languages: ['fr'] })).toEqual([
      'files-vanished: the files of 10 of 10 managed records are gone; is this the right folder and a full checkout? (--allow-vanished)',
    ]);
    expect(said({ ...all, languages: ['fr'], gone: 4, changes: deletes(11) })).toEqual([
      'too-many-deletes: 11 of 10 managed records would be deleted; the limit is 10 (--max-delete 11)',
    ]);
  });

  test('--allow-vanished lifts it', () => {
    const allow = new Set(['vanished'] as const);
    expect(said(guarded(3, { desired: files(0), gone: 3, allow }))).toEqual([]);
  });
});

describe('a checkout that may be incomplete', () => {
  const doubts = ['the checkout is sparse', 'a merge is under way'];

  test('is refused with every doubt, before anything is deleted', () => {
    expect(said(guarded(20, { gone: 1, doubts }))).toEqual([
      'checkout-incomplete: 1 managed record has no file, and the checkout may be incomplete: the checkout is sparse; a merge is under way (--allow-checkout)',
    ]);
    expect(said(guarded(20, { gone: 2, doubts }))[0]).toContain('2 managed records have no file');
  });

  test('is no matter where nothing is deleted, or the user vouches for it', () => {
    expect(said(guarded(20, { gone: 0, doubts }))).toEqual([]);
    expect(said(guarded(20, { gone: 1, doubts, prune: false }))).toEqual([]);
    expect(said(guarded(20, { gone: 1, doubts, allow: new Set(['checkout']) }))).toEqual([]);
    expect(said(guarded(20, { gone: 1, doubts: [] }))).toEqual([]);
  });
});

describe('a layout, filter or list of languages that changed', () => {
  const other: Partial<GuardInput> = {
    gone: 2,
    desired: { ...files(18), scopeDigest: digestOfText('other') },
  };

  test('is refused while records have no file', () => {
    expect(said(guarded(20, other))).toEqual([
      'scope-changed: the layout, filters or languages in the config changed since the last sync and 2 records have no file now; deleting them may not be what you want (--allow-scope-change)',
    ]);
  });

  test('is no matter where nothing is deleted, or the user vouches for it, or no scope was kept', () => {
    expect(said(guarded(20, { ...other, gone: 0 }))).toEqual([]);
    expect(said(guarded(20, { ...other, prune: false }))).toEqual([]);
    expect(said(guarded(20, { ...other, allow: new Set(['scope-change']) }))).toEqual([]);
    const { scopeDigest: _, ...base } = managed(20);
    expect(said(guarded(20, { ...other, base }))).toEqual([]);
  });
});

describe('a service that is not the one of the last sync', () => {
  const none = { complete: true, count: 0 };

  test('is refused when it shows nothing at all', () => {
    const empty = guarded(20, { lists: { article: none, category: none, tag: none }, knownIdsSeen: 0 });
    expect(said(empty)).toEqual([
      'remote-empty: the service shows no record at all, but the last sync left 20 there; is this the right knowledge base and key? (--allow-empty-remote)',
    ]);
    expect(said({ ...empty, allow: new Set(['empty-remote']) })).toEqual([]);
    expect(said({ ...empty, base: managed(0), desired: files(0), knownIds: 0 })).toEqual([]);
  });

  test('is refused when it shows fewer than half of five known records or more', () => {
    expect(said(guarded(5, { knownIdsSeen: 2 }))).toEqual([
      'wrong-remote: the service shows only 2 of the 5 records of the last sync; is this the right knowledge base and key? (--allow-empty-remote)',
    ]);
    expect(said(guarded(5, { knownIdsSeen: 2, allow: new Set(['empty-remote']) }))).toEqual([]);
    expect(said(guarded(6, { knownIdsSeen: 3 }))).toEqual([]);
    expect(said(guarded(4, { knownIdsSeen: 1 }))).toEqual([]);
  });
});

describe('a list that may be cut', () => {
  const key = keyOf('article', 'a0', 'en');
  const blocked = [{ key, reason: 'list-incomplete', message: '' }] as const;
  const cut = { complete: false, count: 25, why: 'exactly a limit' };
  const fresh = (article: GuardInput['lists']['article']): GuardInput =>
    guarded(1, { base: managed(0), knownIds: 0, blocked, lists: { ...guarded(1).lists, article } });
  const message = (why: string) =>
    `list-incomplete: the article list may be truncated (${why}) and there is no state file, so existing records could be created twice; restore the state file of the last sync, give every article a tag so kbsync can find it, or confirm that the list is complete (--assume-complete)`;

  test('stops a clone without a state, and says why it is in doubt or how long it is', () => {
    expect(said(fresh(cut))).toEqual([message('exactly a limit')]);
    expect(said(fresh({ complete: false, count: 25 }))).toEqual([message('25 items')]);
  });

  test('says that another run may help if a record could not be read', () => {
    expect(said(fresh({ ...cut, why: 'record 7 could not be read: no answer', isUnread: true }))).toEqual([
      'list-incomplete: record 7 could not be read: no answer; without a state file, kbsync cannot tell whether that article belongs to one of the files, and could create it twice. Run again; if the record still cannot be read, look at it on the site (--assume-complete)',
    ]);
  });

  test('names a tag on every article as a way out for the list of articles alone', () => {
    const { lists } = guarded(1);
    const category = keyOf('category', 'c', 'en');
    const input = {
      ...fresh(cut),
      blocked: [{ ...blocked[0], key: category }],
      lists: { ...lists, category: cut },
    };
    expect(said(input)).toEqual([
      'list-incomplete: the category list may be truncated (exactly a limit) and there is no state file, so existing records could be created twice; restore the state file of the last sync, or confirm that the list is complete (--assume-complete)',
    ]);
  });

  test('stops nothing where there is a state, where nothing waits for it, or where the user vouches', () => {
    expect(said({ ...fresh(cut), base: managed(1) })).toEqual([]);
    expect(said({ ...fresh(cut), blocked: [{ key, reason: 'pending', message: '' }] })).toEqual([]);
    expect(said(fresh({ complete: true, count: 25, mayHideDrafts: true }))).toEqual([]);
    expect(said({ ...fresh(cut), allow: new Set(['incomplete-list']) })).toEqual([]);
  });
});

describe('too many deletes', () => {
  test('are more than ten, or than a fifth of what is managed where that is more', () => {
    const message = (count: number, of: number, limit: number) =>
      `too-many-deletes: ${count} of ${of} managed records would be deleted; the limit is ${limit} (--max-delete ${count})`;
    expect(said(guarded(40, { changes: deletes(11) }))).toEqual([message(11, 40, 10)]);
    expect(said(guarded(100, { changes: deletes(20) }))).toEqual([]);
    expect(said(guarded(100, { changes: deletes(21) }))).toEqual([message(21, 100, 20)]);
  });

  test('are more than --max-delete, whatever is managed', () => {
    expect(said(guarded(40, { changes: deletes(11), maxDelete: 11 }))).toEqual([]);
    expect(said(guarded(40, { changes: deletes(1), maxDelete: 0 }))[0]).toContain('the limit is 0');
  });
});

describe('originals in another language', () => {
  const german = (more: Partial<GuardInput>) =>
    guarded(20, { originals: 'de', changes: deletes(1), ...more });

  test('write nothing, and the setting is named', () => {
    expect(said(german({}))).toEqual([
      'other-originals: the service says that its originals are in de, and the default language here is en; if the originals of the files are in de, write `defaultLanguage: de` into kbsync.yaml, else this is another knowledge base, or it was started with other languages (undefined)',
    ]);
  });

  test('write nothing either if the only record of a first sync shows it, and the way back is named', () => {
    const misplaced = { key: keyOf('article', 'a', 'en'), lang: 'de' };
    expect(said(german({ originals: undefined, misplaced }))).toEqual([
      'other-originals: the service keeps article/a@en in de, and the default language here is en; take this record back with `kbsync undo --prune`, or delete it on the site; then, if the originals of the files are in de, write `defaultLanguage: de` into kbsync.yaml, else give the knowledge base en as its default language (undefined)',
    ]);
    expect(said(german({ originals: undefined, misplaced, changes: [] }))).toEqual([]);
  });

  test('are no matter if there is nothing to send, or if the service says the same or nothing', () => {
    expect(said(german({ changes: [] }))).toEqual([]);
    expect(said(german({ originals: 'en-GB' }))).toEqual([]);
    expect(said(german({ originals: undefined }))).toEqual([]);
  });
});

describe('a checkout that is older than what was synced last', () => {
  const own = { commit: 'a'.repeat(40), branch: 'main', atMs: 1000 };
  const known = { commit: 'b'.repeat(40), atMs: 2000 };
  const older = (more: Partial<GuardInput>, relation: Relation = 'before') =>
    guarded(20, { checkout: { own, known, relation }, changes: deletes(1), ...more });

  test('writes nothing, and says from which commit the last sync was made', () => {
    expect(said(older({}))).toEqual([
      'older-commit: this checkout is at commit aaaaaaaaaa (branch main), and the last sync was made from commit bbbbbbbbbb, a later commit, so this run would take back what changed since; run git pull (--allow-older-commit)',
    ]);
    expect(said(older({}, 'dated-before'))).toEqual([
      'older-commit: this checkout is at commit aaaaaaaaaa (branch main), and the last sync was made from commit bbbbbbbbbb, which this clone does not hold and whose date is later; this run may take back what changed since; run git pull, or fetch the whole history (fetch-depth: 0) (--allow-older-commit)',
    ]);
  });

  test('goes on if it has nothing to send, or if somebody vouches for it', () => {
    expect(said(older({ changes: [] }))).toEqual([]);
    expect(said(older({ allow: new Set(['older-commit']) }))).toEqual([]);
  });

  test.each(['first', 'same', 'after', 'beside', 'dated-after', 'untold'] as const)(
    'is not one that is %s',
    (relation) => {
      expect(said(older({}, relation))).toEqual([]);
      expect(
        said(guarded(20, { checkout: { own: undefined, known, relation }, changes: deletes(1) })),
      ).toEqual([]);
    },
  );
});
