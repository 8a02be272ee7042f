import type { CapabilityLedger } from '../capabilities.ts';
import { RemoteError } from '../error.ts';

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

/** The service itself says that the request is wrong: not its record, its version, its time or whoever sends it. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof RemoteError) || error.code !== 'rejected') return false;
  const { serviceMessage, status } = error;
  return serviceMessage !== undefined && status !== undefined && REFUSALS.has(status);
}

/** 200 is of services that say everything with it. */
const REFUSALS: ReadonlySet<number> = new Set([200, 400, 422]);
