import { alertKind } from './alerts.ts';
import { inRanges } from './code-ranges.ts';
import type { Range } from './code-ranges.ts';
import { translateTags } from './components.ts';
import type { Meaning, Tag } from './components.ts';
import type { DialectContext, Translation } from './preset.ts';

const FENCE =
  /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(:{3,})[ \t]*(?:([A-Za-z][\w-]*)[ \t]*(?:\[([^\n]*)\])?[ \t]*(?:\{([^}\n]*)\})?([^\n]*))?$/gm;
const NO_ARGUMENTS = { named: {}, positional: [] };

/** `:::note[Title]`, `::: tip Title` … `:::`, outside code. Boxes and `details` are known; other containers have rules. */
export function translateContainers(
  body: string,
  code: readonly Range[],
  context: DialectContext,
): Translation {
  if (!body.includes(':::')) return { edits: [], problems: [] };
  const inCode = inRanges(code);
  const tags: Tag[] = [];
  const open: { readonly name: string; readonly colons: number }[] = [];
  for (const {
    0: whole,
    1: lead = '',
    2: mark = '',
    3: name,
    4: label,
    5: attributes,
    6: rest = '',
    index,
  } of body.matchAll(FENCE)) {
    if (inCode(index + lead.length)) continue;
    const range = { start: index + lead.length, end: index + whole.length };
    if (name !== undefined) {
      const title = label ?? /title="([^"]*)"/.exec(attributes ?? '')?.[1] ?? rest.trim();
      open.push({ name, colons: mark.length });
      tags.push({ name, form: 'open', ...range, args: { named: { title }, positional: [title] } });
      continue;
    }
    const at = open.findLastIndex(({ colons }) => colons <= mark.length);
    const opener = open[at];
    if (opener === undefined) continue;
    open.length = at;
    tags.push({ name: opener.name, form: 'close', ...range, args: NO_ARGUMENTS });
  }
  const shown = ({ name }: Tag): string => `:::${name}`;
  return translateTags(body, tags, { what: 'container', shown, meaning }, context);
}

function meaning({ name, args }: Tag): Meaning | undefined {
  const kind = name === 'details' ? 'note' : alertKind(name);
  const title = args.named['title'];
  return kind === undefined ? undefined : { as: 'alert', kind, title: title === '' ? undefined : title };
}
