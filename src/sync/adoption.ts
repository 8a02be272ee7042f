import type { Family, Kind } from '../model/key.ts';
import { KINDS, keyIn, kindOf } from '../model/key.ts';
import type { BaseState, DesiredRecord, DesiredState, KnownRecord } from '../model/record.ts';
import type { PlanInput } from '../plan/plan-input.ts';
import { readMany } from '../remote/read-state.ts';
import type { Remote, RemoteList } from '../remote/remote.ts';
import { mayMatch, pair } from './pairing.ts';
import { idKey } from './remote-side.ts';
import type { SyncPolicy } from './report.ts';

export interface Adoption {
  readonly found: ReadonlyMap<Family, KnownRecord>;
  readonly ambiguous: ReadonlyMap<Family, readonly string[]>;
  readonly unmanaged: PlanInput['unmanaged'];
  /** Kinds of which a candidate could not be read: what it is remains unknown. */
  readonly failed: ReadonlyMap<Kind, string>;
}

export async function findAdoptable(
  {
    remote,
    desired,
    policy,
  }: { readonly remote: Remote; readonly desired: DesiredState; readonly policy: SyncPolicy },
  base: BaseState,
  lists: Readonly<Record<Kind, RemoteList>>,
): Promise<Adoption> {
  const claimed = new Set([...base.records.values()].map(({ key, id }) => idKey(kindOf(key), id)));
  const originals = [...desired.records.values()].filter(
    ({ key, isOriginal, family }) =>
      isOriginal && !base.records.has(key) && !hasBase(base, family, desired.languages),
  );
  const unclaimed = KINDS.flatMap((kind) => lists[kind].items).filter(
    ({ kind, id }) => !claimed.has(idKey(kind, id)),
  );
  const slugs = slugsByKind(originals);
  const wants = unclaimed.filter(({ kind, id, seen, slug }) => {
    const wanted = slugs.get(kind);
    if (wanted === undefined) return false;
    return slug === undefined ? mayMatch(base.unmanaged.get(id), seen, wanted) : wanted.has(slug);
  });
  const reads = await readMany(
    remote,
    wants.map(({ kind, id }) => ({ name: idKey(kind, id), kind, id, lang: undefined })),
    policy.concurrencyMax,
  );
  // A service may list translations as rows of their own: they belong to their originals and are nobody's to adopt.
  const isOriginal = ({ lang }: KnownRecord) => lang === desired.defaultLanguage;
  const translations: KnownRecord[] = [];
  const candidates: KnownRecord[] = [];
  const failed = new Map<Kind, string>();
  for (const { kind, id } of wants) {
    const read = reads.get(idKey(kind, id));
    if (read?.state === 'found') (isOriginal(read.record) ? candidates : translations).push(read.record);
    else if (read?.state === 'failed' || read?.state === 'unreadable')
      failed.set(kind, `record ${id}: ${read.why}`);
  }
  const { found, ambiguous } = pair(originals, candidates);
  const taken = new Set([...found.values(), ...translations].map(({ kind, id }) => idKey(kind, id)));
  const slugOf = new Map(
    candidates.map(({ kind, id, fields }) => [idKey(kind, id), String(fields['slug'] ?? '')]),
  );
  const unmanaged = unclaimed
    .filter(({ kind, id }) => !taken.has(idKey(kind, id)))
    .map(({ kind, id, name, seen, slug }) => {
      const read = slugOf.get(idKey(kind, id));
      const memo = base.unmanaged.get(id);
      return {
        kind,
        id,
        name,
        seen,
        slug: read ?? slug ?? memo?.slug ?? '',
        isNew: read !== undefined && memo?.seen !== seen,
      };
    });
  return { found, ambiguous, unmanaged, failed };
}

function hasBase(base: BaseState, family: Family, languages: readonly string[]): boolean {
  return languages.some((lang) => base.records.has(keyIn(family, lang)));
}

function slugsByKind(originals: readonly DesiredRecord[]): ReadonlyMap<Kind, ReadonlySet<string>> {
  const slugs = new Map<Kind, Set<string>>();
  for (const { kind, fields } of originals) {
    const known = slugs.get(kind) ?? new Set();
    if (typeof fields['slug'] === 'string') known.add(fields['slug']);
    slugs.set(kind, known);
  }
  return slugs;
}
