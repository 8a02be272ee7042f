import type { Intent } from '../../../base/base.ts';
import { referenceFieldsOf } from '../../../model/fields.ts';
import type { ReferenceField } from '../../../model/fields.ts';
import type { Key, Kind } from '../../../model/key.ts';
import { familyOf, idKey, isOriginal, keyIn, kindOf, langOf } from '../../../model/key.ts';
import { hasLanguage } from '../../../model/language.ts';
import type {
  BaseRecord,
  BaseState,
  DesiredRecord,
  DesiredState,
  ListedRecord,
} from '../../../model/record.ts';
import { otherOwner } from '../../../model/stamp.ts';
import { differsFromBase, idToCome, ownedFields } from '../../../plan/compare.ts';
import { waysIn } from '../../../plan/likeness.ts';
import type { RemoteSide } from '../../../plan/sides.ts';
import type { ReadOutcome } from '../../../remote/read-many.ts';
import { asListed, sideOf } from '../../side.ts';
import type { Adoption } from '../adoption.ts';
import { idInBase } from '../consistent-base.ts';
import type { Identities } from '../consistent-base.ts';
import type { SurveyOptions } from '../options.ts';

export type Listed = ReadonlyMap<string, ListedRecord>;

export interface SideInput extends Identities {
  readonly options: SurveyOptions;
  readonly base: BaseState;
  /** Edits of ours of which no answer is known. */
  readonly edits: ReadonlyMap<Key, readonly Intent[]>;
  /** Deletes of ours of which no answer is known. */
  readonly deletes: ReadonlySet<Key>;
  readonly listed: Listed;
  /** When the list of articles was answered. */
  readonly listedAtMs: number;
  readonly adoption: Adoption;
  /** Kinds of which a prune may delete a record: who uses it is asked first. */
  readonly going: ReadonlySet<Kind>;
}

/** What is known of a record without reading it; undefined: it must be read. */
export function sideWithoutRead(key: Key, input: SideInput): RemoteSide | undefined {
  const { options, base, listed, ids, adoption, edits } = input;
  const { desired, policy } = options;
  const family = familyOf(key);
  const isOwn = isOriginal(key, desired);
  const record = adoption.found.get(family);
  if (isOwn && record !== undefined) return { state: 'known', record };
  const other = adoption.taken.get(family);
  // Its translations are the other repository's too.
  if (other !== undefined) {
    const by = otherOwner(other.stamp, options.repository);
    return { state: 'taken', by, record: other, isOnlyPlace: !isOwn };
  }
  const id = idInBase(key, base, input, desired);
  if (id === undefined) return { state: 'absent' };
  if (policy.languages !== undefined && !policy.languages.includes(langOf(key)) && !isOwn) {
    return { state: 'unknown', why: 'its language is not selected' };
  }
  const item = listed.get(idKey(kindOf(key), id));
  const known = base.records.get(key);
  const isListed = item !== undefined && (isOwn || names(item, langOf(key)));
  const seen = base.records.get(keyIn(family, desired.defaultLanguage))?.seen;
  if (edits.has(key)) return undefined;
  if (!isListed || known === undefined || seen === undefined || seen !== item.seen) return undefined;
  const file = desired.records.get(key);
  if (isOwn && isAskedByTranslations(key, desired)) return undefined;
  if (file === undefined) return policy.prune ? undefined : { state: 'base' };
  const owned = ownedFields(file, (target) => ids.get(target) ?? idToCome(target));
  // Which categories and tags a translation has that its file does not name, no list shows.
  const mayUse = ({ name, of }: ReferenceField): boolean => input.going.has(of) && owned[name] === undefined;
  if (!isOwn && referenceFieldsOf(kindOf(key)).some(mayUse)) return undefined;
  return differsFromBase(file, owned, known) ? undefined : { state: 'base' };
}

/** Whether a translation's file says something of a field that is the original's, and whose value only the service knows. */
function isAskedByTranslations(key: Key, { records, languages }: DesiredState): boolean {
  const own = records.get(key)?.fields ?? {};
  return languages.some((lang) => {
    const { unkept = {} } = records.get(keyIn(familyOf(key), lang)) ?? {};
    return Object.keys(unkept).some((name) => own[name] === undefined);
  });
}

