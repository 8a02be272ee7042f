import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { NO_ARGUMENTS } from '../../tag.ts';
import type { Meaning, Tag, TagSyntax } from '../../tag.ts';

const TAB = /\{\{#(\/|end)?(tabs?)\b([^{}\n]*)\}\}/g;
/** `name="A"` of mdbook-tabs, `name:"A"` of Kubebuilder's books. */
const NAMED = /\bname\s*[=:]\s*"([^"]*)"/;

/**
 * Tabs of preprocessors of mdBook: `{{#tabs}}`, `{{#tab name="A"}}` … `{{#endtab}}`, `{{#endtabs}}` of mdbook-tabs (https://docs.rs/mdbook-tabs), and
 * `{{#tab A}}` … `{{#/tab}}` of the one that books of Kubernetes have.
 */
export function mdbookTabs({ body, inCode }: Source): Found {
  if (!body.includes('{{#tab')) return NOTHING;
  const tags: Tag[] = [];
  for (const { 0: whole, 1: end, 2: name = '', 3: said = '', index } of body.matchAll(TAB)) {
    if (inCode(index)) continue;
    const title = name === 'tab' ? (NAMED.exec(said)?.[1] ?? said.trim()) : '';
    tags.push({
      syntax: TABS,
      name,
      form: end === undefined ? 'open' : 'close',
      start: index,
      end: index + whole.length,
      args: title === '' ? NO_ARGUMENTS : { named: { name: title }, positional: [] },
    });
  }
  return { tags };
}

/** What tabs mean everywhere. */
const TABS: TagSyntax = {
  what: 'container',
  shown: ({ name }) => `{{#${name}}}`,
  meaning: (): Meaning | undefined => undefined,
};
