import type { Kind, Lang, RemoteId } from '../../model/key.ts';
import { idKey } from '../../model/key.ts';
import { sameLanguage } from '../../model/language.ts';
import { RemoteError } from '../error.ts';

/** What a record says of itself: whose translation it is, and in which language. */
export interface RowOf {
  readonly language: string | null;
  readonly languageParent: RemoteId | null;
}

export interface TranslationRows {
  /** Ids of originals, as the state has them. */
  knew(isOriginal: (kind: Kind, id: RemoteId) => boolean): void;
  /** Whether the state has this id as an original's. */
  knows(kind: Kind, id: RemoteId): boolean;
  /** The ids of a list. */
  saw(kind: Kind, ids: readonly RemoteId[]): void;
  /** What a plain read showed. */
  showed(kind: Kind, id: RemoteId, row: RowOf): void;
  /** The id of the row that is this translation, if a list shows it. */
  find(kind: Kind, original: RemoteId, lang: Lang): Promise<RemoteId | undefined>;
}

/** A knowledge base with more records that are nobody's is not searched for translations. */
const STRANGERS_MAX = 200;

/**
 * A service may keep each translation in a row of its own, list it like any other record and show it by its own id alone. No list says
 * whose translation a row is, so each row that no state knows as an original is read once.
 */
export function createTranslationRows(read: (kind: Kind, id: RemoteId) => Promise<RowOf>): TranslationRows {
  const listed = new Map<Kind, ReadonlySet<RemoteId>>();
  const shown = new Set<string>();
  /** Languages of rows by their ids, for each original (`idKey`). */
  const translations = new Map<string, Map<RemoteId, string>>();
  /** Listed rows of which nobody knows what they are. */
  const strangers = new Map<Kind, Set<RemoteId>>();
  const underWay = new Map<string, Promise<void>>();
  let isKnown: (kind: Kind, id: RemoteId) => boolean = () => false;

  const strangersOf = (kind: Kind): Set<RemoteId> => {
    const before = strangers.get(kind);
    if (before !== undefined) return before;
    const found = [...(listed.get(kind) ?? [])].filter(
      (id) => !isKnown(kind, id) && !shown.has(idKey(kind, id)),
    );
    const unknown = new Set(found);
    strangers.set(kind, unknown);
    return unknown;
  };
  /** Keeps nothing else of the row, which holds the text of the whole record. */
  const showed: TranslationRows['showed'] = (kind, id, { language, languageParent }) => {
    shown.add(idKey(kind, id));
    strangers.get(kind)?.delete(id);
    if (language === null || languageParent === null) return;
    const original = idKey(kind, languageParent);
    const rows = translations.get(original) ?? new Map<RemoteId, string>();
    translations.set(original, rows.set(id, language));
  };
  const look = (kind: Kind, id: RemoteId): Promise<void> => {
    const name = idKey(kind, id);
    const before = underWay.get(name);
    if (before !== undefined) return before;
    const looking = read(kind, id)
      .then(
        (row) => showed(kind, id, row),
        (error: unknown) => {
          if (!(error instanceof RemoteError) || error.code === 'aborted') throw error;
          // It is looked at again after the next list.
          strangers.get(kind)?.delete(id);
        },
      )
      .finally(() => underWay.delete(name));
    underWay.set(name, looking);
    return looking;
  };

  return {
    knew(isOriginal) {
      isKnown = isOriginal;
      strangers.clear();
    },
    knows: (kind, id) => isKnown(kind, id),
    saw(kind, ids) {
      listed.set(kind, new Set(ids));
      strangers.delete(kind);
    },
    showed,
    async find(kind, original, lang) {
      const unknown = strangersOf(kind);
      if (unknown.size > STRANGERS_MAX) return undefined;
      await Promise.all([...unknown].map((id) => look(kind, id)));
      const rows = [...(translations.get(idKey(kind, original)) ?? [])];
      const found = rows.filter(
        ([id, language]) =>
          id !== original &&
          sameLanguage(language, lang) &&
          listed.get(kind)?.has(id) === true &&
          !isKnown(kind, id),
      );
      // Two rows for one language: nobody can tell which of them is shown.
      return found.length === 1 ? found[0]?.[0] : undefined;
    },
  };
}

export function isTranslation({ language, languageParent }: RowOf, original: RemoteId, lang: Lang): boolean {
  return language !== null && languageParent === original && sameLanguage(language, lang);
}
