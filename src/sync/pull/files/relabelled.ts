import { nameFieldOf } from '../../../model/fields.ts';
import type { DesiredRecord } from '../../../model/record.ts';
import type { PullRun } from '../context.ts';
import { textsOf } from '../proposals/proposal.ts';
import type { Proposal } from '../proposals/proposal.ts';
import type { Fetched } from '../reading/read-records.ts';

/** Each place costs a reading of the folder. */
const PLACES_MAX = 8;

/**
 * The file beside the pages that calls a category so, with the name that it has on the site: a navigation, or the settings of its folder.
 * It is the first place with which the folder says that name; undefined: there is none.
 */
export function relabelled(
  record: Fetched,
  { key, fields, at }: DesiredRecord,
  decision: Pick<Proposal, 'fields' | 'rest'>,
  { options: { content, folder } }: PullRun,
): Proposal | undefined {
  const name = nameFieldOf(record.kind);
  const [from, to] = [fields[name], record.fields[name]];
  const editing = content.editing?.();
  if (editing === undefined || decision.fields.some((field) => field !== name)) return undefined;
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  for (const label of editing.labels({ from, to }, at.file).slice(0, PLACES_MAX)) {
    const drafts = textsOf(editing.entered({ labels: [label] }));
    if (editing.readWith(drafts).state.records.get(key)?.fields[name] !== to) continue;
    const file = label.navigation;
    const before = folder.read(file);
    if (before !== undefined) return { ...decision, key, record, file, before, after: before, label };
  }
  return undefined;
}
