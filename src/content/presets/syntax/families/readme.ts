import type { Edit } from '../../preset.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { boldLine, target } from '../parts/part-rule.ts';
import { boxTitle, fenced } from '../tokens.ts';
import { jsonValue } from '../../../../text/json-value.ts';

const CALLOUT = /^([ \t]*> ?)(📘|👍|🚧|❗️?|ℹ️?|✅|⚠️?|🛑|💡|❓)[ \t]*([^\n]*)$/gmu;
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^[👍✅💡]/u, 'TIP'],
  [/^[🚧⚠]/u, 'WARNING'],
  [/^[❗🛑]/u, 'CAUTION'],
];
const BLOCK = /^\[block:([\w-]+)\]\s*(\{[\s\S]*?\})\s*\[\/block\]/gm;
const LINK = /(\]\()(?:doc|ref|page|changelog|blog|recipe):([^\s)#]+)/g;

/**
 * ReadMe: `> 📘 Title` is a box, `[block:image]` and its kin are Markdown again, `doc:slug` is a link by name, `<<glossary:word>>` the word itself.
 */
export function readme({ body, isTaken }: Source): Found {
  const edits: Edit[] = [];
  for (const { 0: whole, 1: lead = '', 2: icon = '', 3: title = '', index } of body.matchAll(CALLOUT)) {
    if (isTaken(index) || /^[ \t]*>/.test(body.slice(body.lastIndexOf('\n', index - 2) + 1, index))) continue;
    const kind = KINDS.find(([pattern]) => pattern.test(icon))?.[1] ?? 'NOTE';
    const name = boxTitle(title);
    edits.push({
      start: index,
      end: index + whole.length,
      text: `${lead}[!${kind}${name === '' ? '' : `|${name}`}]`,
    });
  }
  for (const { 0: whole, 1: kind = '', 2: json = '', index } of body.matchAll(BLOCK)) {
    const text = blockText(kind, json);
    if (text !== undefined) edits.push({ start: index, end: index + whole.length, text });
  }
  for (const { 0: whole, 1: lead = '', 2: slug = '', index } of body.matchAll(LINK)) {
    if (isTaken(index)) continue;
    edits.push({ start: index + lead.length, end: index + whole.length, text: slug });
  }
  for (const { 0: whole, 1: word = '', index } of body.matchAll(/<<(?:glossary:)?([\w .-]{1,80})>>/g)) {
    if (!isTaken(index)) edits.push({ start: index, end: index + whole.length, text: word });
  }
  return edits.length === 0 ? NOTHING : { edits };
}

function blockText(kind: string, json: string): string | undefined {
  const value = jsonValue(json);
  const text = (of: unknown, key: string): string => {
    const found = typeof of === 'object' && of !== null ? (Reflect.get(of, key) as unknown) : undefined;
    return typeof found === 'string' ? found : '';
  };
  const list = (key: string): readonly unknown[] => {
    const found =
      typeof value === 'object' && value !== null ? (Reflect.get(value, key) as unknown) : undefined;
    return Array.isArray(found) ? found : [];
  };
  if (value === undefined) return undefined;
  switch (kind) {
    case 'callout': {
      const type = { success: 'TIP', warning: 'WARNING', danger: 'CAUTION' }[text(value, 'type')] ?? 'NOTE';
      const title = boxTitle(text(value, 'title'));
      const lines = text(value, 'body')
        .split('\n')
        .map((line) => `> ${line}`.trimEnd());
      return `> [!${type}${title === '' ? '' : `|${title}`}]\n${lines.join('\n')}`;
    }
    case 'image':
      return list('images')
        .map((entry) => {
          const image: unknown =
            typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'image') : undefined;
          const url: unknown = Array.isArray(image) ? image[0] : undefined;
          const caption = text(entry, 'caption');
          return typeof url === 'string'
            ? `![${caption}](${target(url)})${caption === '' ? '' : `\n\n*${caption}*`}`
            : '';
        })
        .join('\n\n');
    case 'code':
      return list('codes')
        .map((entry) => {
          const name = text(entry, 'name');
          const code = fenced(text(entry, 'code'), { language: text(entry, 'language') });
          return name === '' ? code : `${boldLine(name)}\n\n${code}`;
        })
        .join('\n\n');
    case 'api-header':
      return `## ${text(value, 'title')}`;
    case 'embed':
      return `[${text(value, 'title') || text(value, 'url')}](${target(text(value, 'url'))})`;
    case 'html':
      return text(value, 'html');
    case 'parameters':
      return table(value);
    default:
      return undefined;
  }
}

/** `{ data: { "h-0": …, "0-0": … }, cols, rows }` */
function table(value: unknown): string | undefined {
  const data: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'data') : undefined;
  if (typeof data !== 'object' || data === null || value === null || typeof value !== 'object')
    return undefined;
  const count = (key: string): number => Number(Reflect.get(value, key) ?? 0);
  const cell = (row: string | number, column: number): string => {
    const found: unknown = Reflect.get(data, `${row}-${column}`);
    return typeof found === 'string' ? found.replaceAll('|', String.raw`\|`).replaceAll('\n', '<br>') : '';
  };
  const columns = Array.from({ length: Math.min(count('cols'), 50) }, (_, column) => column);
  const line = (row: string | number): string =>
    `| ${columns.map((column) => cell(row, column)).join(' | ')} |`;
  const rows = Array.from({ length: Math.min(count('rows'), 2000) }, (_, row) => line(row));
  return [line('h'), `|${columns.map(() => ' --- |').join('')}`, ...rows].join('\n');
}
