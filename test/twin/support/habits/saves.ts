import type { Habit } from '../service/habit.ts';
import type { Value } from '../service/row.ts';

const text =
  (change: (text: string) => string, ...fields: readonly string[]): NonNullable<Habit['stores']> =>
  (value, field) =>
    typeof value === 'string' && fields.includes(field) ? change(value) : value;

const TEXTS = ['title', 'name', 'excerpt', 'description'];
const escaped = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
const smart = (value: string): string =>
  value.replaceAll(/(\w)'(\w)/g, '$1’$2').replaceAll(/"([^"]*)"/g, '“$1”');
const cut =
  (characters: number) =>
  (value: string): string =>
    value.slice(0, characters);
const emptyIsNull = (value: Value): Value => (value === '' ? null : value);

/** What becomes of titles, slugs and other values when they are saved. */
export const SAVES = {
  'texts-are-escaped': { stores: text(escaped, ...TEXTS) },
  'titles-are-escaped': { stores: text(escaped, 'title', 'name') },
  'excerpts-are-escaped': { stores: text(escaped, 'excerpt', 'description') },
  'texts-get-smart-quotes': { stores: text(smart, ...TEXTS) },
  'titles-are-trimmed-and-cut-at-12': { stores: text(cut(12), 'title', 'name') },
  'titles-are-capitalised': {
    stores: text((value) => value.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()), 'title', 'name'),
  },
  'excerpts-are-cut-at-10': { stores: text(cut(10), 'excerpt', 'description') },
  'excerpts-are-dropped': {
    stores: (value, field) => (field === 'excerpt' || field === 'description' ? '' : value),
  },
  'tag-names-in-small-letters': {
    stores: (value, field, kind) =>
      kind === 'tag' && field === 'name' && typeof value === 'string' ? value.toLowerCase().trim() : value,
  },
  'excerpts-become-paragraphs': {
    stores: text((value) => (/^(?:<p>|$)/.test(value) ? value : `<p>${value}</p>`), 'excerpt'),
  },
  'relations-come-in-another-order': {
    stores: (value) =>
      typeof value === 'object' && value !== null ? [...new Set(value)].sort().toReversed() : value,
  },
  'tags-are-dropped': { stores: (value, field) => (field === 'tags' ? [] : value) },
  'one-category-only': {
    stores: (value, field) =>
      field === 'categories' && typeof value === 'object' && value !== null ? value.slice(0, 1) : value,
  },
  'unicode-is-decomposed': {
    stores: text((value) => value.normalize('NFD'), ...TEXTS, 'content', 'longDescription'),
  },
  'emoji-become-question-marks': {
    stores: text(
      (value) => value.replaceAll(/\p{Extended_Pictographic}/gu, '?'),
      ...TEXTS,
      'content',
      'longDescription',
    ),
  },
  'texts-end-at-the-first-emoji': {
    stores: text(
      (value) => value.replace(/\p{Extended_Pictographic}[\s\S]*$/u, ''),
      ...TEXTS,
      'content',
      'longDescription',
    ),
  },
  'strings-are-trimmed-and-empty-is-null': {
    stores: (value) => emptyIsNull(typeof value === 'string' ? value.trim() : value),
  },
  'slugs-get-a-prefix': {
    stores: text((value) => (value.startsWith('kb-') ? value : `kb-${value}`), 'slug'),
  },
  'slugs-in-small-ascii': {
    stores: text(
      (value) =>
        value
          .normalize('NFKD')
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, '-'),
      'slug',
    ),
  },
  'slugs-in-small-letters': { stores: text((value) => value.toLowerCase(), 'slug') },
  'slugs-are-cut-at-5': { stores: text(cut(5), 'slug') },
  'slugs-twice-are-taken': { rules: { slugTaken: 'allow' } },
  'slugs-twice-get-a-number': { rules: { slugTaken: 'suffix' } },
  'slugs-are-one-for-all-languages': { rules: { slugScope: 'all' } },
  'slugs-are-one-for-all-languages-suffixed': { rules: { slugScope: 'all', slugTaken: 'suffix' } },
  'names-are-unique': { rules: { nameTaken: 'reject' } },
  'a-known-name-gets-a-yes': { rules: { nameTaken: 'says-yes' } },
  'left-out-is-reset': { rules: { leftOut: 'reset' } },
  'null-changes-nothing': { rules: { nullMeans: 'nothing' } },
  'creates-are-drafts': { rules: { createSets: { status: 'draft' } } },
  'order-is-at-least-1': {
    stores: (value, field) =>
      field === 'ordering' || field === 'priority' ? Math.max(1, Number(value)) : value,
  },
  'order-is-numbered-anew': { rules: { renumbers: true } },
  'edits-of-public-pages-wait': { rules: { editsWait: 'draft-copy' } },
  'dates-are-days': { stores: text((value) => value.slice(0, 10), 'articleReviewDate') },
  'addresses-get-https': {
    stores: text((value) => value.replace(/^http:/, 'https:'), 'seoBannerUrl', 'thumbnailUrl', 'iconUrl'),
  },
} as const satisfies Readonly<Record<string, Habit>>;
