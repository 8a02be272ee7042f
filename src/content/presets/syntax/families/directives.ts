import type { Edit } from '../../preset.ts';
import { NOTHING } from '../family.ts';
import type { Found, Source } from '../family.ts';
import { boxKind } from '../parts/boxes.ts';
import { boldLine } from '../parts/part-rule.ts';
import { isLockedName } from '../parts/parts.ts';
import { NO_ARGUMENTS, tagArguments } from '../tag.ts';
import type { Meaning, Part, Tag, TagArguments, TagSyntax } from '../tag.ts';

const FENCE =
  /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(:{3,})[ \t]*(?:([A-Za-z][\w\p{Script=Latin}\p{M}-]*)(?![\w\p{Script=Latin}\p{M}-]|\.\w)[ \t]*(?:\[([^\n]*)\])?[ \t]*(?:\{([^}\n]*)\})?([^\n]*))?$/gmu;
const TAB = /^[ \t>]*@tab(?::active)?[ \t]+([^\n]*)$/gm;

/** `:::note[Title]`, `::: tip Title` … `:::`, outside code, and `@tab` of VuePress inside `::: tabs`. */
export function directives(source: Source): Found {
  const { body, isTaken } = source;
  if (!body.includes(':::')) return NOTHING;
  const syntax = source.context.page?.variable('containers') === 'any' ? ANY_CONTAINER : CONTAINER;
  const tags: Tag[] = [];
  const strays: Edit[] = [];
  const open: { readonly name: string; readonly colons: number }[] = [];
  for (const found of body.matchAll(FENCE)) {
    const {
      0: whole,
      1: lead = '',
      2: mark = '',
      3: name,
      4: label,
      5: attributes = '',
      6: rest = '',
      index,
    } = found;
    if (isTaken(index + lead.length)) continue;
    const range = { syntax, start: index + lead.length, end: index + whole.length };
    if (name !== undefined) {
      open.push({ name, colons: mark.length });
      tags.push({ ...range, name, form: 'open', args: containerArguments(label, attributes, rest) });
      continue;
    }
    const at = open.findLastIndex(({ colons }) => colons <= mark.length);
    const opener = open[at];
    if (opener === undefined) {
      // It closes nothing.
      strays.push({ start: range.start, end: range.end, text: '' });
      continue;
    }
    open.length = at;
    tags.push({ ...range, name: opener.name, form: 'close', args: NO_ARGUMENTS });
  }
  // markdown-it ends an open container with the page; of one behind a password that must not be missed.
  const ending = { syntax: CONTAINER, start: body.length, end: body.length, args: NO_ARGUMENTS };
  for (const { name } of open.toReversed())
    if (isLockedName(name)) tags.push({ ...ending, name, form: 'close' });
  return { tags: withTabs(tags, source), edits: strays };
}

/** `[Title]`, `{name=value}`, a title up to the end of the line, or `name="value" word` as Plume and Hope have it. */
function containerArguments(label: string | undefined, attributes: string, rest: string): TagArguments {
  // `:::name text :::` in one line.
  const text = rest.replace(/\s:{3,}\s*$|\s*\{[.#][^{}]*\}\s*$/, '').trim();
  const hasValues = label === undefined && /^[\w-]+=["']/.test(text);
  const given = tagArguments(hasValues ? `${attributes} ${text}` : attributes);
  const flags = hasValues ? Object.fromEntries(given.positional.map((word) => [word, ''])) : {};
  const title = label ?? (hasValues ? '' : text);
  return { named: { ...(title === '' ? {} : { title }), ...flags, ...given.named }, positional: [] };
}

/** `@tab npm` up to the next one or the end of its container. */
function withTabs(tags: readonly Tag[], { body, isTaken }: Source): readonly Tag[] {
  if (!body.includes('@tab')) return tags;
  const starts = [...body.matchAll(TAB)].filter(({ index }) => !isTaken(index));
  const all: Tag[] = [...tags];
  for (const [at, { 0: whole, 1: title = '', index }] of starts.entries()) {
    const ends = tags
      .filter(({ form, start }) => form === 'close' && start > index)
      .map(({ start }) => start);
    const end = Math.min(starts[at + 1]?.index ?? Infinity, ...ends);
    if (end === Infinity) continue;
    const start = index + (/^[ \t>]*/.exec(whole)?.[0].length ?? 0);
    const tab = { syntax: CONTAINER, name: 'tab' };
    all.push({
      ...tab,
      form: 'open',
      start,
      end: index + whole.length,
      args: { named: { title: title.trim() }, positional: [] },
    });
    const behind = body.slice(0, end).trimEnd().length;
    all.push({
      ...tab,
      form: 'close',
      start: behind,
      end: behind,
      args: NO_ARGUMENTS,
    });
  }
  return all.sort((a, b) => a.start - b.start || a.end - b.end);
}

export const CONTAINER: TagSyntax = { what: 'container', shown: ({ name }) => `:::${name}`, meaning };

/** Where any name is a class of a `<div>`. */
const ANY_CONTAINER: TagSyntax = { ...CONTAINER, meaning: (part) => meaning(part) ?? { as: 'keep' } };

/**
 * Containers that only arrange or show what is inside: VuePress' themes Hope and Plume (`preview`, `demo`, `npm-to`, `window`, `collapse` around a list),
 * Vocs (`terminal`), VitePress (`v-pre`).
 */
const ARRANGING = new Set(
  `center left right justify flex align v-pre raw preview demo normal-demo demo-wrapper window table field-group card-masonry masonry
  npm-to npm-tabs terminal rust-repl go-repl python-repl kotlin-repl java-repl`.split(/\s+/),
);

/** Boxes of the Carpentries' lessons, by what readers see above them (https://carpentries.github.io/sandpaper-docs/component-guide.html). */
const LESSON_BOXES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    questions: 'Questions',
    objectives: 'Objectives',
    keypoints: 'Key points',
    prereq: 'Prerequisite',
    challenge: 'Challenge',
    checklist: 'Checklist',
    discussion: 'Discussion',
    testimonial: 'Testimonial',
  }),
);
const LESSON_FOLDS: ReadonlyMap<string, string> = new Map([
  ['solution', 'Show me the solution'],
  ['spoiler', 'Details'],
]);

/** Any kind of box is one here, also `quote` and `example`, which are something else as components. */
function meaning({ tag, closer, inside }: Part): Meaning | undefined {
  const kind = boxKind(tag.name);
  const { title } = tag.args.named;
  const lesson = kind === undefined ? LESSON_BOXES.get(tag.name) : undefined;
  if (lesson !== undefined) return { as: 'box', kind: 'note', title: title ?? lesson };
  const fold = kind === undefined ? LESSON_FOLDS.get(tag.name) : undefined;
  if (fold !== undefined) return { as: 'fold', summary: title ?? fold };
  if (tag.name === 'details') return { as: 'fold', summary: title ?? 'Details' };
  const isList = tag.name === 'collapse' && /^\s*[-*+] /.test(inside);
  if (closer !== undefined && (isList || ARRANGING.has(tag.name)))
    return title === undefined ? { as: 'keep' } : { as: 'labelled', label: boldLine(title) };
  return kind === undefined ? undefined : { as: 'box', kind, title };
}
