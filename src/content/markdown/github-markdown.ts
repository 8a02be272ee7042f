import type { MdastPluginDefinition } from 'satteri';
import { satteri } from '../parsers.ts';
import { DEFINITION_LISTS, definitionsIn, withColonsAlone } from './definition-lists.ts';
import { mayHaveEmojiCodes, withEmoji } from './emoji-codes.ts';
import type { MarkdownExtensions } from './markdown.ts';

/** A text of a layout that reads more than our own does, as our own reads it: lists of definitions are HTML, codes of emoji their signs. */
export function githubMarkdown(written: string, extensions: MarkdownExtensions = {}): string {
  return withLists(extensions.hasEmojiCodes === true ? withSigns(written) : written, extensions);
}

function withSigns(body: string): string {
  if (!mayHaveEmojiCodes(body)) return body;
  let text = '';
  let cursor = 0;
  const plugin = {
    name: 'kbsync-emoji-places',
    options: { position: true },
    text: ({ position }) => {
      const [start, end] = [position?.start.offset ?? 0, position?.end.offset ?? 0];
      if (start < cursor) return;
      text += body.slice(cursor, start) + withEmoji(body.slice(start, end));
      cursor = end;
    },
  } satisfies MdastPluginDefinition;
  satteri().markdownToHtml(body, { features: DEFINITION_LISTS, mdastPlugins: [plugin] });
  return text + body.slice(cursor);
}

function withLists(written: string, { hasDefinitionLists = false }: MarkdownExtensions): string {
  if (!hasDefinitionLists || !/^[ \t>]*:[ \t]/m.test(written)) return written;
  const body = withColonsAlone(written);
  const { lists } = definitionsIn(body);
  if (lists.length === 0) return written;
  const references = (body.match(/^ {0,3}\[[^\]\n]+\]:[^\n]*$/gm) ?? []).join('\n');
  let text = '';
  let cursor = 0;
  for (const { start, end } of lists) {
    text += body.slice(cursor, start) + listHtml(body, start, end, references);
    cursor = end;
  }
  return text + body.slice(cursor);
}

/** A block of HTML ends at a blank line, so it must have none; its lines stand where those of the list stood. */
function listHtml(body: string, start: number, end: number, references: string): string {
  const before = body.slice(body.lastIndexOf('\n', start - 1) + 1, start);
  const lead = before.replaceAll(/[^\s>]/g, ' ');
  const bare = lead.trimEnd();
  const list = body
    .slice(start, end)
    .trimEnd()
    .split('\n')
    .map((line, at) => (at === 0 ? line : line.slice(line.startsWith(lead) ? lead.length : bare.length)))
    .join('\n');
  const { html } = satteri().markdownToHtml(`${list}\n\n${references}\n`, { features: DEFINITION_LISTS });
  return `${html.trimEnd().replaceAll(/\n(?=[ \t]*\n)/g, '\n&#10;')}\n`.replaceAll('\n', `\n${lead}`);
}
