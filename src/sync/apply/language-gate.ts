import { same } from '../../model/digest.ts';
import type { FieldValue } from '../../model/fields.ts';
import { bodyFieldOf, nameFieldOf } from '../../model/fields.ts';
import { keyIn, langOf } from '../../model/key.ts';
import { sameAsBase } from '../../plan/compare.ts';
import { habitName } from '../../plan/likeness.ts';
import type { Change, Plan } from '../../plan/plan.ts';
import { isSharedField, pathsForIds, unkeptWords } from '../../plan/shared-fields.ts';
import type { Result } from '../report.ts';
import type { Run } from '../run.ts';
import { desiredOf, resultOf } from '../run.ts';
import { checkedAgainstOriginal, isLeftOut, readOriginal } from './write/check-original.ts';
import { fieldsToCreate, ownedNow } from './write/fields.ts';

const NO_LANG =
  'the service ignores `lang` and would overwrite the original, so no translation is sent; --lang leaves translations out of a run';

export type LanguageGate = (change: Change, write: () => Promise<Result>) => Promise<Result>;

/**
 * The first write in each language goes alone and is checked against the original: a service that ignores `lang` would
 * overwrite the originals one after the other. The others of that language wait for it. So does each write that is the
 * first of its run to give a field another value than the original has: a service may keep that field once for all
 * languages.
 */
export function languageGate({ blocked }: Plan, run: Run): LanguageGate {
  const told = new Set(blocked.filter(({ reason }) => reason === 'shared').map(({ key }) => key));
  const first = new Map<string, Promise<Result>>();
  let lastCheck: Promise<unknown> = Promise.resolve();
  /** One at a time: two languages of one original would hide each other's traces. */
  const inTurn = (work: () => Promise<Result>): Promise<Result> => {
    const check = lastCheck.then(work);
    lastCheck = check.catch(() => undefined);
    return check;
  };
  const checked = (change: Change, write: () => Promise<Result>): Promise<Result> =>
    inTurn(async () =>
      run.remote.capabilities()['edit-lang'] === 'no'
        ? resultOf(change, 'failed', NO_LANG)
        : checkedAgainstOriginal(change, run, write),
    );
  const written = async (change: Change, write: () => Promise<Result>): Promise<Result> => {
    const lang = langOf(change.key);
    for (;;) {
      const capabilities = run.remote.capabilities();
      if (capabilities['edit-lang'] === 'no') return resultOf(change, 'failed', NO_LANG);
      if (capabilities['edit-lang'] === 'yes') return write();
      if (capabilities.languages?.includes(lang) === true)
        return isProved(change, run) ? write() : checked(change, write);
      const before = first.get(lang);
      if (before === undefined) {
        const check = checked(change, write);
        first.set(lang, check);
        return check;
      }
      const result = await before;
      const isSafe =
        result.outcome === 'done' || run.remote.capabilities().languages?.includes(lang) === true;
      if (!isSafe)
        return resultOf(
          change,
          'skipped',
          `not sent, because the first write in ${lang} (${result.key}) was not proved to be safe; --lang leaves translations out of a run`,
        );
      // Done, but somebody edited the original meanwhile: no proof, so the next one is checked in its turn.
      if (first.get(lang) === before) first.delete(lang);
    }
  };
  return async (change, write) => {
    const result = await written(change, write);
    return result.outcome === 'done' && !told.has(change.key) ? orUnkept(result, change, run) : result;
  };
}

/** Whether every value that is not the original's is of a field that a write was seen changing in its language alone. */
function isProved(change: Change, run: Run): boolean {
  const { kind, key } = change;
  const desired = desiredOf(change, run);
  const original = keyIn(desired.family, run.desired.defaultLanguage);
  const side = run.input.remote.get(original);
  const shown = side?.state === 'known' ? side.record.fields : {};
  const isOriginals = (name: string, value: FieldValue): boolean => {
    const known = run.written.get(original)?.[name] ?? shown[name];
    if (known !== undefined) return same(known, value);
    const { observed, sent } = run.records.get(original) ?? {};
    const before = observed?.[name] ?? sent?.[name];
    return before !== undefined && sameAsBase(value, before);
  };
  const { body: _, ...withoutBody } = desired;
  const isCreate = !run.records.has(key);
  const sending = fieldsToCreate(withoutBody, ownedNow(withoutBody, run), run);
  const changed = new Set(change.fields.map(({ field }) => field));
  const isKept = (name: string): boolean =>
    run.ownFields.has(habitName({ kind, name })) || isSharedField(kind, name, run.remote.capabilities());
  const known = { ...shown, ...run.written.get(original) };
  const isEmptied = Object.keys(known).some(
    (name) => isLeftOut({ fields: known }, name, sending) && !isKept(name) && name !== bodyFieldOf(kind),
  );
  if (isCreate && isEmptied) return false;
  return Object.entries(sending).every(
    ([name, value]) =>
      (!isCreate && !changed.has(name)) ||
      name === nameFieldOf(kind) ||
      name === bodyFieldOf(kind) ||
      isKept(name) ||
      isOriginals(name, value),
  );
}

/** A translation that was stored, of whose file a value is not: the service keeps the original's for all languages. */
async function orUnkept(result: Result, change: Change, run: Run): Promise<Result> {
  const desired = desiredOf(change, run);
  if (desired.unkept === undefined) return result;
  const original = await readOriginal(change, run);
  if (original === undefined) return result;
  const { body: _, unkept, ...withoutBody } = desired;
  const ours = ownedNow({ ...withoutBody, fields: unkept }, run);
  const inPaths = pathsForIds(desired.kind, run.ids);
  const words = unkeptWords({ unkept: ours }, (name) => original.fields[name], inPaths);
  return words === undefined
    ? result
    : { ...result, outcome: 'failed', message: `stored, but ${words}`, hasWritten: true };
}
