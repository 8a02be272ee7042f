import type { Kind, Lang, RemoteId } from '../../model/key.ts';
import { idKey } from '../../model/key.ts';
import { answersFor, sameLanguage } from '../../model/language.ts';
import { RemoteError } from '../error.ts';

/** What a record says of itself: whose translation it is, and in which language. */
export interface RowOf {
  readonly language: string | null;
  readonly languageParent: RemoteId | null;
}

export interface TranslationRows {
  /** Ids of originals, as the state has them. */
  knew(isOriginal: (kind: Kind, id: RemoteId) => boolean): void;
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
  const listed = new Map<Kind, readonly RemoteId[]>();
  const rows = new Map<string, Promise<RowOf | undefined>>();
  let isKnown: (kind: Kind, id: RemoteId) => boolean = () => false;

  const rowOf = (kind: Kind, id: RemoteId): Promise<RowOf | undefined> => {
    const name = idKey(kind, id);
    const before = rows.get(name);
    if (before !== undefined) return before;
    const row = read(kind, id).catch((error: unknown) => {
      if (error instanceof RemoteError && error.code !== 'aborted') return undefined;
      rows.delete(name);
      throw error;
    });
    rows.set(name, row);
    return row;
  };

  return {
    knew(isOriginal) {
      isKnown = isOriginal;
    },
    saw(kind, ids) {
      listed.set(kind, ids);
    },
    showed(kind, id, row) {
      rows.set(idKey(kind, id), Promise.resolve(row));
    },
    async find(kind, original, lang) {
      const others = (listed.get(kind) ?? []).filter((id) => id !== original && !isKnown(kind, id));
      if (others.filter((id) => !rows.has(idKey(kind, id))).length > STRANGERS_MAX) return undefined;
      const read = await Promise.all(others.map(async (id) => ({ id, row: await rowOf(kind, id) })));
      const found = read.filter(({ row }) => isTranslation(row, original, lang));
      // Two rows for one language: nobody can tell which of them is shown.
      return found.length === 1 ? found[0]?.id : undefined;
    },
  };
}

export function isTranslation(row: RowOf | undefined, original: RemoteId, lang: Lang): boolean {
  if (row === undefined || row.language === null) return false;
  const isLanguage = sameLanguage(row.language, lang) || answersFor(row.language, lang);
  return isLanguage && row.languageParent === original;
}
