import { bodyFieldOf, nameFieldOf } from '../../model/fields.ts';
import type { Family, Key } from '../../model/key.ts';
import { familyOf, idKey, keyIn, kindOf, langOf } from '../../model/key.ts';
import { once } from '../../model/once.ts';
import type { BaseRecord, BaseState, BaseValue, DesiredRecord, DesiredState } from '../../model/record.ts';
import type { Digest } from '../../model/digest.ts';
import { idToCome, ownedFields, sameAsBase } from '../../plan/compare.ts';
import { findMoves } from '../../plan/moves.ts';
import { baseIds } from './consistent-base.ts';

/** Files of which a pull is the only witness that they are a page of the site. */
export interface PulledPages {
  readonly base: BaseState;
  /** Files of a page that has another file already: by their family, with that other one. */
  readonly doubles: ReadonlyMap<Family, Family>;
}

type Moves = Pick<DesiredState, 'moved'>;

interface PulledKnowledge {
  /** Families of which a create has no answer. */
  readonly resent?: ReadonlySet<Family>;
  /** Whether the lists show a page, by its `idKey`; undefined: they have not been read. */
  readonly isListed?: (page: string) => boolean;
}

/**
 * The base with the pages that a pull has made files for, once these files are there. A field is known as far as its file says
 * just what some pull wrote: what the site says instead is an edit of the site. If no pull wrote what a file says, nobody knows
 * which side changed it, and if the two differ, somebody has to decide.
 *
 * A page that the lists do not show any more is that of a file only if the file says its title or its text: a pull request may
 * be closed, and an author may give its file's name to a page of their own.
 */
export function withPulledPages(
  base: BaseState,
  desired: DesiredState,
  { resent = new Set(), isListed = () => true }: PulledKnowledge = {},
): PulledPages {
  const open = (base.pulled ?? []).filter(({ key }) => !resent.has(familyOf(key)));
  if (open.length === 0) return { base, doubles: new Map() };
  const ids = baseIds(base, desired.defaultLanguage);
  const names = new Map<string, Family>();
  for (const [family, id] of ids) names.set(idKey(kindOf(family), id), family);
  const pages = versionsById(open);
  const doubles = new Map<Family, Family>();
  const said = new Set(desired.moved?.values());
  // The author says that the file with this name was another one.
  const isOther = (family: Family): boolean => said.has(family) && desired.moved?.has(family) !== true;
  const isFileOf = (family: Family, page: string): boolean =>
    isListed(page) || (pages.get(page) ?? []).some((version) => isToldIn(desired, family, version));
  for (const [page, versions] of pages) {
    const [first, ...others] = [
      ...new Set(
        versions.filter(({ key }) => !isOther(familyOf(key))).map(({ key }) => toldFamily(key, desired)),
      ),
    ].filter(
      (family) =>
        !ids.has(family) &&
        desired.records.has(keyIn(family, desired.defaultLanguage)) &&
        isFileOf(family, page),
    );
    const family = names.get(page) ?? first;
    if (family === undefined) continue;
    names.set(page, family);
    for (const other of first === family ? others : [first, ...others])
      if (other !== undefined) doubles.set(other, family);
  }
  for (const [page, family] of silentMoves(base, desired, pages, names))
    if (isFileOf(family, page)) names.set(page, family);
  const pageOf = once(() => new Map([...names].toReversed().map(([page, family]) => [family, idIn(page)])));
  const records = new Map(base.records);
  for (const [page, versions] of pages) {
    const family = names.get(page);
    if (family === undefined) continue;
    for (const lang of new Set(versions.map(({ key }) => langOf(key)))) {
      const key = keyIn(family, lang);
      const file = desired.records.get(key);
      const own = versions.filter((version) => langOf(version.key) === lang);
      if (file === undefined || records.has(key)) continue;
      records.set(
        key,
        knownFrom(own, file, (target) => ids.get(target) ?? pageOf().get(target) ?? idToCome(target)),
      );
    }
  }
  return { base: { ...base, records }, doubles };
}

/** A page's name now, as files and settings say. */
function toldFamily(key: Key, { moved }: Moves): Family {
  return moved?.get(familyOf(key)) ?? familyOf(key);
}

/** The newest version first. */
function versionsById(pulled: readonly BaseRecord[]): ReadonlyMap<string, readonly BaseRecord[]> {
  const pages = new Map<string, BaseRecord[]>();
  for (const version of pulled.toReversed()) {
    const page = idKey(kindOf(version.key), version.id);
    const versions = pages.get(page);
    if (versions === undefined) pages.set(page, [version]);
    else versions.push(version);
  }
  return pages;
}

