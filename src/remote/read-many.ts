import pLimit from 'p-limit';
import type { Kind } from '../model/key.ts';
import { KINDS } from '../model/key.ts';
import { RemoteError } from './error.ts';
import { isLongWait } from './http/retry.ts';
import type { ReadResult, Remote, RemoteList } from './remote.ts';

/** The three lists, in three requests. An answer that is not a list throws: absence is only ever read from a list. */
export async function readLists(remote: Remote): Promise<Readonly<Record<Kind, RemoteList>>> {
  const [category, tag, article] = await Promise.all(KINDS.map((kind) => remote.list(kind)));
  if (category === undefined || tag === undefined || article === undefined) {
    throw new Error('bug: three kinds give three lists');
  }
  return { category, tag, article };
}

export interface ReadWant<T> {
  /** What the caller calls this read. */
  readonly name: T;
  readonly kind: Kind;
  readonly id: string;
  /** undefined: the original. */
  readonly lang: string | undefined;
}

export type ReadOutcome =
  | ReadResult
  | {
      readonly state: 'failed';
      readonly why: string;
      /** The service lets this key not read this one record. */
      readonly isForbidden?: boolean;
    };

/**
 * Reads records side by side. A read that stays unclear is `failed`: the record is unknown, which never causes a write.
 * Failures that hold for every request (key, address, interrupt) throw.
 */
export async function readMany<T>(
  remote: Remote,
  wants: readonly ReadWant<T>[],
  atOnce: number,
): Promise<ReadonlyMap<T, ReadOutcome>> {
  const limit = pLimit(atOnce);
  const results = await Promise.all(
    wants.map(({ name, kind, id, lang }) =>
      limit(async () => [name, await readOrFail(remote, kind, id, lang)] as const),
    ),
  );
  return new Map(results);
}

async function readOrFail(
  remote: Remote,
  kind: Kind,
  id: string,
  lang: string | undefined,
): Promise<ReadOutcome> {
  try {
    return await remote.read(kind, id, lang);
  } catch (error) {
    if (!(error instanceof RemoteError) || stopsEverything(error)) throw error;
    return { state: 'failed', why: error.message, isForbidden: error.code === 'forbidden' };
  }
}

/** Whether the next request would fail in the same way, now. */
export function stopsEverything(error: RemoteError): boolean {
  const { code } = error;
  return code === 'unauthorized' || code === 'redirect' || code === 'aborted' || isLongWait(error);
}
