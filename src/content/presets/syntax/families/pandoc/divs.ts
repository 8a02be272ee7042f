import { withCapital } from '../../../../../text/capital.ts';
import { sourceWords } from '../../../../markdown/losses.ts';
import type { Edit } from '../../../preset.ts';
import { THEOREMS } from '../../../settings/theorems.ts';
import { NOTHING } from '../../family.ts';
import type { Found, Source } from '../../family.ts';
import { boxKind } from '../../parts/boxes.ts';
import { boldLine } from '../../parts/part-rule.ts';
import { NO_ARGUMENTS } from '../../tag.ts';
import type { Meaning, Part, Tag, TagSyntax } from '../../tag.ts';
import { anchor, attributesIn, isShown } from './attributes.ts';
import type { Attributes } from './attributes.ts';
import { pageMeta } from './page-meta.ts';

const LINE =
  /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?:(:{3,})(?:[ \t]*(?:\{([^\n]*)\}|([A-Za-z][\w-]*)))?(?:[ \t]*:+)?|(#{1,6})[ \t]+(\S(?:[^\n]*[^ \t\n])?))[ \t]*$/gm;
/** A longer line is none. */
const LINE_CHARS_MAX = 4000;

interface Open {
  readonly tag: Tag | undefined;
  /** A set of tabs, whose headings are the names of the tabs. */
  readonly isTabs: boolean;
  /** The level of these headings. */
  level: number;
  /** The title of a box may be its first heading. */
  takesTitle: ((title: string) => void) | undefined;
}

/**
 * Fenced divs of Pandoc, `::: {.name}` or `::: name` … `:::`. Callouts of Quarto and boxes of bookdown are boxes, `panel-tabset` is one tab below the other, parts for other formats are
 * left out; other classes say how something looks.
 */
export function fencedDivs(source: Source): Found {
  const { body, inCode } = source;
  if (!body.includes(':::')) return NOTHING;
  const divs: Divs = {
    body,
    metaOf: pageMeta(source.context),
    tags: [],
    edits: [],
    open: [],
    wordsUnshown: 0,
  };
  for (const found of body.matchAll(LINE)) {
    const { 0: whole, 1: lead = '', 2: mark, 3: braces, 4: word, 5: hashes, 6: text = '', index } = found;
    const line = { start: index + lead.length, end: index + whole.length };
    if (whole.length > LINE_CHARS_MAX || inCode(line.start)) continue;
    if (hashes !== undefined)
      heading(divs, line, hashes.length, text.replace(/[ \t]*\{[^{}\n]*\}$|[ \t]+#+$/, ''));
    else if (mark !== undefined) {
      const attributes = braces === undefined ? classNamed(word) : attributesIn(braces);
      divs.wordsUnshown += attributes === undefined ? 0 : sourceWords(braces ?? '');
      if (attributes !== undefined) begin(divs, line, attributes);
      // In braces that are no attributes, it is somebody else's container.
      else if (braces === undefined) close(divs, line);
    }
  }
  const { tags, edits, open, wordsUnshown } = divs;
  // What is hidden must not show because its end is missing.
  for (const { tag } of open.toReversed())
    if (tag?.syntax === HIDDEN)
      tags.push({ ...tag, start: body.length, end: body.length, form: 'close', args: NO_ARGUMENTS });
  return { tags, edits, wordsUnshown };
}

/** The divs of a page so far. */
interface Divs {
  readonly body: string;
  readonly metaOf: ReturnType<typeof pageMeta>;
  readonly tags: Tag[];
  readonly edits: Edit[];
  readonly open: Open[];
  wordsUnshown: number;
}

interface Line {
  readonly start: number;
  readonly end: number;
}

/** A heading in a div may be the title of the box, or the name of a tab. */
function heading({ body, edits, open }: Divs, line: Line, level: number, title: string): void {
  const around = open.at(-1);
  if (around === undefined) return;
  if (around.takesTitle !== undefined && isFirst(body, around, line.start)) {
    around.takesTitle(title);
    edits.push({ ...line, text: '' });
  } else if (around.isTabs && (around.level === 0 || around.level === level)) {
    around.level = level;
    edits.push({ ...line, text: boldLine(title) });
  }
}

function begin({ metaOf, tags, edits, open }: Divs, line: Line, attributes: Attributes): void {
  const isHidden = !isShown(attributes, metaOf);
  const box = isHidden ? undefined : boxOf(attributes);
  if (!isHidden && box === undefined) {
    edits.push({ ...line, text: anchor(attributes.id) });
    const isTabs = attributes.classes.some((name) => /^(?:panel-)?tabset$/.test(name));
    open.push({ tag: undefined, isTabs, level: 0, takesTitle: undefined });
    return;
  }
  const named: Record<string, string> = box === undefined ? {} : { ...box.named };
  const tag: Tag = {
    syntax: isHidden ? HIDDEN : DIV,
    name: isHidden ? 'content-hidden' : (box?.name ?? ''),
    form: 'open',
    ...line,
    args: { named, positional: [] },
  };
  tags.push(tag);
  if (attributes.id !== undefined && !isHidden)
    edits.push({ start: line.end, end: line.end, text: `\n\n${anchor(attributes.id)}\n` });
  const titled = box?.titled;
  const takesTitle = (title: string): void => {
    named['title'] = titled?.(title) ?? title;
  };
  open.push({ tag, isTabs: false, level: 0, takesTitle: titled === undefined ? undefined : takesTitle });
}

function close({ tags, edits, open }: Divs, line: Line): void {
  const closed = open.pop();
  if (closed?.tag === undefined) edits.push({ ...line, text: '' });
  else tags.push({ ...closed.tag, ...line, form: 'close', args: NO_ARGUMENTS });
}

function classNamed(word: string | undefined): Attributes | undefined {
  return word === undefined ? undefined : { id: undefined, classes: [word], named: new Map() };
}

/** Nothing but blank lines stands between the opening line and `start`. */
function isFirst(body: string, { tag }: Open, start: number): boolean {
  return tag !== undefined && /^[\s>]*$/.test(body.slice(tag.end, start));
}

interface BoxOf {
  readonly name: string;
  readonly named: Readonly<Record<string, string>>;
  /** Its title where the first heading inside names it; undefined: headings stay. */
  readonly titled?: (heading: string) => string;
}

const THEOREM_CLASSES = new Set([...THEOREMS.values()].map((name) => name.toLowerCase()));

function boxOf({ id, classes, named }: Attributes): BoxOf | undefined {
  const title = named.get('title') ?? named.get('name');
  const said: Record<string, string> = title === undefined ? {} : { title };
  const theorem =
    THEOREMS.get(/^([a-z]{3})-/.exec(id ?? '')?.[1] ?? '') ??
    classes
      .map((name) => (THEOREM_CLASSES.has(name) ? withCapital(name) : undefined))
      .find((name) => name !== undefined);
  if (theorem !== undefined)
    return {
      name: 'note',
      named: { title: title === undefined ? theorem : `${theorem} (${title})` },
      titled: (heading) => `${theorem} (${heading})`,
    };
  for (const name of classes) {
    const kind = /^(?:callout-|alert-|rmd|block-|box-|info-?box-)?(.+)$/.exec(name)?.[1] ?? name;
    if (boxKind(kind) === undefined || PLAIN.has(name)) continue;
    const isCallout = name.startsWith('callout-');
    const collapse = named.get('collapse');
    return {
      name: kind,
      named: { ...said, ...(isCallout && collapse !== undefined ? { collapse } : {}) },
      ...(isCallout && title === undefined ? { titled: (heading: string) => heading } : {}),
    };
  }
  return undefined;
}

/** Classes of boxes elsewhere that only say how something looks here. */
const PLAIN = new Set(
  'default primary secondary quote success question help error fail missing good done faq'.split(' '),
);

const DIV: TagSyntax = {
  what: 'container',
  shown: ({ name }) => `::: ${name}`,
  meaning: ({ tag }: Part): Meaning => {
    const { title, collapse } = tag.args.named;
    if (collapse !== undefined)
      return { as: 'fold', summary: title ?? withCapital(tag.name), isOpen: collapse === 'false' };
    return { as: 'box', kind: boxKind(tag.name) ?? 'note', title };
  },
};

const HIDDEN: TagSyntax = {
  what: 'container',
  shown: () => '::: {.content-hidden}',
  meaning: (): Meaning => ({ as: 'drop', isMeant: true }),
};
