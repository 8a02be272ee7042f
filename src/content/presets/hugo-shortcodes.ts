import { alertKind, titledQuotes } from './alerts.ts';
import { tagArguments, translateTags } from './components.ts';
import type { Meaning, Tag } from './components.ts';
import type { DialectContext, Edit, Translation } from './preset.ts';

const SHORTCODE = /^(\/\*)?([\s\S]*?)(\*\/)?\s*$/;
/** Arguments are a few words; what is longer has lost its end. */
const CHARS_MAX = 4000;

/**
 * Hugo's shortcodes, in code too, as Hugo has it. Known: boxes of the common themes, `ref`, `relref`, `figure`,
 * `highlight`, `details`, `comment`. A call in a
 * comment mark is written out.
 */
export function translateShortcodes(body: string, context: DialectContext): Translation {
  const quotes = titledQuotes(body);
  if (!body.includes('{{')) return { edits: quotes, problems: [] };
  const tags: Tag[] = [];
  const literal: Edit[] = [];
  for (const { mark, inside: whole, start: index, end } of shortcodes(body)) {
    const [, escaped, inside = ''] = SHORTCODE.exec(whole) ?? [];
    if (escaped !== undefined) {
      literal.push({ start: index, end, text: `{{${mark}${inside}${mark === '<' ? '>' : '%'}}}` });
      continue;
    }
    const [, slash, name, rest = '', self] =
      /^\s*(\/?)\s*([^\s"'`/=][^\s"'`=]*?)(\s[\s\S]*?)?(\/?)\s*$/.exec(inside) ?? [];
    if (name === undefined) continue;
    const form = slash === '/' ? 'close' : self === '/' ? 'self' : 'open';
    tags.push({ name, form, start: index, end, args: tagArguments(rest) });
  }
  const shown = ({ name, start }: Tag): string =>
    `{{${body.charAt(start + 2)} ${name} ${body.charAt(start + 2) === '<' ? '>' : '%'}}}`;
  const { edits, problems } = translateTags(body, tags, { what: 'shortcode', shown, meaning }, context);
  return { edits: [...quotes, ...edits, ...literal], problems };
}

/** Every `{{< … >}}` and `{{% … %}}`, innermost where two begin before one ends. */
function* shortcodes(body: string) {
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

function meaning(tag: Tag): Meaning | undefined {
  const { name, args } = tag;
  const [first = ''] = args.positional;
  const kind = alertKind(name);
  if (kind !== undefined)
    return { as: 'alert', kind, title: args.named['title'] ?? titleIn(args.positional[0]) };
  switch (name) {
    case 'alert':
    case 'admonition':
    case 'callout':
    case 'alert-box':
    case 'admon': {
      const wanted =
        args.named['type'] ?? args.named['color'] ?? args.named['level'] ?? args.named['context'] ?? first;
      const title = args.named['title'] ?? args.positional[1];
      return { as: 'alert', kind: alertKind(wanted) ?? 'note', title };
    }
    case 'ref':
    case 'relref':
      return { as: 'text', text: linkTarget(args.named['path'] ?? first) };
    case 'comment':
      return { as: 'drop' };
    case 'figure':
      return figure(args.named);
    case 'highlight':
      return { as: 'wrap', open: `\`\`\`${first}`, close: '```' };
    case 'details':
      return {
        as: 'wrap',
        open: `<details><summary>${(args.named['summary'] ?? args.named['title'] ?? first).replaceAll('<', '&lt;')}</summary>`,
        close: '</details>',
      };
    default:
      return undefined;
  }
}

/** `note "Careful"`; a word alone is a colour or an icon of some theme. */
function titleIn(text: string | undefined): string | undefined {
  return text !== undefined && /\s/.test(text) ? text : undefined;
}

function linkTarget(path: string): string {
  return /[\s()]/.test(path) ? encodeURI(path).replaceAll('(', '%28').replaceAll(')', '%29') : path;
}

function figure(named: Readonly<Record<string, string>>): Meaning | undefined {
  const source = named['src'];
  if (source === undefined) return undefined;
  const text = (named['alt'] ?? named['caption'] ?? named['title'] ?? '').replaceAll(/[[\]]/g, ' ');
  const image = `![${text}](<${source}>)`;
  const link = named['link'];
  return { as: 'text', text: link === undefined ? image : `[${image}](<${link}>)` };
}
