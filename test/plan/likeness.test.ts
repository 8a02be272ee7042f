import { describe, expect, test } from 'vitest';
import { digestOf } from '../../src/model/digest.ts';
import { differenceOf, isUnread } from '../../src/model/compare/difference.ts';
import { NO_HABIT } from '../../src/model/html/habits.ts';
import { keyOf } from '../../src/model/key.ts';
import type { BaseRecord, KnownRecord } from '../../src/model/record.ts';
import {
  NO_WAYS,
  fitsForm,
  formedType,
  habitOf,
  isMadeOf,
  isSameMeaning,
  isShownAs,
  isStampedAs,
  waysIn,
} from '../../src/plan/likeness.ts';
import { observedIn, unreadForms } from '../../src/plan/observed.ts';
import { reconcile } from '../../src/plan/reconcile.ts';
import type { Sides } from '../../src/plan/sides.ts';
import { NO_CHOICES } from '../../src/plan/policy.ts';

const BODY = { kind: 'article', name: 'content' } as const;
const SENT = '<p>One <b>two</b> three.</p>';
const SAME = '<p>One <strong>two</strong> three.</p>';
const OTHER = '<p>One <strong>two</strong> four.</p>';

describe('a text of which only a stamp knows', () => {
  const TITLE = { kind: 'article', name: 'title' } as const;
  const stamped = (text: string): string => digestOf(text).slice(0, 10);

  test('is known in the spelling that a service gave it', () => {
    const digest = stamped(`It's "quoted" & more`);
    for (const shown of [
      `It's "quoted" & more`,
      'It&#039;s &quot;quoted&quot; &amp; more',
      'It&amp;#039;s &amp;quot;quoted&amp;quot; &amp;amp; more',
      'It’s “quoted” & more',
    ])
      expect(isStampedAs(TITLE, shown, digest)).toBe(true);
    expect(isStampedAs(TITLE, `It's "quoted" & less`, digest)).toBe(false);
  });

  test('is no slug, no page, no list, and nothing that a state knows whole', () => {
    const digest = stamped('a');
    expect(isStampedAs({ ...TITLE, name: 'slug' }, 'a', digest)).toBe(false);
    expect(isStampedAs(BODY, 'a', digest)).toBe(false);
    expect(isStampedAs({ ...TITLE, name: 'categories' }, ['a'], digest)).toBe(false);
    expect(isStampedAs(TITLE, 'a', digestOf('a'))).toBe(false);
  });
});

describe('a text in the service’s own form', () => {
  test('is the same text, another word is not', () => {
    const ways = waysIn({ origin: 'https://help.acme.test' });
    const knows = waysIn({
      origin: 'https://help.acme.test',
      habits: { 'article.content': { rewritings: ['marks'], losses: [], additions: [] } },
    });
    expect(isSameMeaning(BODY, SENT, SAME, ways)).toBe(true);
    expect(isSameMeaning(BODY, SENT, OTHER, ways)).toBe(false);
    for (const each of [ways, knows]) {
      expect(isShownAs(BODY, SENT, OTHER, each)).toBe(false);
      expect(isMadeOf(BODY, SENT, OTHER, each)).toBe(false);
    }
    expect(isMadeOf(BODY, SENT, SAME, ways)).toBe(isShownAs(BODY, SENT, SAME, ways));
  });

  test('has what the service was seen putting into texts of another kind, and nothing of titles', () => {
    const footer = '<p>Was this helpful?</p>';
    const { additions = [] } = differenceOf('html', SENT, SENT + footer, {}) ?? {};
    const habit = { rewritings: [], losses: [], additions };
    const tag = { kind: 'tag', name: 'longDescription' } as const;
    expect(isMadeOf(tag, SENT, SENT + footer, waysIn({ origin: 'https://help.acme.test', habits: {} }))).toBe(
      false,
    );
    for (const name of ['article.content', 'tag.longDescription'])
      expect(
        isMadeOf(
          tag,
          SENT,
          SENT + footer,
          waysIn({ origin: 'https://help.acme.test', habits: { [name]: habit } }),
        ),
      ).toBe(true);
    const elsewhere = waysIn({ origin: 'https://help.acme.test', habits: { 'article.title': habit } });
    expect(isMadeOf(tag, SENT, SENT + footer, elsewhere)).toBe(false);
    expect(
      habitOf(
        { kind: 'article', name: 'title' },
        waysIn({ origin: 'https://help.acme.test', habits: { 'article.content': habit } }),
      ),
    ).toEqual(NO_HABIT);
  });

  test('is nothing that a slug or a list can have', () => {
    const slug = { kind: 'article', name: 'slug' } as const;
    expect(formedType(slug)).toBeUndefined();
    expect(isShownAs(slug, 'a-b', 'a_b', NO_WAYS)).toBe(false);
    expect(isSameMeaning(slug, 'a-b', 'a-b', NO_WAYS)).toBe(true);
    expect(isSameMeaning(slug, 'a-b', 'a_b', NO_WAYS)).toBe(false);
    expect(fitsForm(slug, 'a-b', 'any', NO_WAYS)).toBe(false);
  });
});

