import { familyOf, isOriginal } from '../../model/key.ts';
import { misplacedWords } from '../../plan/making/guard.ts';
import type { Change } from '../../plan/plan.ts';
import { RemoteError } from '../../remote/error.ts';
import { stopsEverything } from '../../remote/read-many.ts';
import type { Run } from '../run.ts';

/** After so many that were refused or have no id yet, the others go out unproved. */
const TRIES_MAX = 3;

/**
 * The waves, in a first sync each after the one before it with the first new original alone. The service may keep records that were made
 * without a language in another one than the files' (KB-Default-Language tells that before; survey/misplaced-first.ts reads what is there). Then readers
 * would find every page under a language that it is not in, so the run stops after this one.
 */
export async function* withFirstAlone(
  waves: readonly (readonly Change[])[],
  run: Run,
): AsyncGenerator<readonly Change[]> {
  let tries = isFirstSync(run) ? TRIES_MAX : 0;
  for (const wave of waves) {
    let rest = wave;
    while (tries > 0) {
      const first = rest.find(({ action, key }) => action === 'create' && isOriginal(key, run.desired));
      if (first === undefined) break;
      tries -= 1;
      yield [first];
      rest = rest.filter((change) => change !== first);
      const id = run.ids.get(familyOf(first.key));
      if (id === undefined) continue;
      tries = 0;
      await checkLanguage(first, id, run);
    }
    if (rest.length > 0) yield rest;
  }
}

/** One original is there: a run that ended after it has proved nothing (survey/misplaced-first.ts reads it). */
function isFirstSync({ ids, input }: Run): boolean {
  return ids.size === 0 && input.originals === undefined;
}

async function checkLanguage({ kind, key }: Change, id: string, run: Run): Promise<void> {
  try {
    const lang = await run.remote.originalLanguage(kind, id);
    if (lang === undefined) return;
    run.emit({ type: 'note', text: misplacedWords({ key, lang }, run.desired.defaultLanguage) });
    run.needsSetting = true;
    run.stop ??= `the service keeps ${key} in ${lang}`;
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop ??= error.message;
  }
}
