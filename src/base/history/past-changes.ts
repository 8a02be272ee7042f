import type { Key } from '../../model/key.ts';
import { kindOf } from '../../model/key.ts';
import type { PastChange, Step } from './history.ts';

type Intended = Extract<Step, { readonly do: 'intend' }>;
type Ended = Extract<Step, { readonly do: 'end' }>;

/** What a run did, record by record. A write that the service refused is none. */
export function changesOf(steps: readonly Step[]): ReadonlyMap<Key, PastChange> {
  const ends = new Map(steps.flatMap((step) => (step.do === 'end' ? [[step.op, step] as const] : [])));
  const changes = new Map<Key, PastChange>();
  for (const step of steps) {
    if (step.do === 'end') continue;
    const change = changeOf(step, ends.get(step.op));
    if (change === undefined) continue;
    const joined = joinedWith(changes.get(step.key), change);
    if (joined === undefined) changes.delete(step.key);
    else changes.set(step.key, joined);
  }
  return changes;
}

function changeOf(step: Intended, end: Ended | undefined): PastChange | undefined {
  const { key, name, action, before, after = {} } = step;
  const made = end?.record;
  const isRefused = end !== undefined && (made === undefined) !== (action === 'delete');
  if (isRefused) return undefined;
  const id = made?.id ?? step.id;
  const isSure = end !== undefined;
  const about = { key, kind: kindOf(key), id, name, isSure, ...(made === undefined ? {} : { made }) };
  if (action === 'delete') return { ...about, action: 'deleted' };
  if (action === 'create' || before === 'new') return { ...about, action: 'created', after };
  const seen = before === undefined || before === null ? {} : { before };
  return { ...about, action: 'updated', after, ...seen };
}

/** A process that watches writes one record more than once. Undefined: it was made and deleted. */
function joinedWith(before: PastChange | undefined, now: PastChange): PastChange | undefined {
  if (before === undefined || now.action === 'created') return now;
  if (now.action === 'deleted') return before.action === 'created' ? undefined : now;
  const { isSure, made } = now;
  const last = { ...before, isSure, ...(made === undefined ? {} : { made }) };
  return before.action === 'created' ? last : { ...last, after: { ...before.after, ...now.after } };
}
