import { differenceOf } from '../../../model/compare/difference.ts';
import { same } from '../../../model/digest.ts';
import { bodyFieldOf, isNothing, isStatus, nameFieldOf } from '../../../model/fields.ts';
import type { FieldValue, KnownFields } from '../../../model/fields.ts';
import { familyOf, keyIn, langOf } from '../../../model/key.ts';
import type { KnownRecord } from '../../../model/record.ts';
import { parseStamp, splitStamp } from '../../../model/stamp.ts';
import { formedType, habitName } from '../../../plan/likeness.ts';
import type { Change } from '../../../plan/plan.ts';
import { withoutSharedValues } from '../../../plan/shared-fields.ts';
import { RemoteError } from '../../../remote/error.ts';
import { stopsEverything } from '../../../remote/read-many.ts';
import type { Result } from '../../report.ts';
import type { Run } from '../../run.ts';
import { conditionOf, desiredOf, resultOf } from '../../run.ts';
import { readListed } from '../../survey/sides/denied.ts';
import { fieldsAsShown, fieldsToCreate, ownedNow } from './fields.ts';
import { storedElsewhere, unstoredWords } from './find-translation.ts';

export async function readOriginal(
  { key, kind }: Pick<Change, 'key' | 'kind'>,
  run: Run,
): Promise<KnownRecord | undefined> {
  const id = run.ids.get(familyOf(key));
  if (id === undefined) return undefined;
  const read = await readListed({ name: key, kind, id, lang: undefined }, run);
  return read?.state === 'found' ? read.record : undefined;
}

/**
 * Carries out a write of another language, looks whether it was stored and whether it left the original as it was. An
 * original that shows now what was sent for the translation, in the service's own form too, or nothing where nothing was sent,
 * was overwritten: it is put back. Where that is true of single fields, the service keeps one value of them for all languages; from now on they are the original's. An original that was
 * changed in any other way was edited by somebody meanwhile, which proves nothing, and stays as it is.
 */
export async function checkedAgainstOriginal(
  change: Change,
  run: Run,
  write: () => Promise<Result>,
): Promise<Result> {
  const { kind, key } = change;
  const lang = langOf(key);
  const id = run.ids.get(familyOf(key));
  if (id === undefined) return resultOf(change, 'skipped', 'its original was not created');
  const before = await readOriginal(change, run);
  if (before === undefined)
    return resultOf(
      change,
      'failed',
      'its original could not be read before the first write in this language',
      id,
    );
  const status = unsentStatus(change, before, run);
  if (status !== undefined) return resultOf(change, 'failed', noWayBack(status), id);
  const isFirst = run.remote.capabilities().languages?.includes(lang) !== true;
  // What is shown in the language is there, whatever the list calls it.
  if (isFirst && run.input.remote.get(key)?.state !== 'known') {
    const elsewhere = await storedElsewhere(change, id, run);
    if (elsewhere !== undefined) return resultOf(change, 'failed', elsewhere, id);
  }
  const isNew = !run.records.has(key);
  const result = await write();
  const after = await readOriginal(change, run);
  if (after === undefined)
    return resultOf(change, 'pending', 'its original could not be read after the write', id);
  const desired = desiredOf(change, run);
  const sent = run.written.get(key) ?? fieldsToCreate(desired, ownedNow(desired, run), run);
  const differing = Object.keys(before.fields).filter(
    (name) => isSent(before, name, sent) === false || isLeftOut(before, name, sent),
  );
  const changed = Object.keys(before.fields).filter((name) => isOther(before, after, name));
  if (changed.length === 0) {
    if (result.outcome !== 'done') return result;
    const unstored = isFirst && isNew ? await unstoredWords(change, id, run) : undefined;
    if (unstored !== undefined) {
      run.records.delete(key);
      run.written.delete(key);
      return resultOf(change, 'failed', unstored, id);
    }
    prove(change, differing, run);
    return result;
  }
  const isOurs = (name: string): boolean =>
    isSent(after, name, sent) === true ||
    (isLeftOut(before, name, sent) && isNothing(after.fields[name] ?? null));
  const isReplaced = isTranslationIn(after, { change, changed, sent }, run);
  if (!isReplaced && !changed.every(isOurs)) return result;
  const isPart = differing.some((name) => !changed.includes(name));
  const isShared = isPart && !changed.includes(bodyFieldOf(kind)) && !changed.includes(nameFieldOf(kind));
  const words = isShared
    ? `the service keeps one value of ${changed.join(', ')} for all languages of a record`
    : `the service ignored \`lang\` and changed the original (${changed.join(', ')})`;
  const failure = await putBack(change, { before, after }, run);
  if (failure !== undefined)
    return resultOf(change, 'failed', `${words}; restoring it failed: ${failure}`, id);
  if (!isShared) {
    run.remote.learn({ 'edit-lang': 'no' });
    run.records.delete(key);
    run.written.delete(key);
    const end = 'the original was restored, and no translation is sent to this service';
    return resultOf(change, 'failed', `${words}; ${end}`, id);
  }
  run.remote.learn({ shared: changed.map((name) => habitName({ kind, name })) });
  run.emit({ type: 'note', text: `${words}: a translation shows its original's (seen at ${key})` });
  forgetShared(change, changed, run);
  if (result.outcome === 'done') prove(change, differing, run);
  return result;
}

