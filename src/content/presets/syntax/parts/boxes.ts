import type { BoxKind, Meaning, Part } from '../tag.ts';
import { argument } from './part-rule.ts';
import type { PartRule, PartRules } from './part-rule.ts';

/** What generators call their boxes → what GitHub calls them. */
const KINDS: Readonly<Record<BoxKind, string>> = {
  note: 'note info primary secondary abstract summary tldr quote cite example question help faq notice seealso todo default',
  tip: 'tip hint success check done best-practice good',
  important: 'important attention',
  warning: 'warning warn bug alert caveat',
  caution: 'caution danger error failure fail missing destructive severe',
};

const KIND_OF: ReadonlyMap<string, BoxKind> = new Map(
  (['note', 'tip', 'important', 'warning', 'caution'] as const).flatMap((kind) =>
    KINDS[kind].split(' ').map((name) => [name, kind] as const),
  ),
);

/** The kind of a box by any generator's name for it. */
export function boxKind(name: string): BoxKind | undefined {
  return KIND_OF.get(name.trim().toLowerCase());
}

/** Names that are boxes in every generator: `quote` and `example` are more often something else. */
const NAMES =
  `note info tip hint success check important attention warning warn caution danger error bug abstract notice
  seealso todo`
    .trim()
    .split(/\s+/);

/** Boxes by their own name (`<Note>`), and by an argument (`<Aside type="tip">`, `{% hint style="info" %}`). */
export const BOXES: PartRules = {
  ...Object.fromEntries(
    NAMES.map((name): readonly [string, PartRule] => [name, (part) => namedBox(part, name)]),
  ),
  aside: typedBox,
  admonition: typedBox,
  admon: typedBox,
  callout: typedBox,
  alert: typedBox,
  alertbox: typedBox,
  banner: typedBox,
  hint: typedBox,
  notification: typedBox,
  // Mintlify and Nuxt UI: a text to copy into an assistant, below what it is for.
  prompt: promptBox,
  // Hugo: Docsy and Relearn.
  pageinfo: typedBox,
  notice: typedBox,
};

function namedBox(part: Part, name: string): Meaning | undefined {
  const title = titleOf(part);
  // `<Check />` in a cell is a picture.
  if (part.closer === undefined && title === undefined) return undefined;
  return { as: 'box', kind: boxKind(name) ?? 'note', title };
}

function promptBox(part: Part): Meaning | undefined {
  const title = argument(part, 'description');
  return part.closer === undefined || title === undefined ? undefined : { as: 'box', kind: 'note', title };
}

function typedBox(part: Part): Meaning | undefined {
  if (part.closer === undefined && argument(part, 'title', 'text') === undefined) return undefined;
  const wanted =
    argument(part, 'type', 'kind', 'style', 'intent', 'color', 'level', 'context', 'variant', 'theme', '0') ??
    '';
  return { as: 'box', kind: boxKind(wanted) ?? 'note', title: titleOf(part) };
}

/** `note "Careful"`; a word alone is a colour or an icon of some theme. */
function titleOf(part: Part): string | undefined {
  const word = argument(part, '0');
  const named = argument(part, 'title', 'heading', 'header');
  return named ?? argument(part, '1') ?? (word !== undefined && /\s/.test(word) ? word : undefined);
}
