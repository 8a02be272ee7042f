import { fenceAround } from '../../markdown/fence.ts';
import { literalPattern } from '../../../text/literal-pattern.ts';
import type { TemplateInput } from './input.ts';
import { entryOf, isData, isTrue, Kept, plain, resultOf, unknown, VALUE_CHARS_MAX } from './value.ts';
import type { Result } from './value.ts';

/** What a function of a template gives; a piped value is its last argument. */
type TemplateFunction = (args: readonly Result[], input: TemplateInput) => Result;

/** Calls a function of Hugo by its name, with or without its namespace. */
export function applied(name: string, args: readonly Result[], input: TemplateInput): Result {
  const short = name
    .replace(/^(?:strings|transform|safe|compare|os|fmt|urls|cast|collections|partials)\./, '')
    .toLowerCase();
  return (FUNCTIONS.get(short) ?? unknown())(args, input);
}

/** `lower` and `toLower`, and all the other names by which a template may call one. */
function named(...rows: readonly (readonly [names: string, does: TemplateFunction])[]) {
  return rows.flatMap(([names, does]) => names.split(' ').map((name) => [name, does] as const));
}

const asItIs: TemplateFunction = (args) => (args.length === 1 ? args[0] : args.map(plain).join(''));

const TEXTS = named(
  ['htmlunescape string tostring print chomp plainify', asItIs],
  ['lower tolower', (args) => lastOf(args).toLowerCase()],
  ['upper toupper', (args) => lastOf(args).toUpperCase()],
  ['title humanize', (args) => lastOf(args).replace(/^\p{L}/u, (letter) => letter.toUpperCase())],
  ['trim', ([a, b, c]) => (c === undefined && plain(b).trim() === '' ? plain(a).trim() : unknown())],
  ['trimspace', (args) => lastOf(args).trim()],
  ['trimleft', ([signs, text]) => trimmed(plain(text), plain(signs), 'left')],
  ['trimright', ([signs, text]) => trimmed(plain(text), plain(signs), 'right')],
  ['trimprefix', ([part, text]) => without(plain(text), plain(part), 'left')],
  ['trimsuffix', ([part, text]) => without(plain(text), plain(part), 'right')],
  ['urlize', (args) => urlized(lastOf(args))],
  ['joinpath', (args) => joinedPath(args.map(plain))],
  ['replace', ([a, b, c]) => replaced(plain(a), plain(b), plain(c))],
  ['replacere', ([a, b, c]) => replacedBy(plain(a), plain(b), plain(c))],
  ['hasprefix', ([a, b]) => plain(a).startsWith(plain(b))],
  ['hassuffix', ([a, b]) => plain(a).endsWith(plain(b))],
  ['in', ([a, b]) => (isLong(plain(a), plain(b)) ? unknown() : plain(a).includes(plain(b)))],
  ['printf', ([pattern, ...args]) => formatted(plain(pattern), args)],
  ['urlquery query', (args) => encodeURIComponent(lastOf(args)).replaceAll('%20', '+')],
  [
    'relurl absurl rellangurl',
    (args) => (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(lastOf(args)) ? lastOf(args) : `/${lastOf(args)}`),
  ],
);

const MARKUP = named(
  ['markdownify', (args, input) => ({ markup: input.markdown(lastOf(args)) })],
  ['safehtml safeurl safecss safehtmlattr html', (args) => ({ markup: lastOf(args) })],
  ['htmlescape', (args, input) => ({ markup: input.escaped(lastOf(args)) })],
  ['highlight', ([code, language], input) => highlighted(plain(code), plain(language), input)],
);

const CHOICES = named(
  ['default', ([a, b]) => (isTrue(b) ? b : a)],
  ['cond', ([a, b, c]) => (isTrue(a) ? b : c)],
  ['not', ([a]) => !isTrue(a)],
  ['eq', ([a, ...others]) => others.some((each) => plain(each) === plain(a))],
  ['ne', ([a, b]) => plain(a) !== plain(b)],
  ['gt', ([a, b]) => Number(plain(a)) > Number(plain(b))],
  ['ge', ([a, b]) => Number(plain(a)) >= Number(plain(b))],
  ['lt', ([a, b]) => Number(plain(a)) < Number(plain(b))],
  ['le', ([a, b]) => Number(plain(a)) <= Number(plain(b))],
);

const NUMBERS = named(
  ['add math.add', whole((a, b) => a + b)],
  ['sub math.sub', whole((a, b) => a - b)],
  ['mul math.mul', whole((a, b) => a * b)],
  // Of whole numbers, Hugo's result is whole too.
  ['div math.div', whole((a, b) => (b === 0 ? undefined : Math.trunc(a / b)))],
  ['mod math.mod', whole((a, b) => (b === 0 ? undefined : a % b))],
);

/** https://gohugo.io/functions/math/: of two whole numbers; others are written in more than one way. */
function whole(run: (a: number, b: number) => number | undefined): TemplateFunction {
  return (args) => {
    const [a, b, ...more] = args.map((each) =>
      /^-?\d{1,9}$/.test(plain(each)) ? Number(plain(each)) : undefined,
    );
    const made = a === undefined || b === undefined || more.length > 0 ? undefined : run(a, b);
    return made === undefined ? unknown() : made;
  };
}

