import type { Kind } from '../model/key.ts';
import type { CapabilityLedger } from './capabilities.ts';
import { RemoteError } from './error.ts';
import type { Answer } from './http/answer.ts';
import { isNewVersion } from './wire/decode.ts';
import { recordPath } from './wire/paths.ts';

/** `lang` of an edit; undefined: it is left out. */
type Edit<T> = (lang: string | undefined) => Promise<T>;

export interface DefaultLang {
  /** Carries out an edit of an original, with `lang` unless the service refuses that. */
  edited<T>(lang: string, edit: Edit<T>): Promise<T>;
}

/**
 * The API text lets every edit name its language; some services take `lang` for translations alone. A refusal says that
 * nothing was done, so the edit is sent once more without `lang`, where it means the record that the id names. Where that
 * is refused too, `lang` was not the reason, and is not suspected again in this run.
 */
export function createDefaultLang(ledger: CapabilityLedger, defaultLanguage: string): DefaultLang {
  let isSuspect = true;
  /** What was learnt of one kind, or from a refusal that meant something else, need not hold for this edit. */
  const withoutLang = async <T>(lang: string, edit: Edit<T>): Promise<T> => {
    try {
      return await edit(undefined);
    } catch (error) {
      if (!isSuspect || !isRefusal(error)) throw error;
      isSuspect = false;
      const answer = await edit(lang).catch(() => {
        throw error;
      });
      ledger.learn({ 'default-lang': 'yes' });
      return answer;
    }
  };
  return {
    async edited(lang, edit) {
      if (lang !== defaultLanguage) return edit(lang);
      if (ledger.now()['default-lang'] === 'no') return withoutLang(lang, edit);
      try {
        const answer = await edit(lang);
        isSuspect = false;
        return answer;
      } catch (error) {
        if (!isSuspect || !isRefusal(error)) throw error;
        isSuspect = false;
        const answer = await edit(undefined).catch(() => {
          throw error;
        });
        ledger.learn({ 'default-lang': 'no' });
        return answer;
      }
    },
  };
}

interface Edited {
  readonly kind: Kind;
  readonly id: string;
  readonly lang: string;
  readonly ifMatch: string | undefined;
}

/**
 * A service whose originals are in another language than ours takes an edit of an original for the edit of a translation
 * that does not exist yet, and refuses its `If-Match`. Sent without it, the edit would make that translation and leave the
 * original as it was. So where the tag is still the record's, and the service has no record in our language, nothing is sent.
 */
export function createOwnTongue(
  get: (path: string) => Promise<Answer>,
  defaultLanguage: string,
): <T>(edited: Edited, edit: () => Promise<T>) => Promise<T> {
  const isOther = async ({ kind, id, lang, ifMatch }: Edited): Promise<boolean> => {
    const path = recordPath(kind, id);
    const inOurs = await get(`${path}?lang=${encodeURIComponent(lang)}`);
    return isNewVersion(inOurs.value) && (await get(path)).headers['etag'] === ifMatch;
  };
  return async (edited, edit) => {
    try {
      return await edit();
    } catch (error) {
      const isRefused = error instanceof RemoteError && error.status === 412 && edited.ifMatch !== undefined;
      if (!isRefused || edited.lang !== defaultLanguage) throw error;
      if (!(await isOther(edited).catch(() => false))) throw error;
      throw new RemoteError(
        'rejected',
        `not sent: the service keeps the original in another language than ${edited.lang}, so this edit would make a translation; give \`defaultLanguage\` in kbsync.yaml the language of the service's originals (a folder with another name: \`languages: { ${edited.lang}: CODE }\`)`,
        { request: error.request },
      );
    }
  };
}

/** The service itself says that the request is wrong: not its record, its version, its time or whoever sends it. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof RemoteError) || error.code !== 'rejected') return false;
  const { serviceMessage, status } = error;
  return serviceMessage !== undefined && status !== undefined && REFUSALS.has(status);
}

/** 200 is of services that say everything with it. */
const REFUSALS: ReadonlySet<number> = new Set([200, 400, 422]);
