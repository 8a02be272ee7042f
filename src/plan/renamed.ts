import type { Family, Key } from '../model/key.ts';
import { familyOf, isOriginal, kindOf } from '../model/key.ts';
import type { DesiredRecord } from '../model/record.ts';
import { isNew, type PlanInput } from './plan-input.ts';
import type { Renamed } from './plan.ts';
import { groupedBy } from '../text/grouped.ts';
import { ruleOf, selectedRecords } from './selection.ts';

/** Records that one file may have been, and then was. */
export interface OpenNames {
  /** Records on the service whose file is gone, by the state or by their stamp. */
  readonly gone: ReadonlySet<Family>;
  /** Originals that the service does not have yet. */
  readonly made: readonly Key[];
  /** Articles among `made` → those among `gone` that alone have their titles. */
  readonly sameTitles: ReadonlyMap<Family, Family>;
}

/** Undefined: no file can be another one that was renamed. */
export function openNames(input: PlanInput): OpenNames | undefined {
  const made = selectedRecords(input).filter((record) => isNew(record, input));
  if (made.length === 0) return undefined;
  const gone = new Map([...goneByStamp(input), ...goneOfBase(input)]);
  if (gone.size === 0) return undefined;
  return {
    gone: new Set(gone.keys()),
    made: made.map(({ key }) => key),
    sameTitles: sameTitles(made, gone),
  };
}

/** Record → its title; undefined: nobody knows it, or it is no article. */
type Gone = readonly (readonly [family: Family, title: string | undefined])[];

function sameTitles(
  made: readonly DesiredRecord[],
  gone: ReadonlyMap<Family, string | undefined>,
): ReadonlyMap<Family, Family> {
  const olds = groupedBy([...gone], ([, title]) => (title === undefined ? [] : [title]));
  const news = groupedBy(made, ({ kind, fields: { title } }) =>
    kind === 'article' && typeof title === 'string' ? [title] : [],
  );
  return new Map(
    [...news].flatMap(([title, [now, ...moreNow]]): (readonly [Family, Family])[] => {
      const [old, ...moreOld] = olds.get(title) ?? [];
      return old === undefined || now === undefined || moreOld.length + moreNow.length > 0
        ? []
        : [[now.family, old[0]]];
    }),
  );
}

/** What is known of a new record's file and the author has not decided. */
export function renamedTo(record: DesiredRecord, input: PlanInput): Renamed | undefined {
  if (input.renamed === undefined || input.allow.has('renamed') || !isNew(record, input)) return undefined;
  return input.renamed.get(record.family);
}

function goneOfBase({ base, desired, remote, moves }: PlanInput): Gone {
  const missing = [...base.records.keys()].filter(
    (key) => isOriginal(key, desired) && !desired.records.has(key) && remote.get(key)?.state !== 'absent',
  );
  return withoutRule(missing, { desired, moves }).map((key) => [
    familyOf(key),
    titleOf(key, base.records.get(key)?.sent['title']),
  ]);
}

function goneByStamp({ unmanaged, desired, moves }: PlanInput): Gone {
  // A stamp holds the key as kbsync wrote it; one that is none matches nothing.
  const named = new Map(
    unmanaged.flatMap(({ was, by, name }) =>
      was === undefined || by !== undefined ? [] : [[was as Key, name] as const],
    ),
  );
  const missing = [...named.keys()].filter((key) => !desired.records.has(key));
  return withoutRule(missing, { desired, moves }).map((key) => [familyOf(key), titleOf(key, named.get(key))]);
}

function titleOf(key: Key, title: unknown): string | undefined {
  return kindOf(key) === 'article' && typeof title === 'string' ? title : undefined;
}

/** Those that have no file because they have none, not because kbsync.yaml or an error in the file says so. */
function withoutRule(
  keys: readonly Key[],
  { desired, moves }: Pick<PlanInput, 'desired' | 'moves'>,
): readonly Key[] {
  if (keys.length === 0) return [];
  const excluded = desired.excluded?.();
  return keys.filter(
    (key) =>
      excluded?.has(key) !== true &&
      desired.withheld?.has(key) !== true &&
      ruleOf(key, { desired, moves }) === undefined,
  );
}

/** For the list `moved` of kbsync.yaml: `{ from: article/billing/fax, to: article/legacy/fax }` */
export function movedEntry({ from, to }: Pick<Renamed, 'from' | 'to'>): string {
  return `{ from: ${written(from)}, to: ${written(to)} }`;
}

function written(family: Family): string {
  return /^[\w./-]+$/.test(family) ? family : JSON.stringify(family);
}
