import type { LocalProblem } from '../source-text.ts';
import { alertKind, alertMarker } from './alerts.ts';
import { inRanges } from './code-ranges.ts';
import type { Range } from './code-ranges.ts';
import { spotsIn } from './edits.ts';
import type { DialectContext, Edit, Translation } from './preset.ts';

const BLOCK =
  /^( *)(!!!|\?\?\?\+?|===[!+]?)[ \t]+(?:"([^"]*)"|([A-Za-z][\w-]*)((?:[ \t]+[\w-]+)*)(?:[ \t]+"([^"]*)")?)[ \t]*$/;

/** A longer line is text. */
const LINE_CHARS_MAX = 500;

interface Open {
  readonly indent: number;
  readonly prefix: string;
  readonly isDropped: boolean;
}

/**
 * Blocks of MkDocs and its Material theme: `!!! note "Title"` and `??? note` with what is indented below them become
 * boxes; `=== "Tab"` is a container with a rule (kept: its title in bold, then its text).
 */
export function translateBlocks(
  body: string,
  code: readonly Range[],
  { rules }: DialectContext,
): Translation {
  if (!/^ *(?:!!!|\?\?\?|===)/m.test(body)) return { edits: [], problems: [] };
  const inCode = inRanges(code);
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  const spotAt = spotsIn(body);
  let open: Open[] = [];
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline < 0 ? body.length : newline;
    const line = body.slice(start, end);
    const isBlank = line.trim() === '';
    const indent = /^ */.exec(line)?.[0].length ?? 0;
    if (!isBlank) open = open.filter((block) => indent >= block.indent + 4);
    const inner = open.at(-1);
    const lead = inner === undefined ? 0 : Math.min(inner.indent + 4, indent);
    const outer = `${' '.repeat(open[0]?.indent ?? 0)}${open.map(({ prefix }) => prefix).join('')}`;
    const mayOpen = line.length < indent + LINE_CHARS_MAX && (inner !== undefined || !inCode(start + indent));
    const found = mayOpen ? BLOCK.exec(line) : null;
    const block = found === null ? undefined : blockOf(found, rules);
    if (found !== null && block !== undefined) {
      if (block.isUnknown) {
        const problem = {
          code: 'unknown-component',
          what: 'container',
          name: block.name,
          shown: line.trim(),
        } as const;
        problems.push({ ...problem, spot: spotAt(start + indent) });
      }
      const isDropped = inner?.isDropped === true || block.isDropped;
      const before = inner === undefined ? ' '.repeat(indent) : `${outer}${' '.repeat(indent - lead)}`;
      edits.push({ start, end, text: isDropped ? '' : `${before}${block.marker}` });
      open.push({ indent, prefix: block.prefix, isDropped });
    } else if (inner?.isDropped === true) edits.push({ start, end, text: '' });
    else if (inner !== undefined)
      edits.push({ start, end: start + lead, text: isBlank ? outer.trimEnd() : outer });
    start = end + 1;
  }
  return { edits, problems };
}

interface Block {
  readonly name: string;
  readonly marker: string;
  readonly prefix: string;
  readonly isDropped: boolean;
  readonly isUnknown: boolean;
}

function blockOf(found: RegExpExecArray, rules: DialectContext['rules']): Block | undefined {
  const [, , mark = '', quoted, type = '', , titled] = found;
  const title = titled ?? quoted;
  const isTab = mark.startsWith('===');
  const name = isTab ? '===' : type;
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  const isDropped = rule === 'drop';
  if (isTab) {
    if (quoted === undefined) return undefined;
    const marker =
      rule === undefined || typeof rule === 'string' ? `**${quoted.replaceAll('*', '')}**` : rule.replace;
    return { name, marker, prefix: '', isDropped, isUnknown: rule === undefined };
  }
  // Any word is allowed here, and shown as a note that has the word for its title.
  const kind = alertKind(type);
  const marker = alertMarker({
    kind: kind ?? 'note',
    title: title ?? (kind === undefined ? type : undefined),
  });
  return { name, marker, prefix: '> ', isDropped, isUnknown: false };
}
