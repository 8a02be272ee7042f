import type { MdastPluginDefinition } from 'satteri';
import { satteri } from '../parsers.ts';

export const DEFINITION_LISTS = {
  gfm: true,
  headingAttributes: true,
  frontmatter: false,
  definitionList: true,
} as const;

/** In a text, by UTF-16 units. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a layout has lists of definitions, a colon alone in its line is text, because a meaning needs words. satteri takes it for a meaning without words, so it
 * gets a backslash.
 */
export function withColonsAlone(body: string): string {
  if (!/^[ \t>]*:[ \t]*$/m.test(body)) return body;
  let text = '';
  let cursor = 0;
  for (const { start } of definitionsIn(body).empty) {
    text += `${body.slice(cursor, start)}\\`;
    cursor = start;
  }
  return text + body.slice(cursor);
}

/** Lists of definitions that lie in no other list, meanings without words, and what texts refer to by name (addresses, footnotes), in order. */
export function definitionsIn(body: string): {
  readonly lists: readonly Place[];
  readonly empty: readonly Place[];
  readonly named: readonly Place[];
} {
  const lists: Place[] = [];
  const empty: Place[] = [];
  const named: Place[] = [];
  const add = (places: Place[], start = 0, end = start): void => {
    if (start >= (places.at(-1)?.end ?? 0)) places.push({ start, end });
  };
  const plugin = {
    name: 'kbsync-definitions',
    options: { position: true },
    descriptionList: ({ position }) => add(lists, position?.start.offset, position?.end.offset),
    definition: ({ position }) => add(named, position?.start.offset, position?.end.offset),
    footnoteDefinition: ({ position }) => add(named, position?.start.offset, position?.end.offset),
    descriptionDetails: ({ children, position }) => {
      if (children.length === 0) add(empty, position?.start.offset, position?.end.offset);
    },
  } satisfies MdastPluginDefinition;
  satteri().markdownToHtml(body, { features: DEFINITION_LISTS, mdastPlugins: [plugin] });
  return { lists, empty, named };
}
