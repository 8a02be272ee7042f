import type { Kind } from '../model/key.ts';
import type { RemoteSide } from '../plan/reconcile.ts';
import type { ReadOutcome } from '../remote/read-state.ts';

export function sideOf(read: ReadOutcome): RemoteSide {
  switch (read.state) {
    case 'found':
      return { state: 'known', record: read.record };
    case 'absent':
      return { state: 'absent' };
    case 'unreadable':
    case 'failed':
      return { state: 'unknown', why: read.why };
  }
}

/** Ids are unique within a kind only, as far as the spec says. */
export function idKey(kind: Kind, id: string): string {
  return `${kind} ${id}`;
}
