import { isObject, said, text } from '../json-values.ts';
import type { JsonObject } from '../json-values.ts';
import { markdownHtml } from './ghost-cards.ts';
import { lexicalHtml } from './ghost-lexical.ts';
import { mobiledocHtml } from './ghost-mobiledoc.ts';

/** A post as HTML: as Ghost rendered it, or else out of what its editors keep. */
export function postHtml(post: JsonObject): { readonly html: string; readonly notes: readonly string[] } {
  const html = said(post['html']);
  if (html !== undefined) return { html, notes: [] };
  const lexical = parsed(post['lexical']);
  if (lexical !== undefined) return lexicalHtml(lexical);
  const mobiledoc = parsed(post['mobiledoc']);
  if (mobiledoc !== undefined) return mobiledocHtml(mobiledoc);
  const markdown = said(post['markdown']);
  return { html: markdown === undefined ? '' : markdownHtml(markdown), notes: [] };
}

function parsed(value: unknown): JsonObject | undefined {
  if (isObject(value)) return value;
  try {
    const made: unknown = JSON.parse(text(value));
    return isObject(made) ? made : undefined;
  } catch {
    return undefined;
  }
}
