import type { Part, Tag } from './tag.ts';

interface GrowingPart extends Part {
  readonly children: GrowingPart[];
}

/** Tags in the order of the text as parts in each other. A stray closing tag is a part of its own. */
export function partsOf(body: string, tags: readonly Tag[]): readonly Part[] {
  const closers = pairs(tags);
  const closing = new Set(closers.values());
  const roots: GrowingPart[] = [];
  const open: { readonly part: GrowingPart; readonly closer: Tag }[] = [];
  for (const tag of tags) {
    if (open.at(-1)?.closer === tag) open.pop();
    if (closing.has(tag)) continue;
    const its = closers.get(tag);
    const closer = open.length < DEPTH_MAX ? its : undefined;
    // Its end comes later, as one that closes nothing.
    if (its !== undefined && closer === undefined) closing.delete(its);
    const parent = open.at(-1)?.part;
    const part: GrowingPart = {
      tag,
      closer,
      parent,
      children: [],
      inside: closer === undefined ? '' : body.slice(tag.end, closer.start),
    };
    (parent?.children ?? roots).push(part);
    if (closer !== undefined) open.push({ part, closer });
  }
  return roots;
}

/** No page is nested like that; who walks the tree goes one call deeper for each level. */
const DEPTH_MAX = 200;

/** Opening tag → its closing tag. */
function pairs(tags: readonly Tag[]): ReadonlyMap<Tag, Tag> {
  const found = new Map<Tag, Tag>();
  const open: Tag[] = [];
  const count = new Map<string, number>();
  for (const tag of tags) {
    const name = nameIn(tag);
    if (tag.form === 'open') {
      open.push(tag);
      count.set(name, (count.get(name) ?? 0) + 1);
    }
    if (tag.form !== 'close' || (count.get(name) ?? 0) === 0) continue;
    // What was opened inside and never closed stands alone: each is taken off once, however many there are.
    for (let opener = open.pop(); opener !== undefined; opener = open.pop()) {
      const its = nameIn(opener);
      count.set(its, (count.get(its) ?? 1) - 1);
      if (its !== name) continue;
      found.set(opener, tag);
      break;
    }
  }
  return found;
}

/** `<note>` does not close `:::note`. */
function nameIn({ syntax, name }: Tag): string {
  return `${syntax.what} ${name}`;
}
