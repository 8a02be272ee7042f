import type { Meaning, Part } from '../tag.ts';
import { KEEP, argument, boldLine, wrapper } from './part-rule.ts';
import type { PartRules } from './part-rule.ts';

/** Groups of code, whose names stand in the fences (see fence-names), and blocks with a name of their own. */
export const CODE: PartRules = {
  codegroup: wrapper,
  codeblocks: wrapper,
  codegroupitem: codeOf,
  codeblock: codeOf,
  code: codeOf,
};

function codeOf(part: Part): Meaning | undefined {
  const title = argument(part, 'title', 'filename', 'name', 'label');
  const language = argument(part, 'lang', 'language') ?? '';
  const label = title === undefined ? undefined : boldLine(title);
  if (part.closer === undefined) {
    const code = argument(part, 'code');
    if (code === undefined) return undefined;
    const fence = `\`\`\`${language}\n${code}\n\`\`\``;
    return { as: 'text', text: label === undefined ? fence : `${label}\n\n${fence}` };
  }
  const template = /^\s*\{\s*`([\s\S]*)`\s*\}\s*$/.exec(part.inside)?.[1];
  if (/^\s*(?:`{3}|~{3})/.test(part.inside)) return label === undefined ? KEEP : { as: 'labelled', label };
  // `<code>` in a line is HTML's own.
  if (template === undefined && part.tag.name === 'code') return undefined;
  return { as: 'code', language, ...(label === undefined ? {} : { label }) };
}
