import type { Family, Kind, RemoteId } from '../../model/key.ts';
import { keyIn, kindOf } from '../../model/key.ts';
import type { BaseState, DesiredState } from '../../model/record.ts';
import type { Misplaced } from '../../plan/plan-input.ts';
import { RemoteError } from '../../remote/error.ts';
import { stopsEverything } from '../../remote/read-many.ts';
import type { Remote, RemoteList } from '../../remote/remote.ts';
import type { Adoption } from './adoption.ts';

export interface Found {
  readonly ids: ReadonlyMap<Family, RemoteId>;
  readonly adoption: Adoption;
  readonly base: BaseState;
  readonly desired: DesiredState;
  readonly remote: Remote;
}

/**
 * A first sync ends after its first original if the service keeps that in another language than the files' (apply/first-original.ts). The
 * next run, which has more to send, reads it again. A clone without a state finds it as a record of another language.
 */
export async function misplacedFirst(
  { article: { defaultLanguage } }: Readonly<Record<Kind, Pick<RemoteList, 'defaultLanguage'>>>,
  { ids, adoption, base, desired, remote }: Found,
): Promise<Misplaced | undefined> {
  if (defaultLanguage !== undefined || ids.size > 1) return undefined;
  const known = [...ids].map(([family, id]) => ({ key: keyIn(family, desired.defaultLanguage), id }));
  const [only, ...more] = known.length === 0 ? adoption.misplaced : known;
  if (only === undefined || more.length > 0) return undefined;
  if ([...desired.records.keys()].every((key) => base.records.has(key))) return undefined;
  try {
    const lang = await remote.originalLanguage(kindOf(only.key), only.id);
    return lang === undefined ? undefined : { key: only.key, lang };
  } catch (error) {
    if (!(error instanceof RemoteError) || stopsEverything(error)) throw error;
    return undefined;
  }
}
