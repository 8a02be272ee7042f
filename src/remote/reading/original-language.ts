import type { Kind, Lang, RemoteId } from '../../model/key.ts';
import { UNDETERMINED, sameLanguage, sameTongue } from '../../model/language.ts';
import { RemoteError } from '../error.ts';
import { stopsEverything } from '../read-many.ts';
import type { Answer } from '../http/answer.ts';
import { isNewVersion } from '../wire/decode.ts';
import { recordPath } from '../wire/paths.ts';
import { idOf, isNone, languageOf, objectOf } from '../wire/values.ts';
import { createMissingLanguage } from './missing-language.ts';

export interface OriginalLanguageOptions {
  readonly get: (path: string) => Promise<Answer>;
  readonly defaultLanguage: Lang;
}

/** `missing`: it says that there is no such record yet, or refuses it as it refuses a language that nobody has. */
type Shown = { readonly language: Lang | undefined } | 'missing' | 'other';

/** More languages than this are not asked for. */
const LANGUAGES_MAX = 30;

/**
 * In which language a service keeps an original that was made without one, if that is another one than ours; undefined: it is ours, or
 * nothing tells. A sign is:
 *
 * | asked for ours, it shows | without a language | in the other languages that it names | its language |
 * |---|---|---|---|
 * | the record, in another one | – | – | that one |
 * | no such record | in another one | – | that one |
 * | no such record | without saying one | in one alone the record itself | that one |
 * | anything else | – | – | nothing tells |
 *
 * A service that knows no default language says of each language that it has no such record, and one that shows the original wherever
 * a translation is missing shows it for each.
 */
export function createOriginalLanguage({
  get,
  defaultLanguage,
}: OriginalLanguageOptions): (
  kind: Kind,
  id: RemoteId,
  named: () => Promise<readonly Lang[]>,
) => Promise<Lang | undefined> {
  const isMissing = createMissingLanguage({ get });
  const shown = async (kind: Kind, id: RemoteId, lang?: Lang): Promise<Shown> => {
    try {
      const query = lang === undefined ? '' : `?lang=${encodeURIComponent(lang)}`;
      const { value } = await get(`${recordPath(kind, id)}${query}`);
      if (isNewVersion(value)) return 'missing';
      const { id: own, language, language_parent: parent } = objectOf(value['data']) ?? {};
      if (idOf(own) !== id || !(isNone(parent) || idOf(parent) === id)) return 'other';
      const code = languageOf(language);
      return { language: code === UNDETERMINED ? undefined : code };
    } catch (error) {
      if (!(error instanceof RemoteError) || stopsEverything(error)) throw error;
      return lang !== undefined && (await isMissing({ kind, id, lang }, error)) ? 'missing' : 'other';
    }
  };
  /** The only one of these in which it is shown. */
  const onlyOne = async (kind: Kind, id: RemoteId, named: readonly Lang[]): Promise<Lang | undefined> => {
    const found: Lang[] = [];
    const others = named.filter((lang) => !sameTongue(lang, defaultLanguage) && lang !== UNDETERMINED);
    if (others.length > LANGUAGES_MAX) return undefined;
    for (const lang of others) {
      const there = await shown(kind, id, lang);
      if (typeof there === 'object' && (there.language === undefined || sameLanguage(there.language, lang)))
        found.push(lang);
      if (found.length > 1) return undefined;
    }
    return found[0];
  };
  return async (kind, id, named) => {
    const other = ({ language }: Exclude<Shown, string>): Lang | undefined =>
      language === undefined || sameTongue(language, defaultLanguage) ? undefined : language;
    const inOurs = await shown(kind, id, defaultLanguage);
    if (typeof inOurs === 'object') return other(inOurs);
    if (inOurs === 'other') return undefined;
    const plain = await shown(kind, id);
    if (typeof plain === 'string') return undefined;
    if (plain.language !== undefined) return other(plain);
    return onlyOne(kind, id, await named());
  };
}
