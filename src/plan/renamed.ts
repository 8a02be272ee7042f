import type { Family, Key } from '../model/key.ts';
import { familyOf, isOriginal } from '../model/key.ts';
import type { DesiredRecord } from '../model/record.ts';
import { isNew, type PlanInput } from './plan-input.ts';
import type { Renamed } from './plan.ts';
import { ruleOf, selectedRecords } from './selection.ts';

/** Records that one file may have been, and then was. */
export interface OpenNames {
  /** Records on the service whose file is gone, by the state or by their stamp. */
  readonly gone: ReadonlySet<Family>;
  /** Originals that the service does not have yet. */
  readonly made: readonly Key[];
}

/** Undefined: no file can be another one that was renamed. */
export function openNames(input: PlanInput): OpenNames | undefined {
  const made = selectedRecords(input).filter((record) => isNew(record, input));
  if (made.length === 0) return undefined;
  const gone = new Set([...goneOfBase(input), ...goneByStamp(input)]);
  return gone.size === 0 ? undefined : { gone, made: made.map(({ key }) => key) };
}

/** What git knows of a new record's file that the author has not decided. */
export function renamedTo(record: DesiredRecord, input: PlanInput): Renamed | undefined {
  if (input.renamed === undefined || input.allow.has('renamed') || !isNew(record, input)) return undefined;
  return input.renamed.get(record.family);
}

function goneOfBase({ base, desired, remote, moves }: PlanInput): readonly Family[] {
  const missing = [...base.records.keys()].filter(
    (key) => isOriginal(key, desired) && !desired.records.has(key) && remote.get(key)?.state !== 'absent',
  );
  return withoutRule(missing, { desired, moves }).map(familyOf);
}

function goneByStamp({ unmanaged, desired, moves }: PlanInput): readonly Family[] {
  // A stamp holds the key as kbsync wrote it; one that is none matches nothing.
  const named = unmanaged.flatMap(({ was, by }) =>
    was === undefined || by !== undefined ? [] : [was as Key],
  );
  const missing = named.filter((key) => !desired.records.has(key));
  return withoutRule(missing, { desired, moves }).map(familyOf);
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
