import type { Lang } from '../../model/key.ts';
import { sameLanguage } from '../../model/language.ts';
import { RemoteError } from '../error.ts';
import type { Answer } from '../http/answer.ts';
import type { WriteOptions } from '../remote.ts';

interface Edited {
  /** Of the original. */
  readonly path: string;
  readonly lang: Lang;
  readonly options: WriteOptions;
}

type Edit = (options: WriteOptions) => Promise<Answer>;

/**
 * A service that takes no edit without a condition answers 428 and has done nothing (RFC 6585, section 3). The first edit in a language
 * has no tag to name, because nothing is there. `If-None-Match: *` says just that. A service that asks this of the original answers
 * 412; then the original's tag is sent, as it is now. Where that is refused too, the 428 stands.
 */
export function createRequiredCondition(
  get: (path: string) => Promise<Answer>,
  defaultLanguage: Lang,
): (edited: Edited, edit: Edit) => Promise<Answer> {
  const withTag = async ({ path, options }: Edited, edit: Edit): Promise<Answer | undefined> => {
    const { etag } = (await get(path)).headers;
    if (etag === undefined) return undefined;
    return unlessRefused(() => edit({ ...options, ifMatch: etag }));
  };
  return async (edited, edit) => {
    const { lang, options } = edited;
    try {
      return await edit(options);
    } catch (error) {
      const isUnconditional = options.ifMatch === undefined && options.ifNoneMatch === undefined;
      if (!isUnconditional || !isStatus(error, 428) || sameLanguage(lang, defaultLanguage)) throw error;
      const made = await unlessRefused(() => edit({ ...options, ifNoneMatch: '*' }));
      const answer = made ?? (await withTag(edited, edit));
      if (answer === undefined) throw error;
      return answer;
    }
  };
}

/** Undefined: the condition was not met, or is not the one that the service wants. */
async function unlessRefused(write: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await write();
  } catch (error) {
    if (isStatus(error, 412) || isStatus(error, 428)) return undefined;
    throw error;
  }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof RemoteError && error.status === status;
}
