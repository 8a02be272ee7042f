import { CHARS_MAX } from './chars.ts';
import { escapedHtml } from '../../../text/escaped-html.ts';

/** A filter of Liquid or Jekyll; undefined: it says nothing of such a value. */
type Filter = (value: unknown, args: readonly unknown[]) => unknown;

/** A value as Liquid writes it. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(shown).join('');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value)
    ? (value as readonly unknown[])
    : value === undefined || value === null
      ? []
      : [value];
}

/** Jekyll sorts a mapping as pairs of key and value, as Ruby does. */
function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of a pair. */
function keyOf(item: unknown): unknown {
  return Array.isArray(item) ? item[0] : item;
}

/** Whether something that a build makes decides: the date of a page, its text. */
function hasUnknown(value: unknown, name: unknown): boolean {
  return list(value).some((item) => typeof property(item, name) === 'symbol');
}

function property(item: unknown, name: unknown): unknown {
  const names = shown(name).split('.');
  return names.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? Reflect.get(found, key)
        : undefined,
    item,
  );
}

const onText =
  (change: (value: string, ...args: readonly string[]) => string | undefined): Filter =>
  (value, args) =>
    change(shown(value), ...args.map(shown));
const onNumber =
  (change: (value: number, other: number) => number): Filter =>
  (value, [other = 0]) => {
    const result = change(Number(shown(value)), Number(shown(other)));
    return Number.isFinite(result) ? result : undefined;
  };
const escaped = (value: string): string => escapedHtml(value).replaceAll("'", '&#39;');
/** Half of a sign, as cutting leaves it, has no code in an address. */
const whole = (value: string): string => value.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
/** As in forms of HTML: a blank is `+`. */
const formEncoded = (value: string): string =>
  encodeURIComponent(whole(value))
    .replaceAll('%20', '+')
    .replaceAll(/[!'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const byText = (a: unknown, b: unknown): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : shown(a) < shown(b)
      ? -1
      : Number(shown(a) > shown(b));
const rooted = (value: string): string => (/^(?:[a-z]+:|\/|#|$)/i.test(value) ? value : `/${value}`);

/** What needs no clock, no other page and no plugin. */
export const FILTERS: Readonly<Record<string, Filter>> = {
  upcase: onText((value) => value.toUpperCase()),
  downcase: onText((value) => value.toLowerCase()),
  capitalize: onText((value) => value.charAt(0).toUpperCase() + value.slice(1).toLowerCase()),
  strip: onText((value) => value.trim()),
  lstrip: onText((value) => value.trimStart()),
  rstrip: onText((value) => value.trimEnd()),
  strip_html: onText((value) => value.replaceAll(/<[^<>]*>/g, '')),
  strip_newlines: onText((value) => value.replaceAll('\n', '')),
  newline_to_br: onText((value) => value.replaceAll('\n', '<br />\n')),
  normalize_whitespace: onText((value) => value.replaceAll(/\s+/g, ' ').trim()),
  escape: onText(escaped),
  xml_escape: onText(escaped),
  escape_once: onText((value) => escaped(value).replaceAll(/&amp;(?=(?:[a-z]+|#\d+);)/gi, '&')),
  append: onText((value, more = '') => value + more),
  prepend: onText((value, more = '') => more + value),
  replace: onText((value, from = '', to = '') =>
    (value.length / Math.max(1, from.length) + 1) * to.length > CHARS_MAX
      ? undefined
      : value.replaceAll(from, () => to),
  ),
  replace_first: onText((value, from = '', to = '') => value.replace(from, () => to)),
  remove: onText((value, part = '') => value.replaceAll(part, '')),
  remove_first: onText((value, part = '') => value.replace(part, '')),
  url_encode: onText(formEncoded),
  cgi_escape: onText(formEncoded),
  uri_escape: onText((value) => encodeURI(whole(value))),
  relative_url: onText(rooted),
  absolute_url: onText(rooted),
  smartify: onText((value) => value),
  slugify: onText((value) =>
    value
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-+|-+$/g, ''),
  ),
  // Markdown inside HTML is read between blank lines.
  markdownify: onText((value) => (/[*_`[\]]|\n/.test(value.trim()) ? `\n\n${value.trim()}\n\n` : value)),
  truncate: onText((value, length = '50', end = '...') =>
    value.length <= Number(length) ? value : value.slice(0, Math.max(0, Number(length) - end.length)) + end,
  ),
  jsonify: (value) => JSON.stringify(value ?? null),
  default: (value, [other]) =>
    value === undefined ||
    value === null ||
    value === false ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
      ? other
      : value,
  size: (value) => (Array.isArray(value) ? value.length : shown(value).length),
  first: (value) => list(value)[0],
  last: (value) => list(value).at(-1),
  split: (value, [by]) => (shown(value) === '' ? [] : shown(value).split(shown(by))),
  join: (value, [by = ' ']) =>
    list(value).length * shown(by).length > CHARS_MAX ? undefined : list(value).map(shown).join(shown(by)),
  array_to_sentence_string: (value) => {
    const words = list(value).map(shown);
    return words.length < 2
      ? words.join('')
      : `${words.slice(0, -1).join(', ')}${words.length > 2 ? ',' : ''} and ${words.at(-1)}`;
  },
  sort: (value, [name]) =>
    name !== undefined && (isMapping(value) || hasUnknown(value, name))
      ? undefined
      : [...(isMapping(value) ? Object.entries(value) : list(value))].sort((a, b) =>
          name === undefined ? byText(keyOf(a), keyOf(b)) : byText(property(a, name), property(b, name)),
        ),
  reverse: (value) => list(value).toReversed(),
  uniq: (value) => [...new Set(list(value))],
  compact: (value) => list(value).filter((item) => item !== undefined && item !== null),
  concat: (value, [more]) => [...list(value), ...list(more)],
  push: (value, [item]) => [...list(value), item],
  map: (value, [name]) => list(value).map((item) => property(item, name)),
  where: (value, [name, wanted]) =>
    hasUnknown(value, name)
      ? undefined
      : list(value).filter((item) => {
          const its = property(item, name);
          return Array.isArray(its)
            ? its.map(shown).includes(shown(wanted))
            : wanted === undefined
              ? its !== undefined
              : shown(its) === shown(wanted);
        }),
  plus: onNumber((a, b) => a + b),
  minus: onNumber((a, b) => a - b),
  times: onNumber((a, b) => a * b),
  divided_by: onNumber((a, b) => (Number.isInteger(a) && Number.isInteger(b) ? Math.floor(a / b) : a / b)),
  modulo: onNumber((a, b) => a % b),
  round: onNumber((a, digits) => Math.round(a * 10 ** digits) / 10 ** digits),
  ceil: onNumber(Math.ceil),
  floor: onNumber(Math.floor),
  abs: onNumber(Math.abs),
};
