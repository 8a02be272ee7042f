import type { ListView } from '../../model/compare/fingerprint.ts';
import { fingerprint } from '../../model/compare/fingerprint.ts';
import type { Family, Key, Kind } from '../../model/key.ts';
import { familyOf, isOriginal, keyIn, kindOf, langOf } from '../../model/key.ts';
import { differsFromBase, idToCome, ownedFields, referencesOf } from '../../plan/compare.ts';
import { waysIn } from '../../plan/likeness.ts';
import type { BaseRecord, BaseState, DesiredState } from '../../model/record.ts';
import type { ListSide, PlanInput } from '../../plan/plan-input.ts';
import { hidesText } from '../../plan/observed.ts';
import type { RemoteSide } from '../../plan/sides.ts';
import { readMany } from '../../remote/read-many.ts';
import { baseIds, consistentBase } from './consistent-base.ts';
import { labelsOf, sideOf } from '../side.ts';
import type { SurveyOptions } from './options.ts';

/** More changed records than this are worth the lists. */
const FOCUS_MAX = 50;

export interface Focus {
  /** Records whose files changed since the last run. */
  readonly keys: ReadonlySet<Key>;
  /** What the lists showed at the last whole run, and what its writes and later ones made of it. */
  readonly views: ReadonlyMap<Family, ListView>;
}

/**
 * Reads the changed records alone, without the lists: one request each, and none for those that say the same as before.
 * Everything else is taken to be as the base says; nothing is written there, so nothing can be lost by it. Undefined
 * where that is not enough: records that are new, moved or gone, and creates whose end is open, need the lists.
 */
export async function focusedSurvey(
  options: SurveyOptions,
  { keys, views }: Focus,
): Promise<PlanInput | undefined> {
  const { desired, remote, policy, repository } = options;
  const { open } = options.base;
  if (open.length > 0 || keys.size > FOCUS_MAX) return undefined;
  const base = baseAround(keys, options.base.state, desired);
  if (consistentBase({ ...options.base, state: base }, desired) !== base) return undefined;
  const ids = baseIds(base, desired.defaultLanguage);
  const sides = new Map<Key, RemoteSide>();
  for (const key of base.records.keys()) sides.set(key, { state: 'base' });
  const changed: Key[] = [];
  for (const key of keys) {
    const file = desired.records.get(key);
    const known = base.records.get(key);
    if (file === undefined || known === undefined) return undefined;
    if (!base.records.has(keyIn(file.family, desired.defaultLanguage))) return undefined;
    if (referencesOf(file).some((family) => !ids.has(family))) return undefined;
    const owned = ownedFields(file, (family) => ids.get(family) ?? idToCome(family));
    if (differsFromBase(file, owned, known)) changed.push(key);
  }
  const wants = changed.map((key) => ({
    name: key,
    kind: kindOf(key),
    id: ids.get(familyOf(key)) ?? '',
    lang: isOriginal(key, desired) ? undefined : langOf(key),
  }));
  for (const [key, read] of await readMany(remote, wants, policy.concurrencyMax)) {
    // Whether it is gone or only hidden (a service that shows no translations), the lists have to say.
    if (read.state !== 'found') return undefined;
    const known = base.records.get(key);
    // Whether somebody has written what it does not show, too.
    if (known !== undefined && hidesText(known, read.record)) return undefined;
    const side = sideOf(read, {
      repository,
      base: known,
      file: desired.records.get(key),
      isOriginal: isOriginal(key, desired),
    });
    sides.set(key, side);
  }
  return {
    desired,
    base,
    moves: [],
    stamped: new Map(),
    ids,
    remote: sides,
    seen: seenOf(keys, base.records, desired.defaultLanguage),
    views,
    lists: listsOf(ids),
    unmanaged: [],
    pending: new Map(),
    labels: labelsOf(sides),
    choices: policy,
    ways: waysIn(base),
    prune: false,
    maxDelete: policy.maxDelete,
    allow: policy.allow,
    languages: policy.languages,
    checkout: options.checkout,
    focus: { keys, untrusted: untrusted(keys, views, options) },
  };
}

/**
 * The base as far as a run over some records needs it: what they may name, their other languages, and whoever has an id of theirs.
 * Ten thousand other articles are as they are, and are not looked at.
 */
function baseAround(
  keys: ReadonlySet<Key>,
  base: BaseState,
  { defaultLanguage }: Pick<DesiredState, 'defaultLanguage'>,
): BaseState {
  const families = new Set([...keys].map(familyOf));
  const originals = [...families].map((family) => keyIn(family, defaultLanguage));
  const ids = new Set([...keys, ...originals].map((key) => base.records.get(key)?.id));
  const isNear = ({ key, id }: BaseRecord): boolean =>
    kindOf(key) !== 'article' || ids.has(id) || families.has(familyOf(key));
  return { ...base, records: new Map([...base.records].filter(([, record]) => isNear(record))) };
}

/**
 * What the lists showed of articles at the end of the last run, as far as the base proves it: what it says of them gives
 * the fingerprint that was kept.
 */
export function viewsInBase(
  keys: ReadonlySet<Key>,
  { records }: BaseState,
  { defaultLanguage, languages }: DesiredState,
): ReadonlyMap<Family, ListView> {
  const views = new Map<Family, ListView>();
  for (const family of new Set([...keys].map(familyOf))) {
    const { seen, sent = {} } = records.get(keyIn(family, defaultLanguage)) ?? {};
    const { title: name, status } = sent;
    if (kindOf(family) !== 'article' || seen === undefined || typeof name !== 'string') continue;
    const translations = languages.filter(
      (lang) => lang !== defaultLanguage && records.has(keyIn(family, lang)),
    );
    const view = { name, languages: translations, lastEdited: seen.slice(0, seen.lastIndexOf('|')) };
    // A status that no file names is the service's: it can only be one of two.
    const statuses = typeof status === 'string' ? [status] : ['published', 'draft'];
    const shown = [view, ...statuses.map((each) => ({ ...view, status: each }))];
    const proved = shown.find((each) => fingerprint('article', each) === seen);
    if (proved !== undefined) views.set(family, proved);
  }
  return views;
}

function seenOf(
  keys: ReadonlySet<Key>,
  records: SurveyOptions['base']['state']['records'],
  defaultLanguage: string,
): ReadonlyMap<Family, string> {
  const seen = new Map<Family, string>();
  for (const key of keys) {
    const family = familyOf(key);
    const known = records.get(keyIn(family, defaultLanguage))?.seen;
    if (known !== undefined) seen.set(family, known);
  }
  return seen;
}

/** Families whose list entry was not known to speak for each of their languages: a write does not change that. */
function untrusted(
  keys: ReadonlySet<Key>,
  views: Focus['views'],
  { base, desired }: SurveyOptions,
): ReadonlySet<Family> {
  const families = new Set([...keys].map(familyOf));
  return new Set(
    [...families].filter((family) => {
      const view = views.get(family);
      const seen = base.state.records.get(keyIn(family, desired.defaultLanguage))?.seen;
      return view === undefined || seen === undefined || seen !== fingerprint(kindOf(family), view);
    }),
  );
}

/** The lists were whole when they were read last; what they hold is not asked. */
function listsOf(ids: ReadonlyMap<Family, string>): Readonly<Record<Kind, ListSide>> {
  const side = (kind: Kind): ListSide => ({
    complete: true,
    count: [...ids.keys()].filter((family) => kindOf(family) === kind).length,
  });
  return { category: side('category'), tag: side('tag'), article: side('article') };
}