/** Files that got another name since, and tell by their slug or their text which ones they are. */
function silentMoves(
  base: BaseState,
  desired: DesiredState,
  pages: ReadonlyMap<string, readonly BaseRecord[]>,
  names: ReadonlyMap<string, Family>,
): readonly (readonly [string, Family])[] {
  const lost = [...pages].filter(([page]) => !names.has(page));
  // Most runs have no file that is new: there is nothing to search then.
  if (lost.length === 0 || [...desired.records.keys()].every((key) => base.records.has(key))) return [];
  const records = new Map(base.records);
  const pageOf = new Map<Key, string>();
  for (const [page, versions] of lost) {
    for (const version of versions) {
      if (records.has(version.key)) continue;
      records.set(version.key, version);
      pageOf.set(version.key, page);
    }
  }
  return findMoves(desired, { ...base, records }).moves.flatMap(({ how, ...move }) => {
    if (how !== 'moved' || !('from' in move) || move.from === undefined) return [];
    const page = pageOf.get(move.from);
    return page === undefined ? [] : [[page, familyOf(move.record.key)] as const];
  });
}

/** The id in an `idKey`. */
function idIn(page: string): string {
  return page.slice(page.indexOf(' ') + 1);
}

/** Whether the file says the title or the text of such a page. */
function isToldIn({ records }: DesiredState, family: Family, version: BaseRecord): boolean {
  const file = records.get(keyIn(family, langOf(version.key)));
  if (file === undefined) return false;
  const name = nameFieldOf(file.kind);
  const { [name]: title } = file.fields;
  if (title !== undefined && isValue(title, version.sent[name])) return true;
  const { body } = file;
  return (
    body !== undefined &&
    (version.input === body.inputDigest || isValue(body.render(), version.sent[body.field]))
  );
}

/** Of each field what some pull wrote, if that is what the file says. */
function knownFrom(
  versions: readonly BaseRecord[],
  file: DesiredRecord,
  idOf: (family: Family) => string,
): BaseRecord {
  const sent: Record<string, BaseValue> = {};
  const observed: Record<string, BaseValue> = {};
  const take = (name: string, isSaid: (version: BaseRecord) => boolean): BaseRecord | undefined => {
    const written = versions.filter((version) => version.sent[name] !== undefined);
    if (written.length === 0) return undefined;
    // A navigation moves a page whenever another one comes: that is no change of the text that a pull wrote.
    const version = written.find(isSaid) ?? (name === 'ordering' ? written[0] : undefined);
    sent[name] = version?.sent[name] ?? UNTOLD;
    const other = version?.observed?.[name];
    if (other !== undefined) observed[name] = other;
    return version;
  };
  for (const [name, value] of Object.entries(ownedFields(file, idOf)))
    take(name, (version) => isValue(value, version.sent[name]));
  const { body } = file;
  const html = once(() => body?.render() ?? '');
  const said =
    body === undefined
      ? undefined
      : take(
          bodyFieldOf(file.kind),
          ({ input, sent: { [body.field]: known } }) => input === body.inputDigest || isValue(html(), known),
        );
  const [newest] = versions;
  return {
    key: file.key,
    id: newest?.id ?? '',
    ownership: 'adopted',
    sent,
    ...(Object.keys(observed).length === 0 ? {} : { observed }),
    ...(said === undefined || body === undefined ? {} : { input: body.inputDigest }),
  };
}

function isValue(value: Parameters<typeof sameAsBase>[0], known: BaseValue | undefined): boolean {
  return known !== undefined && sameAsBase(value, known);
}

/** No value has this digest: both sides count as changed. */
const UNTOLD: BaseValue = { digest: 'untold' as Digest };

/** So many are remembered; the oldest go first. */
const PULLED_MAX = 1000;

/** The pages that pulls have made files for, with those of one more pull. */
export function morePulled(
  before: readonly BaseRecord[],
  pages: readonly BaseRecord[],
): readonly BaseRecord[] {
  const text = (record: BaseRecord): string => JSON.stringify(record);
  const now = new Set(pages.map(text));
  return [...before.filter((record) => !now.has(text(record))), ...pages].slice(-PULLED_MAX);
}

/**
 * Without those that a sync or a pull has seen together with their files. A page that came under another name keeps them: a
 * pull request with the first file may still be merged, and that file is no page of its own.
 */
export function stillPulled(state: BaseState, moves: Moves): BaseState {
  const { pulled, ...rest } = state;
  if (pulled === undefined) return state;
  const left = pulled.filter(
    ({ key, id }) => state.records.get(keyIn(toldFamily(key, moves), langOf(key)))?.id !== id,
  );
  return left.length === 0 ? rest : { ...rest, pulled: left };
}