/** A single read may lag behind the list, or fail for one record only: what the list shows is not proved to be gone. */
const CONTRADICTED: RemoteSide = {
  state: 'unknown',
  why: 'the list shows it, but reading it says that it does not exist; the next run checks again',
};

/** What a read says of a record, beside the list and the last sync. */
export function readSide(
  key: Key,
  read: ReadOutcome,
  input: SideInput & { readonly known: BaseRecord | undefined },
): RemoteSide {
  const { options, base, known, listed, ids, deletes } = input;
  const { desired, remote } = options;
  const item = listed.get(idKey(kindOf(key), ids.get(familyOf(key)) ?? ''));
  const isOwn = isOriginal(key, desired);
  const isListed = item !== undefined && (isOwn || names(item, langOf(key)));
  // It was asked for as long as reads may lag. Where nothing was ours before, a translation would be written unread.
  if (read.state === 'absent')
    return isListed && !(isOwn && known !== undefined) ? CONTRADICTED : { state: 'absent' };
  const isUnshown = read.state === 'unreadable' && !isOwn;
  // Asked for a language that the list does not name either, it shows another: so does a service that has none such.
  const isUnnamed = isUnshown && item !== undefined && !isListed;
  const isDeleted = deletes.has(key) && namesLanguages(kindOf(key), listed);
  if (isUnnamed && (known === undefined || isDeleted)) return { state: 'absent' };
  const seen = base.records.get(keyIn(familyOf(key), desired.defaultLanguage))?.seen;
  const isWriteOnly = isUnshown && remote.capabilities()['read-lang'] === 'no';
  const file = desired.records.get(key);
  if (!isWriteOnly || file === undefined) {
    const first = keyIn(familyOf(key), desired.defaultLanguage);
    const original = {
      base: base.records.get(first),
      file: desired.records.get(first),
      ways: waysIn(base),
    };
    const side = sideOf(read, {
      repository: options.repository,
      base: known,
      file,
      isOriginal: isOwn,
      original,
    });
    const isDated = item !== undefined && item.view.lastEdited !== undefined && item.view.lastEdited !== '';
    return isDated && seen === item.seen ? asListed(side, { state: 'base' }) : side;
  }
  // The service shows no translations: what is known of them is what was sent, and what the list says of the family.
  if (item === undefined) return unlistedSide(file, read.why, input);
  if (!isListed) return { state: 'absent' };
  if (base.records.has(key) && seen === item.seen) return { state: 'base' };
  const since = base.records.has(key)
    ? 'the list shows an edit since the last sync'
    : 'the list says that this one exists, but no state says who wrote it';
  return unshownSide(read.why, since);
}

/**
 * A translation that no read shows, of an original that no list shows either, because the list is cut. A file that says what was
 * sent asks for no write, so it waits for nobody; whether to overwrite what nobody sees is the user's to say.
 */
function unlistedSide(file: DesiredRecord, why: string, input: SideInput): RemoteSide {
  const known = input.base.records.get(file.key);
  const isOpen = input.edits.has(file.key) || input.deletes.has(file.key);
  const owned = ownedFields(file, (target) => input.ids.get(target) ?? idToCome(target));
  if (known !== undefined && !isOpen && !differsFromBase(file, owned, known)) return { state: 'base' };
  const unsure =
    known === undefined
      ? 'the list does not show its original, so nobody can tell whether it exists already'
      : 'the list does not show its original, so nobody can tell whether somebody has edited it';
  return unshownSide(why, unsure);
}

function unshownSide(why: string, since: string): RemoteSide {
  return { state: 'unreadable', why: `the service does not show translations (${why}), and ${since}` };
}

/** Whether this list names translations at all. */
function namesLanguages(kind: Kind, listed: Listed): boolean {
  return [...listed.values()].some((item) => item.kind === kind && item.languages.length > 0);
}

export function isListed(key: Key, { options, listed, ids }: SideInput): boolean {
  const item = listed.get(idKey(kindOf(key), ids.get(familyOf(key)) ?? ''));
  return item !== undefined && (isOriginal(key, options.desired) || names(item, langOf(key)));
}

function names({ languages }: ListedRecord, lang: string): boolean {
  return hasLanguage(languages, lang);
}
