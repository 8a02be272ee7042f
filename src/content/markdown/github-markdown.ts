import type { MdastNode, MdastPluginDefinition } from 'satteri';
import { satteri } from '../parsers.ts';
import { DEFINITION_LISTS, definitionsIn, withColonsAlone } from './definition-lists.ts';
import type { Place } from './definition-lists.ts';
import { labelsFor } from '../labels.ts';
import { mayHaveEmojiCodes, withEmoji } from './emoji-codes.ts';
import { renderMarkdown } from './markdown.ts';
import type { MarkdownExtensions } from './markdown.ts';

interface Foreign {
  readonly lang: string;
  readonly extensions: MarkdownExtensions | undefined;
  /** Ids of its headings, in order. */
  readonly anchors: readonly string[];
}

/** A text of a layout that reads more than our own does, as our own reads it: lists of definitions are HTML, codes of emoji their signs. */
export function githubMarkdown(written: string, { lang, extensions = {}, anchors }: Foreign): string {
  const { hasEmojiCodes = false, hasDefinitionLists = false } = extensions;
  const text = hasEmojiCodes ? withSigns(written, anchors, hasDefinitionLists) : written;
  return hasDefinitionLists ? withLists(text, lang) : text;
}

/** Links lead to the ids that headings had with their codes, so these are written out. */
function withSigns(body: string, anchors: readonly string[], definitionList: boolean): string {
  if (!mayHaveEmojiCodes(body)) return body;
  const edits: (Place & { readonly text: string })[] = [];
  let nameEnd = 0;
  let headings = 0;
  const plugin = {
    name: 'kbsync-emoji-places',
    options: { position: true },
    heading: ({ children, position }) => {
      const id = anchors[headings] ?? '';
      headings += 1;
      const whole = placeOf(position);
      const { end } = placeOf(children.at(-1)?.position);
      if (!mayHaveEmojiCodes(body.slice(whole.start, end)) || !/^[^\s{}]+$/.test(id)) return;
      if (!body.slice(end, whole.end).includes('{')) edits.push({ start: end, end, text: ` {#${id}}` });
    },
    // Its words are the name of its address.
    linkReference: ({ referenceType, position }) => {
      if (referenceType !== 'full') nameEnd = placeOf(position).end;
    },
    text: ({ position }) => {
      const { start, end } = placeOf(position);
      if (start >= nameEnd) edits.push({ start, end, text: withEmoji(body.slice(start, end)) });
    },
  } satisfies MdastPluginDefinition;
  satteri().markdownToHtml(body, {
    features: { ...DEFINITION_LISTS, definitionList },
    mdastPlugins: [plugin],
  });
  let text = '';
  let cursor = 0;
  for (const edit of edits.sort((a, b) => a.start - b.start)) {
    if (edit.start < cursor) continue;
    text += body.slice(cursor, edit.start) + edit.text;
    cursor = edit.end;
  }
  return text + body.slice(cursor);
}

function placeOf(position: MdastNode['position']): Place {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 };
}

function withLists(written: string, lang: string): string {
  if (!/^[ \t>]*:[ \t]/m.test(written)) return written;
  const body = withColonsAlone(written);
  const { lists, named } = definitionsIn(body);
  if (lists.length === 0) return written;
  const addresses = named.map(({ start, end }) => body.slice(start, end)).join('\n\n');
  let text = '';
  let cursor = 0;
  for (const { start, end } of lists) {
    const lead = leadOf(body, start);
    const list = withoutLead(body.slice(start, end).trimEnd(), lead);
    text +=
      body.slice(cursor, start) + listHtml(list.includes('[') ? `${list}\n\n${addresses}` : list, lead, lang);
    cursor = end;
  }
  return text + body.slice(cursor);
}

/** What stands before a list in its lines: blanks, and marks of quotes. */
function leadOf(body: string, start: number): string {
  return body.slice(body.lastIndexOf('\n', start - 1) + 1, start).replaceAll(/[^\s>]/g, ' ');
}

function withoutLead(list: string, lead: string): string {
  const bare = lead.trimEnd();
  return list
    .split('\n')
    .map((line, at) => (at === 0 ? line : line.slice(line.startsWith(lead) ? lead.length : bare.length)))
    .join('\n');
}

/** A block of HTML ends at a blank line, so it must have none; its lines stand where those of the list stood. */
function listHtml(list: string, lead: string, lang: string): string {
  const html = renderMarkdown(`${list}\n`, {
    url: (written) => written,
    html: (value) => value,
    labels: labelsFor(lang),
    extensions: { hasDefinitionLists: true },
  });
  return `${html.trimEnd().replaceAll(/\n(?=[ \t]*\n)/g, '\n&#10;')}\n`.replaceAll('\n', `\n${lead}`);
}
