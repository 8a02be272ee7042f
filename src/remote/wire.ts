import type { z } from 'zod';
import { fits } from '../contract/fits.ts';
import { RemoteError } from './error.ts';
import type { CleanText } from './remote-text.ts';

/**
 * The answer as the contract describes it. Ids that a service sends as numbers and numbers that it sends as text are
 * taken over, where that loses nothing; the second look is paid only by such services. Throws `not-understood`, which
 * names the first place that differs.
 */
export function conform<T extends z.ZodType>(
  schema: T,
  value: unknown,
  { request, clean }: { readonly request: string; readonly clean: CleanText },
): z.infer<T> {
  if (fits(schema, value)) return value;
  const first = schema.safeParse(value);
  if (first.success) return first.data;
  const second = schema.safeParse(converted(value));
  if (second.success) return second.data;
  const [issue] = second.error.issues;
  const place =
    issue === undefined || issue.path.length === 0 ? 'the answer' : issue.path.map(String).join('.');
  throw notUnderstood(request, clean(`${place}: ${issue?.message ?? 'not as documented'}`));
}

export function notUnderstood(request: string, reason: string): RemoteError {
  return new RemoteError(
    'not-understood',
    `${request}: the answer is not what the API's documentation says: ${reason}`,
    {
      request,
      status: 200,
    },
  );
}

const ID_NAMES = new Set([
  'id',
  'value',
  'tag_id',
  'category_id',
  'article_id',
  'site_id',
  'parent_id',
  'article_parent',
  'language_parent',
  'changelog_version',
  'added_by',
]);

/** Recursion is bounded: parseJson refuses what is deeper than 64 levels. */
function converted(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => converted(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, converted(item, key)]));
  }
  if (typeof value === 'number' && ID_NAMES.has(name) && Number.isSafeInteger(value)) return String(value);
  if (typeof value === 'string' && name === 'order_by' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value;
}
