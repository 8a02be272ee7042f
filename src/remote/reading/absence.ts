import type { Kind } from '../../model/key.ts';
import { RemoteError } from '../error.ts';

export interface AbsenceOptions {
  /** A plain single read: resolves when it shows a record, throws RemoteError otherwise. */
  readonly read: (kind: Kind, id: string) => Promise<unknown>;
  readonly random: () => number;
}

export type Verdict =
  | { readonly state: 'absent' }
  /** The answer was "not found", but the service gives that answer for every id, or for none. */
  | { readonly state: 'unproved'; readonly why: string }
  /** The answer was no "not found" at all. */
  | { readonly state: 'other' };

export interface Absence {
  /** Ids that exist, or did a moment ago: controls for the claim that another does not. */
  saw(kind: Kind, ids: readonly string[]): void;
  removed(kind: Kind, id: string): void;
  /** What a failed single read of `id` says about its existence. */
  judge(kind: Kind, id: string, error: RemoteError): Promise<Verdict>;
}

const CONTROLS_MAX = 3;

/**
 * Proves that a record is gone; a wrong "gone" would re-create or forget it. Two controls (reliability.md H07):
 * an id that cannot exist must get the same answer (it is read once a run), and an id that does exist must not.
 * A 404 or 410 with a JSON body counts as "not found" by itself. Any other refusal (400, 500, 200 with `success: false`) counts
 * only if the impossible id gets the same one, apart from the id in it, and if the existing id can be read right after it:
 * an outage gives every id the same answer.
 */
export function createAbsence({ read, random }: AbsenceOptions): Absence {
  const existing = new Map<Kind, readonly string[]>();
  const probes = new Map<Kind, Promise<string | undefined>>();
  const working = new Set<Kind>();

  /** The signature of "no such record", or undefined when the service shows one for an id that cannot exist. */
  const probe = (kind: Kind, like: string): Promise<string | undefined> => {
    const known = probes.get(kind);
    if (known !== undefined) return known;
    const id = impossibleId(like, random);
    const found = read(kind, id).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof RemoteError && isAnswer(error)) return signature(error, id);
        probes.delete(kind);
        throw error;
      },
    );
    probes.set(kind, found);
    return found;
  };

  /** undefined: there is no record to try. */
  const isReadable = async (kind: Kind, except: string): Promise<boolean | undefined> => {
    const controls = (existing.get(kind) ?? []).filter((id) => id !== except).slice(0, CONTROLS_MAX);
    for (const id of controls) {
      try {
        await read(kind, id);
        working.add(kind);
        return true;
      } catch (error) {
        if (!(error instanceof RemoteError && isAnswer(error))) throw error;
      }
    }
    return controls.length === 0 ? undefined : false;
  };

  return {
    saw(kind, ids) {
      const known = existing.get(kind) ?? [];
      existing.set(kind, [...new Set([...ids.slice(0, CONTROLS_MAX), ...known])].slice(0, CONTROLS_MAX + 1));
    },
    removed(kind, id) {
      existing.set(
        kind,
        (existing.get(kind) ?? []).filter((known) => known !== id),
      );
    },
    async judge(kind, id, error) {
      if (!isAnswer(error)) return { state: 'other' };
      const control = await probe(kind, id);
      const isPlain = error.status === 404 || error.status === 410;
      if (control === undefined) {
        return isPlain
          ? { state: 'unproved', why: 'the service shows a record for an id that cannot exist' }
          : { state: 'other' };
      }
      if (!isPlain) {
        const isSame = signature(error, id) === control;
        return isSame && (await isReadable(kind, id)) === true ? { state: 'absent' } : { state: 'other' };
      }
      const works = working.has(kind) || (await isReadable(kind, id)) !== false;
      return works
        ? { state: 'absent' }
        : {
            state: 'unproved',
            why: `the service answers ${error.status} for every ${kind}, also for those it lists`,
          };
    },
  };
}

/** The service itself answered, in JSON, and refused: not a proxy, not a guard at the door, not the network. */
function isAnswer({ code, status, serviceMessage }: RemoteError): boolean {
  if (serviceMessage === undefined) return false;
  return code === 'rejected' || code === 'forbidden' || (code === 'unclear' && status === 500);
}

function signature({ status, serviceMessage }: RemoteError, id: string): string {
  const message = (serviceMessage ?? '').replaceAll(id, '[id]').replaceAll(encodeURIComponent(id), '[id]');
  return `${status} ${message}`;
}

/** Shaped like the service's ids, because some refuse another shape with another answer. */
function impossibleId(like: string, random: () => number): string {
  if (/^\d+$/.test(like)) return `9${digits(8, 10, random)}`;
  const hex = digits(32, 16, random);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function digits(count: number, radix: number, random: () => number): string {
  return Array.from({ length: count }, () => Math.floor(random() * radix).toString(radix)).join('');
}
