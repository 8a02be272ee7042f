import type { Edit } from '../../../preset.ts';
import { inRanges } from '../../code-ranges.ts';
import type { Range } from '../../code-ranges.ts';
import { scalar, sideFile } from '../../../pages/side-file.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { KEEP, argument, boldLine, link } from '../../parts/part-rule.ts';
import { knownPart } from '../../parts/parts.ts';
import { NO_ARGUMENTS, tagArguments } from '../../tag.ts';
import type { Meaning, Part, Tag, TagArguments, TagSyntax } from '../../tag.ts';

const FENCE =
  /^([ \t>]*(?:[-*+][ \t]+)?)(:{2,})(?:([a-z][\w-]*)(?:\[([^\]\n]*)\])?(?:\{([^\n]*)\})?)?[ \t]*$/gm;
/** Properties as YAML right below the opening line. */
const PROPERTIES = /^\n[ \t]*---[ \t]*\n([\s\S]{0,2000}?)\n?[ \t]*---[ \t]*(?=\n|$)/;
const SLOT = /#(?<=^[ \t]*#)[a-z][\w-]*(?:\{[^}\n]*\})?[ \t]*$/gm;
const INLINE = /(^|[\s(*_|>])(:([a-z][\w-]*)(?=[[{])(?:\[([^\]\n]*)\])?(?:\{([^}\n]*)\})?)/gm;
const ALONE = /^([ \t]*)(:([a-z]\w*(?:-\w+)+))[ \t]*$/gm;
const SPAN = /(?<![!\]\\])\[([^[\]\n]+)(\]\{[^{}\n]*\})/g;

/** MDC of Nuxt Content: `::name{title="A"}` … `::`, with as many colons, `:name[text]{a="b"}` in a line, `#slot`, `[text]{.class}`. */
export function mdc(source: Source): Found {
  const { body, isTaken } = source;
  if (!/:[:a-z]|\]\{/.test(body)) return NOTHING;
  const tags: Tag[] = [];
  const edits: Edit[] = [];
  const open: { readonly name: string; readonly colons: number; readonly end: number }[] = [];
  const insides: Range[] = [];
  for (const {
    0: whole,
    1: lead = '',
    2: mark = '',
    3: name,
    4: label,
    5: attributes,
    index,
  } of body.matchAll(FENCE)) {
    if (isTaken(index + lead.length)) continue;
    const start = index + lead.length;
    const end = index + whole.length;
    if (name !== undefined) {
      const [said = '', yaml = ''] = PROPERTIES.exec(body.slice(end, end + 2_100)) ?? [];
      const args = componentArguments(label, attributes, yaml);
      open.push({ name, colons: mark.length, end });
      tags.push({ syntax: MDC, name, form: 'open', start, end: end + said.length, args });
      continue;
    }
    const at = open.findLastIndex(({ colons }) => colons === mark.length);
    const opener = open[at];
    if (opener === undefined) {
      // It closes nothing.
      if (mark.length === 2) edits.push({ start, end, text: '' });
      continue;
    }
    open.length = at;
    insides.push([opener.end, start]);
    tags.push({ syntax: MDC, name: opener.name, form: 'close', start, end, args: NO_ARGUMENTS });
  }
  const inTag = inRanges(tags.map(({ start, end }) => [start, end]));
  const inside = inRanges(outermost(insides));
  for (const { 0: whole, index } of body.matchAll(SLOT)) {
    if (inside(index) && !isTaken(index) && !inTag(index))
      edits.push({ start: index, end: index + whole.length, text: '' });
  }
  const inLines = inlineTags(body, (offset) => isTaken(offset) || inTag(offset));
  const inLine = inRanges(inLines.map(({ start, end }) => [start, end]));
  for (const { 1: text = '', 2: behind = '', index } of body.matchAll(SPAN)) {
    if (isTaken(index) || inTag(index) || inLine(index)) continue;
    const close = index + 1 + text.length;
    edits.push(
      { start: index, end: index + 1, text: '' },
      { start: close, end: close + behind.length, text: '' },
    );
  }
  return { tags: inOrder([...tags, ...inLines]), edits };
}

function inlineTags(body: string, isText: (offset: number) => boolean): readonly Tag[] {
  const tags: Tag[] = [];
  for (const pattern of [INLINE, ALONE]) {
    for (const found of body.matchAll(pattern)) {
      const { 1: lead = '', 2: text = '', 3: name = '', 4: label, 5: attributes, index } = found;
      const start = index + lead.length;
      if (isText(start)) continue;
      const args = componentArguments(label, attributes, '');
      tags.push({ syntax: MDC, name, form: 'self', start, end: start + text.length, args });
    }
  }
  return inOrder(tags);
}

function inOrder(tags: readonly Tag[]): readonly Tag[] {
  return [...tags].sort((a, b) => a.start - b.start || a.end - b.end);
}

function outermost(ranges: readonly Range[]): readonly Range[] {
  const out: Range[] = [];
  for (const range of [...ranges].sort(([a], [b]) => a - b))
    if (range[1] > (out.at(-1)?.[1] ?? -1)) out.push(range);
  return out;
}

/** `[label]`, `{title="A" .class}` and the lines of YAML: classes and flags say nothing to a reader. */
function componentArguments(label: string | undefined, attributes = '', yaml = ''): TagArguments {
  const properties: unknown = yaml === '' ? undefined : sideFile(yaml).value;
  const said = Object.entries(
    typeof properties === 'object' && properties !== null ? properties : {},
  ).flatMap(([name, value]: readonly [string, unknown]) => {
    const text = scalar(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  const { named } = tagArguments(attributes);
  return {
    named: { ...(label === undefined ? {} : { text: label }), ...Object.fromEntries(said), ...named },
    positional: [],
  };
}

const MDC: TagSyntax = {
  what: 'container',
  shown: ({ name, form }) => `${form === 'self' ? ':' : '::'}${name}`,
  meaning,
};

/** Parts of Nuxt UI and HTML that only arrange what is inside. */
const ARRANGING = new Set(
  `div span section container grid columns column hero logos cta group field-group card-group code-preview code-collapse code-tree
  tabs-content accordion list landing-hero block-hero`.split(/\s+/),
);

function meaning(part: Part): Meaning | undefined {
  const { tag, closer } = part;
  const name = tag.name.replace(/^u-/, '').replace(/^(?:prose|page)-(?=\w)/, '');
  if (name === 'kbd') {
    const value = argument(part, 'value', 'text');
    return value === undefined ? undefined : { as: 'text', text: `<kbd>${value}</kbd>`, isInline: true };
  }
  if (name === 'read-more' || name === 'button') {
    const address = argument(part, 'to', 'href', 'link');
    if (closer === undefined || part.inside.trim() === '')
      return address === undefined
        ? undefined
        : { as: 'text', text: link(argument(part, 'label', 'title', 'text') ?? address, address) };
  }
  if (ARRANGING.has(name) && closer !== undefined) {
    const title = argument(part, 'title');
    return title === undefined ? KEEP : { as: 'labelled', label: boldLine(title) };
  }
  const known = name === 'tabs-item' ? 'tabitem' : name;
  return known === tag.name ? undefined : knownPart({ ...part, tag: { ...tag, name: known } });
}
