import { bodyFieldOf, nameFieldOf } from '../../../model/fields.ts';
import { familyOf, isOriginal, keyIn, langOf } from '../../../model/key.ts';
import { sameLanguage, sameTongue } from '../../../model/language.ts';
import type { KnownRecord } from '../../../model/record.ts';
import { parseStamp } from '../../../model/stamp.ts';
import { isSameMeaning } from '../../../plan/likeness.ts';
import type { Change } from '../../../plan/plan.ts';
import { readMany } from '../../../remote/read-many.ts';
import type { Result } from '../../report.ts';
import type { Run } from '../../run.ts';
import { desiredOf, waysOf } from '../../run.ts';
import { ownedNow } from './fields.ts';

/** How long a service may take to show what it stored, in steps. */
const PATIENCE_MS = [500, 1500, 3000];

/**
 * Why a translation need not be sent: the service shows the very one, under another code than it was given (`fr` became
 * `fr-FR`), and would make a second one. Undefined: it does not.
 */
export async function storedElsewhere(change: Change, id: string, run: Run): Promise<string | undefined> {
  const languages = run.input.views.get(familyOf(change.key))?.languages ?? [];
  const code = await codeOf(change, id, languages, run);
  return code === undefined ? undefined : elsewhereWords(langOf(change.key), code);
}

/** What became of a new translation that a service said yes to; undefined: it is there, or it cannot be seen. */
export async function unstoredWords(change: Change, id: string, run: Run): Promise<string | undefined> {
  const { kind, key } = change;
  const lang = langOf(key);
  for (const delayMs of [0, ...PATIENCE_MS]) {
    if (delayMs > 0) await run.clock.sleep(delayMs, run.signal);
    const read = (await readMany(run.remote, [{ name: 0, kind, id, lang }], 1)).get(0);
    if (read?.state !== 'absent') return undefined;
    const { items } = await run.remote.list(kind);
    const code = await codeOf(change, id, items.find((item) => item.id === id)?.languages ?? [], run);
    if (code !== undefined) return elsewhereWords(lang, code);
  }
  return notStoredWords(lang);
}

/** Translations that the service said yes to, and that it does not show in some seconds either. */
export async function unstored(made: readonly Result[], run: Run): Promise<readonly Result[]> {
  let missing = made;
  for (const delayMs of PATIENCE_MS) {
    if (missing.length === 0) return missing;
    await run.clock.sleep(delayMs, run.signal);
    const reads = await readMany(
      run.remote,
      missing.map(({ key, kind, lang }) => ({ name: key, kind, id: run.ids.get(familyOf(key)) ?? '', lang })),
      run.policy.concurrencyMax,
    );
    missing = missing.filter(({ key }) => reads.get(key)?.state === 'absent');
  }
  return missing;
}

export function notStoredWords(lang: string): string {
  return `the service said yes and shows no translation in ${lang}: it seems not to have this language, or a cache still shows what was there before; switch ${lang} on there, leave its files out (--lang, \`languages\` in kbsync.yaml), or run again later`;
}

function elsewhereWords(lang: string, code: string): string {
  return `the service stored it as ${code}, not as ${lang}, and shows nothing in ${lang}; name the language ${code} in the files`;
}

/** The other code of the same tongue under which the service shows this very text. */
async function codeOf(
  change: Change,
  id: string,
  languages: readonly string[],
  run: Run,
): Promise<string | undefined> {
  const { kind, key } = change;
  const lang = langOf(key);
  const others = languages.filter(
    (code) =>
      sameTongue(code, lang) &&
      !sameLanguage(code, lang) &&
      !isOriginal(keyIn(familyOf(key), code), run.desired) &&
      !run.desired.records.has(keyIn(familyOf(key), code)),
  );
  for (const code of others) {
    const read = (await readMany(run.remote, [{ name: 0, kind, id, lang: code }], 1)).get(0);
    if (read?.state === 'found' && isOurs(read.record, change, run)) return code;
  }
  return undefined;
}

function isOurs({ kind, fields, stamp }: KnownRecord, change: Change, run: Run): boolean {
  const found = stamp === undefined ? undefined : parseStamp(stamp);
  if (found !== undefined) return found.key === change.key && found.repository === run.repository.id;
  const owned = ownedNow(desiredOf(change, run), run);
  return [nameFieldOf(kind), bodyFieldOf(kind)].every((name) => {
    const [ours, theirs] = [owned[name], fields[name]];
    return (
      ours === undefined || (theirs !== undefined && isSameMeaning({ kind, name }, ours, theirs, waysOf(run)))
    );
  });
}
