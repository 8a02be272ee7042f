import type { Kind, RemoteId } from '../../model/key.ts';
import { RemoteError } from '../error.ts';
import { recordPath } from '../wire/paths.ts';

export interface MissingLanguageOptions {
  /** A read by its path, as often as it is asked for; throws RemoteError. */
  readonly get: (path: string) => Promise<unknown>;
}

export interface AskedLanguage {
  readonly kind: Kind;
  readonly id: RemoteId;
  readonly lang: string;
}

/**
 * Whether a refusal means that a record has no translation in a language, for services that say so in words of their own and not as they say
 * "no such record". A wrong "missing" would write over a translation, so it takes three answers: a language that nobody has
 * must be refused in the same words, the record must be readable right after, and the same language must be refused once more. Words of a
 * bad moment are no answer.
 */
export function createMissingLanguage({
  get,
}: MissingLanguageOptions): (asked: AskedLanguage, error: RemoteError) => Promise<boolean> {
  const words = new Map<Kind, Promise<Words | undefined>>();

  const refusal = async (asked: AskedLanguage): Promise<Words | undefined> => {
    try {
      await get(`${recordPath(asked.kind, asked.id)}?lang=${encodeURIComponent(asked.lang)}`);
      return undefined;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      return wordsOf(error, asked);
    }
  };
  const wordsFor = (asked: AskedLanguage): Promise<Words | undefined> => {
    const known = words.get(asked.kind);
    if (known !== undefined) return known;
    const found = refusal({ ...asked, lang: NOBODYS }).catch((error: unknown) => {
      words.delete(asked.kind);
      throw error;
    });
    words.set(asked.kind, found);
    return found;
  };
  const isThere = async ({ kind, id }: AskedLanguage): Promise<boolean> => {
    try {
      await get(recordPath(kind, id));
      return true;
    } catch (error) {
      if (error instanceof RemoteError) return false;
      throw error;
    }
  };

  return async (asked, error) => {
    const said = wordsOf(error, asked);
    if (said === undefined || !isAlike(said, await wordsFor(asked))) return false;
    return (await isThere(asked)) && isAlike(said, await refusal(asked));
  };
}

/** ISO 639-2 keeps `qaa` to `qtz` for local use. */
const NOBODYS = 'qtz';

/** What services say of a bad moment, some with 200 or 400; each language but the default one may meet it. */
const BAD_MOMENT =
  /\btempora|\b(?:try again|retry)\b|\blater\b|\btime[ -]?out|\btimed out\b|\btoo many\b|\b(?:rate|quota)\b|\boverload|\bbusy\b|\bmaintenance\b|\bservice unavailable\b|\b(?:internal|server|unexpected|unknown|database) error\b|\bwent wrong\b|\bconnection\b/i;

interface Words {
  readonly status: number | undefined;
  readonly plain: string;
  /** Without the language, which may also be a word (`no`). */
  readonly nameless: string;
}

/** Only what the service itself refused, in JSON. */
function wordsOf(
  { code, status, serviceMessage }: RemoteError,
  { id, lang }: AskedLanguage,
): Words | undefined {
  if (code !== 'rejected' || serviceMessage === undefined || BAD_MOMENT.test(serviceMessage))
    return undefined;
  const plain = serviceMessage
    .replaceAll(id, '[id]')
    .replaceAll(encodeURIComponent(id), '[id]')
    .toLowerCase();
  return { status, plain, nameless: plain.replaceAll(lang.toLowerCase(), '[lang]') };
}

function isAlike(a: Words, b: Words | undefined): boolean {
  return b !== undefined && a.status === b.status && (a.plain === b.plain || a.nameless === b.nameless);
}
