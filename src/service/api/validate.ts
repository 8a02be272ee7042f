import { z } from 'zod';
import {
  EXCERPT_CHARS_MAX,
  ORDER_MAX,
  REFERENCES_MAX,
  SLUG_CHARS_MAX,
  TITLE_CHARS_MAX,
} from '../../contract/index.ts';
import { Refusal } from '../refusal.ts';
import { canonicalDate } from '../time.ts';

const ISSUES_SHOWN_MAX = 10;

/**
 * Rules beyond the types of the contract, by the field's name in the body; each answers what is wrong. The contract writes
 * the same rules into the OpenAPI document.
 */
const RULES: Readonly<Record<string, (value: unknown) => string | undefined>> = {
  title: nameRule,
  name: nameRule,
  slug: slugRule,
  excerpt: excerptRule,
  ordering: orderRule,
  priority: orderRule,
  categories: referencesRule,
  tags: referencesRule,
  seoBannerUrl: urlRule,
  thumbnailUrl: urlRule,
  iconUrl: urlRule,
  articleReviewDate: dateRule,
};

/** How a body names other records. */
const SHAPES: Readonly<Record<string, string>> = {
  categories: '[{"value":"<id of a category>"}]',
  tags: '[{"value":"<id of a tag>"}]',
  categoryParent: '"<id of a category>"',
};

/**
 * The body as the contract types it.
 * @throws Refusal 400 whose message names each wrong field, with what is there and what would be right
 */
export function validate<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    const { issues } = parsed.error;
    throw refusalOf(issues.flatMap(sentencesOf), shapesFor(issues));
  }
  const wrong = Object.entries(Object(parsed.data)).flatMap(([name, content]) => {
    const problem = content === null || content === undefined ? undefined : RULES[name]?.(content);
    return problem === undefined ? [] : [`${name}: ${problem}`];
  });
  if (wrong.length > 0) throw refusalOf(wrong);
  return parsed.data;
}

function refusalOf(sentences: readonly string[], shapes: readonly string[] = []): Refusal {
  const more = sentences.length - ISSUES_SHOWN_MAX;
  const shown = [
    ...sentences.slice(0, ISSUES_SHOWN_MAX),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...shapes,
  ];
  return new Refusal(400, shown.join('; '));
}

/** The reply spells these otherwise than the body, so whoever sends back what was read needs to see the right one. */
function shapesFor(issues: readonly z.core.$ZodIssue[]): readonly string[] {
  const fields = new Set(issues.map(({ path }) => String(path[0])));
  return Object.entries(SHAPES).flatMap(([field, shape]) =>
    fields.has(field) ? [`${field} must look like ${shape}`] : [],
  );
}

function sentencesOf(issue: z.core.$ZodIssue): readonly string[] {
  const path = issue.path.map(String).join('.');
  const at = path === '' ? 'body' : path;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => `${path === '' ? '' : `${path}.`}${key.slice(0, 80)}: unknown field`);
    case 'invalid_type':
      if (issue.input === undefined) return [`${at}: is missing; it must be ${articled(issue.expected)}`];
      return [`${at}: is ${typeName(issue.input)}; it must be ${articled(issue.expected)}`];
    case 'invalid_value':
      return [`${at}: must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`];
    case 'too_small':
      return [`${at}: must not be empty`];
    default:
      return [`${at}: ${issue.message}`];
  }
}

function articled(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'number' && !Number.isFinite(value)
    ? 'not a finite number'
    : articled(typeof value);
}

/** Lists and menus repeat it. A tab or a line break is shown as a space, other control characters are not shown at all. */
function nameRule(value: unknown): string | undefined {
  const text = String(value);
  if (text.trim() === '') return 'must not be blank';
  return tooLong(text, TITLE_CHARS_MAX) ?? controlsIn(text);
}

function controlsIn(text: string): string | undefined {
  return /(?![\t\n\r])\p{Cc}/u.test(text) ? 'must not hold control characters' : undefined;
}

function slugRule(value: unknown): string | undefined {
  const text = String(value);
  if (text.trim() === '') return 'must not be blank';
  const length = tooLong(text, SLUG_CHARS_MAX);
  if (length !== undefined) return length;
  if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text)) return 'must not hold control characters';
  if (text.replaceAll(/[\p{Cf}\s]/gu, '') === '') return 'must hold something that can be seen';
  return /^\.\.?$/.test(text) ? 'must not be "." or ".."; an address cannot end with it' : undefined;
}

function excerptRule(value: unknown): string | undefined {
  return tooLong(String(value), EXCERPT_CHARS_MAX);
}

/** Characters as JSON Schema counts them: an emoji may be one, where JavaScript's `length` says two. */
function tooLong(text: string, charsMax: number): string | undefined {
  // There are never more characters than UTF-16 units.
  if (text.length <= charsMax) return undefined;
  let chars = 0;
  for (const _ of text) chars += 1;
  return chars > charsMax ? `has ${chars} characters; at most ${charsMax}` : undefined;
}

function orderRule(value: unknown): string | undefined {
  return Math.abs(Number(value)) > ORDER_MAX
    ? `is beyond ±${ORDER_MAX}, where numbers lose their last digits`
    : undefined;
}

function referencesRule(value: unknown): string | undefined {
  return Array.isArray(value) && value.length > REFERENCES_MAX
    ? `has ${value.length} entries; at most ${REFERENCES_MAX}`
    : undefined;
}

/** A web address, or a path on the reader's own site; never `javascript:` and its kin. */
function urlRule(value: unknown): string | undefined {
  try {
    const { protocol } = new URL(String(value), 'https://site.invalid/');
    if (protocol === 'https:' || protocol === 'http:') return undefined;
  } catch {
    // falls through to the sentence below
  }
  return `${JSON.stringify(String(value).slice(0, 80))} is not an http or https address`;
}

function dateRule(value: unknown): string | undefined {
  return canonicalDate(String(value)) === undefined
    ? `${JSON.stringify(String(value).slice(0, 80))} is not a date like 2026-12-31 or 2026-12-31T09:00:00Z`
    : undefined;
}
