import type { DialectContext, Edit } from '../../preset.ts';
import { once } from '../../../../model/once.ts';
import { frontMatter } from '../../../front-matter/read.ts';
import { scalar } from '../../pages/side-file.ts';
import { settingAt } from '../../settings/site-settings.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { target } from '../parts/part-rule.ts';
import { tagArguments } from '../tag.ts';
import type { Meaning, Part, Tag, TagSyntax } from '../tag.ts';

const SHORTCODE = /^(\/\*)?([\s\S]*?)(\*\/)?\s*$/;
/** Arguments are a few words; what is longer has lost its end. */
const CHARS_MAX = 4000;

/** Hugo's shortcodes, in code too, as Hugo has it. A call in a comment mark is written out. */
export function shortcodes({ body, context }: Source): Found {
  if (!body.includes('{{')) return NOTHING;
  const tags: Tag[] = [];
  const literal: Edit[] = [];
  const named = new Map<string, TagSyntax>();
  const open: string[] = [];
  for (const { mark, inside: whole, start: index, end } of calls(body)) {
    const [, escaped, inside = ''] = SHORTCODE.exec(whole) ?? [];
    if (escaped !== undefined) {
      literal.push({ start: index, end, text: `{{${mark}${inside}${mark === '<' ? '>' : '%'}}}` });
      continue;
    }
    const call = callIn(inside, open);
    if (call === undefined) continue;
    const syntax = named.get(mark) ?? shortcode(mark, context.page);
    named.set(mark, syntax);
    tags.push({ syntax, start: index, end, ...call });
  }
  return { tags, edits: literal };
}

export interface ShortcodeCall extends Pick<Tag, 'name' | 'form' | 'start' | 'end' | 'args'> {
  readonly mark: string;
}

/** Every shortcode of a text in order, those in a comment mark left out. */
export function* shortcodeCalls(text: string): Generator<ShortcodeCall> {
  const open: string[] = [];
  for (const { mark, inside, start, end } of calls(text)) {
    const call = /^\s*\/\*/.test(inside) ? undefined : callIn(inside, open);
    if (call !== undefined) yield { ...call, mark, start, end };
  }
}

/** `open`: names of calls before this one that nothing has closed; `{{</>}}` closes the last one. */
function callIn(inside: string, open: string[]): Pick<Tag, 'name' | 'form' | 'args'> | undefined {
  if (inside.trim() === '/') {
    const last = open.pop();
    return last === undefined ? undefined : { name: last, form: 'close', args: tagArguments('') };
  }
  const [, slash, name, rest = '', self] =
    /^\s*(\/?)\s*([^\s"'`/=][^\s"'`=]*?)(\s[\s\S]*?)?(\/?)\s*$/.exec(inside) ?? [];
  if (name === undefined) return undefined;
  const form = slash === '/' ? 'close' : self === '/' ? 'self' : 'open';
  if (form === 'open' && !ALONE.has(name)) open.push(name);
  if (form === 'close') open.length = Math.max(0, open.lastIndexOf(name));
  return { name, form, args: tagArguments(rest) };
}

/** Hugo's own that have no end. */
const ALONE = new Set('ref relref param figure youtube vimeo gist instagram tweet twitter x qr'.split(' '));

function shortcode(mark: string, page: DialectContext['page']): TagSyntax {
  const paramOf = once((): ((name: string) => string | undefined) => pageParameters(page));
  return {
    what: 'shortcode',
    shown: ({ name }) => `{{${mark} ${name} ${mark === '<' ? '>' : '%'}}}`,
    meaning: (part) => {
      const value = part.tag.name === 'param' ? paramOf()(part.tag.args.positional[0] ?? '') : undefined;
      return value === undefined ? meaning(part) : { as: 'text', text: value, isInline: true };
    },
  };
}

/** What `param` writes: a parameter of the page, else of the site (https://gohugo.io/shortcodes/param/). */
export function pageParameters(page: DialectContext['page']): (name: string) => string | undefined {
  if (page === undefined) return () => undefined;
  const own = Object.fromEntries(frontMatter(page.readText(page.file) ?? '', 'hugo').values);
  return (name) => {
    const keys = name.split('.');
    return (
      scalar(settingAt(own, ...keys) ?? settingAt(own, 'params', ...keys)) ?? page.variable(`params.${name}`)
    );
  };
}

/** Every `{{< … >}}` and `{{% … %}}`, innermost where two begin before one ends. */
function* calls(body: string) {
  for (let start = body.indexOf('{{'); start >= 0; start = body.indexOf('{{', start + 2)) {
    const mark = body.charAt(start + 2);
    if (mark !== '<' && mark !== '%') continue;
    const room = body.slice(start + 3, start + CHARS_MAX);
    const close = room.indexOf(mark === '<' ? '>}}' : '%}}');
    if (close < 0) continue;
    const inside = room.slice(0, close);
    if (!/\{\{[<%]/.test(inside)) yield { mark, inside, start, end: start + 6 + close };
  }
}

/** Hugo's own. */
function meaning({ tag: { name, args }, closer }: Part): Meaning | undefined {
  const [first = ''] = args.positional;
  switch (name) {
    case 'ref':
    case 'relref':
    case 'relRef':
      return { as: 'text', text: target(args.named['path'] ?? first), isInline: true };
    case 'comment':
      return { as: 'drop' };
    case 'highlight':
      return { as: 'code', language: first };
    case 'mermaid':
      return closer === undefined ? undefined : { as: 'code', language: 'mermaid' };
    case 'x':
    case 'tweet':
    case 'twitter': {
      const { user, id } = args.named;
      return user === undefined || id === undefined
        ? undefined
        : { as: 'text', text: `<https://x.com/${user}/status/${id}>` };
    }
    case 'instagram':
      return first === '' ? undefined : { as: 'text', text: `<https://www.instagram.com/p/${first}/>` };
    default:
      return undefined;
  }
}
