import { HEADERS, LIST_TAGS_PREFERENCE } from '../../contract/headers.ts';
import type { Kind } from '../../model/key.ts';
import { KINDS } from '../../model/key.ts';

/** One ETag for each list. */
export type ListTags = Readonly<Record<Kind, string>>;

/** Follows the lists through the writes of a run. The next run need not read what only this one changed. */
export interface ListSteps {
  /** From now on each write asks for the steps that it takes; undefined: none does. */
  readonly follow: (tags: ListTags | undefined) => void;
  /** Goes with a write. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Of the answer to a write. */
  readonly read: (headers: Readonly<Record<string, string>>) => void;
  /**
   * What the lists are after the writes, each step beginning where another has ended. Undefined: nobody followed them, or there is a gap,
   * in which somebody else may have written.
   */
  readonly tags: () => ListTags | undefined;
}

type Step = readonly [before: string, after: string];

export function createListSteps(): ListSteps {
  let start: ListTags | undefined;
  const steps: Step[] = [];
  return {
    follow(tags) {
      start = tags;
      steps.length = 0;
    },
    headers: () => (start === undefined ? {} : { prefer: LIST_TAGS_PREFERENCE }),
    read(headers) {
      if (start !== undefined) steps.push(...stepsIn(headers[HEADERS.listTags.toLowerCase()] ?? ''));
    },
    tags: () => (start === undefined ? undefined : tagsAfter(start, steps)),
  };
}

/** Of `"a" "b", "c" "d"`. What is no pair is no step, so there is a gap. */
function stepsIn(told: string): readonly Step[] {
  return [...told.matchAll(/("[^"]+") ("[^"]+")/g)].flatMap(([, before, after]) =>
    before === undefined || after === undefined ? [] : [[before, after] as const],
  );
}

/** The answers may come in another order than the writes were done in. */
function tagsAfter(start: ListTags, steps: readonly Step[]): ListTags | undefined {
  const next = new Map(steps);
  const after = (tag: string): string => {
    let at = tag;
    for (let step = next.get(at); step !== undefined; step = next.get(at)) {
      next.delete(at);
      at = step;
    }
    return at;
  };
  const tags = Object.fromEntries(KINDS.map((kind) => [kind, after(start[kind])] as const));
  const { category, tag, article } = tags;
  if (category === undefined || tag === undefined || article === undefined || next.size > 0) return undefined;
  // No step at all: nobody has told what the writes did. Two from one tag: writes that did not see each other.
  return steps.length === 0 || new Set(steps.map(([before]) => before)).size < steps.length
    ? undefined
    : { category, tag, article };
}
