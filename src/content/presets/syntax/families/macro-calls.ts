import { literalPattern } from '../../../../text/literal-pattern.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import type { Tag, TagArguments, TagSyntax } from '../tag.ts';

/**
 * `{{ name("text", key=1) }}` of the plugin `macros` of MkDocs (https://mkdocs-macros-plugin.readthedocs.io/en/latest/macros/): what the site's own Python
 * writes there is not known, so a call is a part with that name, as a shortcode is. Code is left alone.
 */
export function macroCalls({ body, context, isTaken }: Source): Found {
  const variable = context.page?.variable;
  if (variable === undefined || variable('macros') === undefined) return NOTHING;
  const open = variable('macros.j2_variable_start_string') ?? '{{';
  const close = variable('macros.j2_variable_end_string') ?? '}}';
  if (!body.includes(open)) return NOTHING;
  const call = new RegExp(
    String.raw`${literalPattern(open)}-?[ \t]*([A-Za-z_]\w*)\(((?:[^()"'\n]|"[^"\n]*"|'[^'\n]*'){0,2000})\)[ \t]*-?${literalPattern(close)}`,
    'g',
  );
  const tags: Tag[] = [];
  for (const { 0: whole, 1: name = '', 2: args = '', index } of body.matchAll(call)) {
    if (isTaken(index)) continue;
    tags.push({
      syntax: CALL,
      name,
      form: 'self',
      start: index,
      end: index + whole.length,
      args: callArguments(args),
      written: whole.replaceAll(/\s+/g, ' ').slice(0, SHOWN_MAX),
    });
  }
  return tags.length === 0 ? NOTHING : { tags };
}

const SHOWN_MAX = 100;

const CALL: TagSyntax = {
  what: 'expression',
  shown: ({ written = '' }) => written,
  meaning: () => undefined,
};

/** Arguments as Python writes them. */
function callArguments(written: string): TagArguments {
  const named: Record<string, string> = {};
  const positional: string[] = [];
  for (const [, name, double, single, word] of written.matchAll(
    /(?:\b([A-Za-z_]\w*)[ \t]*=[ \t]*)?(?:"([^"]*)"|'([^']*)'|([^\s,"'=]+))/g,
  )) {
    const value = double ?? single ?? word ?? '';
    if (name === undefined) positional.push(value);
    else named[name] = value;
  }
  return { named, positional };
}
