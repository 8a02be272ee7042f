import { addAll } from '../../../text/many.ts';
import { HEADING_BADGE } from '../../markdown/heading-id.ts';
import { sourceWords } from '../../markdown/losses.ts';
import type { LocalProblem } from '../../source-text.ts';
import type { DialectContext, Edit, Translation } from '../preset.ts';
import { arranged } from './arrange.ts';
import { codeIn, inRanges } from './code-ranges.ts';
import type { Range } from './code-ranges.ts';
import { editedText, spotsIn } from './edits.ts';
import type { Family, Source } from './family.ts';
import { expansion } from './includes/expand.ts';
import type { IncludeForm } from './includes/form.ts';
import { isLocked, knownPart } from './parts/parts.ts';
import { keptOf, keptPart, ruleFor, ruled } from './rules.ts';
import type { Meaning, Part, Tag } from './tag.ts';
import { partsOf } from './tree.ts';

/**
 * A body in the Markdown of some generator as our Markdown. Texts of other files come first; then the families look one after the other; each leaves alone what
 * one before it has explained.
 */
export function translator(
  families: readonly Family[],
  ...forms: readonly IncludeForm[]
): (body: string, context: DialectContext) => Translation {
  return (body, context) => {
    const put = expansion(body, context, forms);
    if (!put.hasIncludes) return translated(body, context, families);
    const expanded = editedText(body, put.edits);
    const { edits, problems } = translated(expanded.text, context, families);
    const placed = problems.map((problem) => ({ ...problem, spot: expanded.sourceSpot(problem.spot) }));
    return { edits, expanded, problems: [...put.problems, ...placed] };
  };
}

function translated(body: string, context: DialectContext, families: readonly Family[]): Translation {
  const { isMdx } = context;
  const { all: code, fences, modules } = codeIn(body, isMdx);
  const inCode = inRanges(code);
  const spotAt = spotsIn(body);
  const tags: Tag[] = [];
  const edits: Edit[] = [];
  const problems: LocalProblem[] = [];
  const names = new Map<number, string>();
  let taken: readonly Range[] = code;
  let unshown = 0;
  for (const family of families) {
    const source: Source = { body, context, inCode, fences, modules, isTaken: inRanges(taken), spotAt };
    const found = family(source);
    addAll(problems, found.problems ?? []);
    unshown += found.wordsUnshown ?? 0;
    for (const [start, name] of found.names ?? []) names.set(start, name);
    if (found.tags === undefined && found.edits === undefined) continue;
    addAll(tags, found.tags ?? []);
    addAll(edits, found.edits ?? []);
    taken = merged([...code, ...tags.map(rangeOf), ...edits.map(rangeOf)]);
  }
  if (tags.length + edits.length + names.size === 0 && !isMdx) return { edits, problems };
  const known = new Map<Part, Meaning>();
  const meaning = (part: Part): Meaning => {
    let found = known.get(part);
    if (found === undefined)
      known.set(
        part,
        (found = besideHeading(
          body,
          part,
          meaningOf(part, context, (problem) => problems.push({ ...problem, spot: spotAt(part.tag.start) })),
        )),
      );
    return found;
  };
  const parts = partsOf(body, inOrder(tags));
  const arrangement = { body, parts, meaning, labels: context.labels, fences, names, others: edits, isMdx };
  const edited = arranged(arrangement);
  const dropped = [...known].filter(
    ([{ tag }, its]) =>
      its.as === 'drop' &&
      (its.isMeant === true || isLocked(tag) || ruleFor(context.rules, tag.name) === 'drop'),
  );
  const wordsByRule = dropped.reduce((sum, [{ inside }]) => sum + sourceWords(inside), unshown);
  return { edits: edited, problems, wordsByRule };
}

/** The user's rule, else what the syntax or the generators mean by it, else the user's rule for everything else, else a problem. */
function meaningOf(
  part: Part,
  { rules }: DialectContext,
  report: (problem: UnknownComponent) => void,
): Meaning {
  const { tag } = part;
  const rule = ruleFor(rules, tag.name);
  if (rule !== undefined) return ruled(rule, part);
  const known = tag.syntax.meaning(part) ?? knownPart(part);
  if (known !== undefined) return known;
  // Its opening tag is missing: nothing to say about it.
  if (tag.form === 'close') return { as: 'text', text: '', isInline: true };
  const isShut = isLocked(tag);
  const all = isShut ? undefined : ruleFor(rules, '*');
  if (all !== undefined) return ruled(all, part);
  const name = tag.syntax.shown(tag);
  report({ code: 'unknown-component', what: tag.syntax.what, name: tag.name, shown: name, ...keptOf(part) });
  return isShut ? { as: 'drop' } : keptPart(part);
}

/** `## name <Badge text="new" />`: generators make the id of the heading from its own text alone. */
function besideHeading(body: string, { tag }: Part, meaning: Meaning): Meaning {
  if (tag.form !== 'self' || meaning.as !== 'text' || meaning.isInline !== true) return meaning;
  const line = body.slice(body.lastIndexOf('\n', tag.start - 1) + 1, tag.start);
  const text = /^\*\*([^*\\`_[\]<>&]+)\*\*$/.exec(meaning.text)?.[1];
  if (text === undefined || !/^ {0,3}#{1,6}[ \t]+\S/.test(line)) return meaning;
  return { ...meaning, text: `<strong class="${HEADING_BADGE}">${text}</strong>` };
}

type UnknownComponent = Omit<Extract<LocalProblem, { readonly code: 'unknown-component' }>, 'spot'>;

function rangeOf({ start, end }: { readonly start: number; readonly end: number }): Range {
  return [start, end];
}

/** In order, without overlaps and without empty ones. */
function merged(ranges: readonly Range[]): readonly Range[] {
  const out: Range[] = [];
  for (const [start, end] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = out.at(-1);
    if (end <= start) continue;
    if (last !== undefined && start < last[1]) out[out.length - 1] = [last[0], Math.max(last[1], end)];
    else out.push([start, end]);
  }
  return out;
}

/** Tags of all families as they stand; one that begins inside another is not read. */
function inOrder(tags: readonly Tag[]): readonly Tag[] {
  let end = 0;
  return [...tags]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .filter((tag) => {
      if (tag.start < end) return false;
      end = tag.end;
      return true;
    });
}