describe('what a base remembers of a body', () => {
  test('that nobody has read back is the form that no rewriting changes', () => {
    const { forms } = unreadForms('article', { title: 'A', content: SENT }, NO_WAYS);
    const form = forms?.['content'] ?? '';
    expect(isUnread(form)).toBe(true);
    expect(fitsForm(BODY, SAME, form, NO_WAYS)).toBe(true);
    expect(fitsForm(BODY, OTHER, form, NO_WAYS)).toBe(false);
  });

  test('is nothing where none was sent, and no form where the file clears it', () => {
    expect(unreadForms('article', { title: 'A' }, NO_WAYS)).toEqual({});
    expect(unreadForms('article', { content: null }, NO_WAYS)).toEqual({ forms: { content: '' } });
  });

  test('is what the service shows otherwise, of the fields that it shows', () => {
    const { observed, forms } = observedIn(
      'article',
      { title: 'A', excerpt: 'e', slug: 'a', content: SENT },
      { title: 'a', slug: 'a', content: SAME },
      NO_WAYS,
    );
    expect(Object.keys(observed ?? {}).sort()).toEqual(['content', 'title']);
    expect(Object.keys(forms ?? {})).toEqual(['content']);
  });
});

describe('a body that nobody has read back', () => {
  const key = keyOf('article', 'a', 'en');
  const base: BaseRecord = {
    key,
    id: '1',
    ownership: 'created',
    sent: { content: SENT },
    ...unreadForms('article', { content: SENT }, NO_WAYS),
  };
  const decided = (file: string, shown: string, known: BaseRecord = base) => {
    const record: KnownRecord = {
      kind: 'article',
      id: '1',
      ownId: '1',
      lang: 'en',
      fields: { content: shown },
      labels: new Map(),
      readAtMs: 0,
    };
    const sides: Sides = { file: { content: file }, base: known, remote: { state: 'known', record } };
    return reconcile(sides, NO_CHOICES, NO_WAYS);
  };

  test('is ours in whatever form, and is read once more only to remember that', () => {
    expect(decided(SENT, SAME)).toEqual({ verdict: 'adopt' });
  });

  test('that both sides have now, each in its form, is no conflict', () => {
    const { forms: _, ...older } = { ...base, sent: { content: '<p>Before.</p>' } };
    expect(decided(SENT, SAME, older)).toEqual({ verdict: 'adopt' });
    expect(decided(SENT, OTHER, older)).toMatchObject({ verdict: 'conflict' });
  });

  test('with another word is drift, and a conflict once the file has changed too', () => {
    expect(decided(SENT, OTHER)).toMatchObject({ verdict: 'drift' });
    expect(decided('<p>Five.</p>', OTHER)).toMatchObject({ verdict: 'conflict' });
  });
});
