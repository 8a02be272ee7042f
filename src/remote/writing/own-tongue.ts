import type { Kind } from '../../model/key.ts';
import { RemoteError } from '../error.ts';
import type { Answer } from '../http/answer.ts';
import { isNewVersion } from '../wire/decode.ts';
import { recordPath } from '../wire/paths.ts';
import { idOf, objectOf } from '../wire/values.ts';

interface Edited {
  readonly kind: Kind;
  readonly id: string;
  readonly lang: string;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/**
 * A service whose originals are in another language than ours takes an edit of an original for the edit of a translation
 * that does not exist yet, and refuses its `If-Match`. Sent without it, the edit would make that translation and leave the
 * original as it was. So where the tag is still the record's, and the service has no record in our language, nothing is sent.
 *
 * A new translation in their language meets the original: the service refuses its `If-None-Match`, in each run.
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
  /** Whether the original is in the language of this translation, and the service has none in ours. */
  const isTheirs = async ({ kind, id, lang }: Edited): Promise<boolean> => {
    const read = (asked: string): Promise<Answer> =>
      get(`${recordPath(kind, id)}?lang=${encodeURIComponent(asked)}`);
    const { value } = await read(lang);
    const data = objectOf(value['data']) ?? {};
    const isOriginal = idOf(data['id']) === id && (data['language_parent'] ?? null) === null;
    return isOriginal && !isNewVersion(value) && isNewVersion((await read(defaultLanguage)).value);
  };
  return async (edited, edit) => {
    try {
      return await edit();
    } catch (error) {
      if (!(error instanceof RemoteError) || error.status !== 412) throw error;
      const { lang, ifMatch, ifNoneMatch } = edited;
      if (lang !== defaultLanguage) {
        if (ifNoneMatch === undefined || !(await isTheirs(edited).catch(() => false))) throw error;
        throw new RemoteError(
          'rejected',
          `not stored: the service keeps the original in ${lang}, and the default language here is ${defaultLanguage}, so this translation would take the place of its original; if the originals of the files are in ${lang}, write \`defaultLanguage: ${lang}\` into kbsync.yaml, else this is another knowledge base, or it was started with other languages`,
          { request: error.request },
        );
      }
      if (ifMatch === undefined) throw error;
      if (!(await isOther(edited).catch(() => false))) throw error;
      throw new RemoteError(
        'rejected',
        `not sent: the service keeps the original in another language than ${edited.lang}, so this edit would make a translation; give \`defaultLanguage\` in kbsync.yaml the language of the service's originals (a folder with another name: \`languages: { ${edited.lang}: CODE }\`)`,
        { request: error.request },
      );
    }
  };
}
