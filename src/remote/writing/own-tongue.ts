import type { Kind } from '../../model/key.ts';
import { RemoteError } from '../error.ts';
import type { Answer } from '../http/answer.ts';
import { isNewVersion } from '../wire/decode.ts';
import { recordPath } from '../wire/paths.ts';

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
