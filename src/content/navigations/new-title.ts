import { posix, resolve } from 'node:path';
import { isItem, itemAround, linesOf, markdownLabel, TITLE_KEYS, yamlScalar } from './list-items.ts';
import { namesOf, spotsOf } from './names.ts';
import { plainTitle } from '../plain-title.ts';
import { wordEdits } from '../word-edits.ts';

/** A page with another title. Its path counts from the content folder. */
export interface NewTitle {
  readonly page: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The text of a navigation, Markdown or YAML, that calls a page by its new title. Every other byte stays. undefined: it names the page
 * twice or not at all, or by another title.
 */
export function withTitle(
  text: string,
  { navigation, page, from, to }: NewTitle & { readonly navigation: string },
): string | undefined {
  if (!/\.(?:ya?ml|md|markdown)$/i.test(navigation)) return undefined;
  const folder = resolve('/', posix.dirname(navigation));
  for (const name of namesOf(page, folder)) {
    const [spot, ...more] = spotsOf(text, name, name);
    if (spot === undefined) continue;
    if (more.length > 0) return undefined;
    return inLink(text, spot.at, { from, to }) ?? inItem(text, spot, { from, to });
  }
  return undefined;
}

const LABEL = /^(?:[^[\]\\]|\\.)*$/;

type Titles = Pick<NewTitle, 'from' | 'to'>;

/** `[Title](page.md)` */
function inLink(text: string, at: number, { from, to }: Titles): string | undefined {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  const [whole, label] = /\[((?:[^[\]\\]|\\.)*)\]\(<?$/.exec(line) ?? [];
  if (whole === undefined || label === undefined) return undefined;
  if (plainTitle(label) !== from) return undefined;
  // Marks of code and emphasis stay where the words stay.
  const next =
    wordEdits(label, from, to).find((each) => LABEL.test(each) && plainTitle(each) === to) ??
    markdownLabel(to);
  const start = at - whole.length + 1;
  return `${text.slice(0, start)}${next}${text.slice(start + label.length)}`;
}

const ENTRY = /^(\s*(?:[-*+]\s+)?)("[^"]*"|'[^']*'|[^\s:#'"][^:#]*?)(\s*:\s+)(\S.*?)?\s*$/;

/** `- Title: page.md`, or a key for the title beside that of the path. */
function inItem(text: string, spot: { readonly at: number }, { from, to }: Titles): string | undefined {
  const lines = linesOf(text);
  const around = itemAround(lines, spot.at);
  if (around === undefined) return undefined;
  const { at, first, head } = around;
  const column = /^\s*[-*+]\s+/.exec(head.text)?.[0].length ?? 0;
  for (let index = first; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined || (index > first && (line.indent < column || isItem(line)))) break;
    if (index > first && line.indent !== column) continue;
    const [, lead, key, colon, value = ''] = ENTRY.exec(line.text) ?? [];
    if (lead === undefined || key === undefined || colon === undefined) continue;
    const put = (place: number, old: string, quote: string | undefined): string => {
      const title = quote === undefined ? yamlScalar(to) : JSON.stringify(to);
      return `${text.slice(0, place)}${title}${text.slice(place + old.length)}`;
    };
    const start = line.at + lead.length;
    if (index === at && bare(key) === from) return put(start, key, quoteOf(key));
    if (TITLE_KEYS.has(bare(key)) && bare(value) === from)
      return put(start + key.length + colon.length, value, quoteOf(value));
  }
  return undefined;
}

function quoteOf(word: string): string | undefined {
  return /^["']/.exec(word)?.[0];
}

function bare(word: string): string {
  if (word.startsWith('"')) {
    try {
      return String(JSON.parse(word));
    } catch {
      return word;
    }
  }
  return word.startsWith("'") ? word.slice(1, -1).replaceAll("''", "'") : word;
}