const LISTS = named(
  ['len', ([a]) => (isData(a) ? Object.keys(a.data).length : plain(a).length)],
  ['index', ([list, ...keys]) => keys.reduce<Result>(entryOf, list)],
  ['split', ([a, b]) => (isLong(plain(a), plain(b)) ? unknown() : { data: plain(a).split(plain(b)) })],
  ['slice', (args) => ({ data: args.map((each) => (isData(each) ? each.data : plain(each))) })],
  ['dict', dictOf],
  [
    'delimit',
    ([a, b]) =>
      isData(a) && Array.isArray(a.data)
        ? a.data.map((each) => plain(resultOf(each))).join(plain(b))
        : unknown(),
  ],
);

const SITE = named(
  ['fileexists', (args, input) => input.file(lastOf(args)) !== undefined],
  ['readfile', (args, input) => input.file(lastOf(args)) ?? unknown()],
  // Templates make ids of it: the next one differs.
  ['now.unixnano time.now.unixnano now.unix', (_, input) => input.budget.steps],
  ['warnf', () => undefined],
);

const FUNCTIONS: ReadonlyMap<string, TemplateFunction> = new Map([
  ...TEXTS,
  ...MARKUP,
  ...CHOICES,
  ...NUMBERS,
  ...LISTS,
  ...SITE,
]);

/** `"a" 1 "b" 2` by the names. */
function dictOf(args: readonly Result[]): Result {
  if (args.length % 2 === 1) return unknown();
  const names = args.flatMap((name, at) => (at % 2 === 0 ? [plain(name)] : []));
  return { data: Object.fromEntries(names.map((name, at) => [name, new Kept(args[at * 2 + 1])])) };
}

/** Without the signs that are among some, at one end. */
function trimmed(text: string, signs: string, side: 'left' | 'right'): string {
  if (isLong(text, signs)) return unknown();
  const isCut = (at: number): boolean => signs.includes(text.charAt(at));
  if (side === 'left') {
    let start = 0;
    while (start < text.length && isCut(start)) start += 1;
    return text.slice(start);
  }
  let end = text.length;
  while (end > 0 && isCut(end - 1)) end -= 1;
  return text.slice(0, end);
}

function without(text: string, part: string, side: 'left' | 'right'): string {
  if (part === '' || !(side === 'left' ? text.startsWith(part) : text.endsWith(part))) return text;
  return side === 'left' ? text.slice(part.length) : text.slice(0, -part.length);
}

/** Only where Hugo's rules for signs make no difference (https://gohugo.io/functions/urls/urlize/). */
function urlized(text: string): string {
  if (!/^[\w .-]*$/.test(text)) return unknown();
  // Blanks beside a hyphen add none.
  return text
    .trim()
    .replaceAll(/(?<=-) +| +(?=-)/g, '')
    .replaceAll(/ +/g, '-')
    .toLowerCase();
}

function joinedPath(parts: readonly string[]): string {
  if (parts.some((part) => /(?:^|\/)\.\.?(?:\/|$)/.test(part))) return unknown();
  const [first = '', ...rest] = parts;
  return rest.reduce((whole, part) => `${whole.replace(/\/$/, '')}/${part.replace(/^\//, '')}`, first);
}

function lastOf(args: readonly Result[]): string {
  return plain(args.at(-1));
}

function highlighted(code: string, language: string, input: TemplateInput): Result {
  const fence = fenceAround(code);
  return { markup: input.markdown(`${fence}${language}\n${code.trimEnd()}\n${fence}`) };
}

/** By a pattern that is a plain text, at any place, at the begin or at the end. */
function replacedBy(pattern: string, to: string, text: string): string {
  const [, start = '', part = '', end = ''] = /^(\^?)([\w .:/-]*)(\$?)$/.exec(pattern) ?? unknown();
  // A dot means any sign.
  if (part === '' || part.includes('.') || isLong(text, part, to)) return unknown();
  return text.replaceAll(new RegExp(`${start}${literalPattern(part)}${end}`, 'g'), () => to);
}

function replaced(text: string, from: string, to: string): string {
  return from === '' || isLong(text, from, to) ? unknown() : text.replaceAll(from, () => to);
}

/** Whether it takes long to look for a part of a text, or the text might be too long with another one in each place. */
function isLong(text: string, part: string, other = ''): boolean {
  return part.length > PART_CHARS_MAX || text.length * (other.length + 1) > 10 * VALUE_CHARS_MAX;
}

/** A search may compare all of a part at each sign of a text. */
const PART_CHARS_MAX = 200;

function formatted(pattern: string, args: readonly Result[]): string {
  let at = 0;
  if (/%(?![sdvq%])/.test(pattern) || args.length > 10) unknown();
  return pattern.replaceAll(/%([sdvq%])/g, (_, sign: string) => {
    if (sign === '%') return '%';
    const value = plain(args[at]);
    at += 1;
    return sign === 'q' ? `"${value}"` : value;
  });
}
