import type { LoadedContent } from '../../content/options.ts';
import type { Key } from '../../model/key.ts';
import type { BaseState, DesiredRecord, DesiredState } from '../../model/record.ts';

export interface Publishable {
  /** The records of files without errors. */
  readonly desired: DesiredState;
  /** Files with errors: what they published before stays as it is. */
  readonly faulty: ReadonlySet<string>;
  /** Records that cannot be sent before a faulty file is repaired, although their own file is in order. */
  readonly held: readonly Key[];
}

/**
 * What can be sent while some files are faulty. A faulty file's records are left out and so stay as they are, because
 * nothing is ever deleted for a missing file without `--prune`. A new file that looks like one of them, by slug or text,
 * is held back: it may be a copy, and must not be mistaken for the faulty file under a new name.
 */
export function publishable({ state, problems }: LoadedContent, base: BaseState): Publishable {
  const faulty = new Set(problems.filter(({ severity }) => severity === 'error').map(({ at }) => at.file));
  if (faulty.size === 0) return { desired: state, faulty, held: [] };
  const records = new Map([...state.records].filter(([, { at }]) => !faulty.has(at.file)));
  const marks = new Set(
    [...base.records.values()]
      .filter(({ key }) => !records.has(key))
      .flatMap(({ sent, input }) => [sent['slug'], input])
      .filter((mark) => typeof mark === 'string'),
  );
  const held = [...records.values()].filter(
    (record) => !base.records.has(record.key) && isAlike(record, marks),
  );
  for (const { key } of held) records.delete(key);
  return { desired: { ...state, records }, faulty, held: held.map(({ key }) => key) };
}

function isAlike({ fields, body }: DesiredRecord, marks: ReadonlySet<string>): boolean {
  const slug = fields['slug'];
  return (typeof slug === 'string' && marks.has(slug)) || (body !== undefined && marks.has(body.inputDigest));
}