/** The language is stored beside the original, and so are these fields. */
function prove({ kind, key }: Change, names: readonly string[], run: Run): void {
  const languages = [...(run.remote.capabilities().languages ?? []), langOf(key)];
  run.remote.learn({ languages });
  for (const name of names) run.ownFields.add(habitName({ kind, name }));
}

/** What this run knows of the translation, without what is its original's. */
function forgetShared({ key }: Change, names: readonly string[], run: Run): void {
  const record = run.records.get(key);
  if (record !== undefined)
    run.records.set(key, withoutSharedValues(record, run.remote.capabilities(), run.desired));
  const written = run.written.get(key);
  if (written !== undefined)
    run.written.set(
      key,
      Object.fromEntries(Object.entries(written).filter(([name]) => !names.includes(name))),
    );
}

function isOther(before: KnownRecord, after: KnownRecord, name: string): boolean {
  const [left, right] = [before.fields[name], after.fields[name]];
  return left !== undefined && right !== undefined && !same(left, right);
}

/** Whether the original shows what was sent for the translation; undefined: nothing was. */
function isSent({ kind, fields }: KnownRecord, name: string, sent: KnownFields): boolean | undefined {
  const value = sent[name];
  const shown = fields[name];
  if (value === undefined || shown === undefined) return undefined;
  if (name !== bodyFieldOf(kind) || typeof value !== 'string') return same(value, shown);
  // A service may rewrite HTML on its way in.
  return typeof shown === 'string' && textOf(splitStamp(value).body) === textOf(shown);
}

/**
 * Whether the original has become the translation, in whatever form the service keeps a text: it bears the translation's
 * stamp, or its title and text are what the service made of those that were sent. An editor who saves meanwhile writes neither.
 */
function isTranslationIn(
  { kind, fields, stamp }: KnownRecord,
  {
    change,
    changed,
    sent,
  }: { readonly change: Change; readonly changed: readonly string[]; readonly sent: KnownFields },
  run: Run,
): boolean {
  const texts = [nameFieldOf(kind), bodyFieldOf(kind)].filter((name) => changed.includes(name));
  if (texts.length === 0) return false;
  const found = stamp === undefined ? undefined : parseStamp(stamp);
  if (found?.key === change.key && found.repository === run.repository.id) return true;
  return texts.every((name) => {
    const [ours, theirs, type] = [sent[name], fields[name], formedType({ kind, name })];
    if (typeof ours !== 'string' || theirs === undefined || type === undefined || isNothing(theirs))
      return false;
    const value = name === bodyFieldOf(kind) ? splitStamp(ours).body : ours;
    return differenceOf(type, value, theirs, { origin: run.input.ways.origin }) !== undefined;
  });
}

/** Whether the original has a value of a field of which nothing was sent: a service may take that for a wish to empty it. */
export function isLeftOut({ fields }: Pick<KnownRecord, 'fields'>, name: string, sent: KnownFields): boolean {
  return sent[name] === undefined && !isNothing(fields[name] ?? null);
}

function textOf(html: string): string {
  return html
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Why the original could not be put back; undefined: it was. */
async function putBack(
  change: Change,
  { before, after }: { readonly before: KnownRecord; readonly after: KnownRecord },
  run: Run,
): Promise<string | undefined> {
  try {
    const { defaultLanguage } = run.desired;
    const fields = fieldsToPutBack(change, before, run);
    await run.remote.edit(change.kind, before.id, defaultLanguage, fields, conditionOf(after, run));
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop = error.message;
    return error.message;
  }
  return undefined;
}

/** The original as it was. A status in the service's own word is sent as it was sent when the service made this word of it. */
function fieldsToPutBack({ key }: Pick<Change, 'key'>, before: KnownRecord, run: Run): KnownFields {
  const original = keyIn(familyOf(key), run.desired.defaultLanguage);
  const file = run.desired.records.get(original);
  const fields = fieldsAsShown(before, file === undefined ? undefined : ownedNow(file, run), run);
  const { status } = fields;
  if (!isOwnWord(status)) return fields;
  const known = run.records.get(original);
  const sent =
    run.written.get(original)?.['status'] ??
    (known?.observed?.['status'] === status ? known.sent['status'] : undefined);
  return typeof sent === 'string' && !isOwnWord(sent) ? { ...fields, status: sent } : fields;
}

function isOwnWord(status: FieldValue | undefined): status is string {
  return typeof status === 'string' && !isStatus(status);
}

/** A status that no edit can send: the original could not be put back. */
function unsentStatus(change: Change, before: KnownRecord, run: Run): string | undefined {
  const { status } = fieldsToPutBack(change, before, run);
  return isOwnWord(status) ? status : undefined;
}

function noWayBack(status: string): string {
  return (
    `not sent: the service shows the status of its original as ${JSON.stringify(status)}, so kbsync could not put the original back ` +
    'if this service takes the translation for it; write `status:` into the file of its original'
  );
}
