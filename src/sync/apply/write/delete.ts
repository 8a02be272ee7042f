import { familyOf, idKey, isOriginal } from '../../../model/key.ts';
import { hasLanguage } from '../../../model/language.ts';
import type { Kind } from '../../../model/key.ts';
import type { BaseRecord, KnownRecord, ListedRecord } from '../../../model/record.ts';
import type { Change } from '../../../plan/plan.ts';
import { reconcile } from '../../../plan/reconcile.ts';
import { ruleOf } from '../../../plan/selection.ts';
import { RemoteError } from '../../../remote/error.ts';
import { readMany, stopsEverything } from '../../../remote/read-many.ts';
import type { ReadOutcome, ReadWant } from '../../../remote/read-many.ts';
import type { Result } from '../../report.ts';
import type { DeleteList, Run } from '../../run.ts';
import { conditionOf, newOperation, readLang, resultOf, waysOf } from '../../run.ts';
import { noteDeleted } from './dates.ts';
import { hiddenTranslation } from './hidden-translation.ts';
import { asListed, sideOf } from '../../side.ts';
import { LOOKS_MS, looksAgain } from '../../look-again.ts';
import { USE_FIELD } from '../../../remote/wire/decode-list.ts';

const TRIES_MAX = 3;

const ODD_ANSWER_MS = 300;

/**
 * Deletes a record: read first, only while it equals the base, its pre-image saved first. A lost answer is found out by
 * reading: a delete is done when the record is gone.
 */
export async function deleteRecord(change: Change, run: Run): Promise<Result> {
  const base = run.records.get(change.key);
  if (base === undefined) throw new Error(`bug: delete of ${change.key}, which the base does not know`);
  let lastError: RemoteError | undefined;
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    if (attempt > 1) await run.clock.sleep(run.random() * 200 * 2 ** attempt, run.signal);
    const first = await lookBefore(change, base, run);
    // A read may show the original for a language that there is none of: the list tells what became of the lost answer.
    if ('result' in first && lastError !== undefined && first.result.outcome === 'failed')
      return (await isUnlisted(change, run)) ? gone(change, run) : first.result;
    if ('result' in first) return first.result;
    const use = await useOf(change, run);
    const hidden = use ?? (await hiddenTranslation(change, first.record, run));
    if (typeof hidden === 'string') return resultOf(change, 'skipped', hidden);
    // Other reads took their time: an edit may have landed, and one of them may even have shown it.
    const last = hidden.hasRead ? await lookBefore(change, base, run) : first;
    if ('result' in last) return last.result;
    const { record } = last;
    await run.saveTrash(change.key, record);
    const op = newOperation(run);
    const { key, name, slug } = change;
    await run.journal.intend({
      op,
      action: 'delete',
      key,
      id: record.ownId,
      name,
      slug,
      atMs: run.clock.now(),
    });
    try {
      const written = await run.remote.remove(change.kind, record.ownId, conditionOf(record, run));
      const isDropped = await wasDropped(change, { want: wantOf(change, base, run), before: record }, run);
      await run.journal.end(op, isDropped ? base : undefined);
      if (isDropped) return resultOf(change, 'failed', DROPPED, record.ownId);
      noteDeleted(run, change.key, written);
      return gone(change, run, record.ownId);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      if (stopsEverything(error)) run.stop = error.message;
      if (error.code === 'aborted') return resultOf(change, 'pending', error.message, record.ownId);
      const { code } = error;
      if (code === 'rejected' || code === 'forbidden' || (code !== 'unclear' && stopsEverything(error))) {
        // "No such record" may mean that the delete was done: by a proxy that repeated it, or by somebody else.
        const isGone =
          error.code === 'rejected' && (await readNow(wantOf(change, base, run), run))?.state === 'absent';
        await run.journal.end(op, isGone ? undefined : base);
        if (!isGone) return resultOf(change, 'failed', refusedWords(error), record.ownId);
        noteDeleted(run, change.key, undefined);
        return gone(change, run, record.ownId);
      }
      lastError = error;
    }
  }
  return resultOf(change, 'pending', `${lastError?.message ?? 'no answer'} (${TRIES_MAX} tries)`, base.id);
}

/** The record as it is now, if it may be deleted; or how the delete ends without a request. */
async function lookBefore(
  change: Change,
  base: BaseRecord,
  run: Run,
): Promise<{ readonly record: KnownRecord } | { readonly result: Result }> {
  const want = wantOf(change, base, run);
  let read = await readNow(want, run);
  // The survey has just seen it: one odd answer would leave it there and have it forgotten.
  if (read?.state === 'absent' && run.input.remote.get(change.key)?.state === 'known') {
    await run.clock.sleep(ODD_ANSWER_MS, run.signal);
    read = await readNow(want, run);
  }
  if (read?.state === 'absent') return { result: gone(change, run) };
  const file = run.desired.records.get(change.key);
  const of = { repository: run.repository, base, file, isOriginal: isOriginal(change.key, run.desired) };
  const side = read === undefined ? undefined : sideOf(read, of);
  const kept = (outcome: 'skipped' | 'failed', why: string) => ({ result: resultOf(change, outcome, why) });
  if (side?.state === 'taken') return kept('skipped', 'kept: its id now belongs to another record');
  if (side?.state !== 'known') return kept('failed', 'kept: it could not be read before the delete');
  const remote = asListed(side, run.input.remote.get(change.key));
  const sides = { file: undefined, base, remote, rule: ruleOf(change.key, run.input) };
  const { verdict } = reconcile(sides, run.input.choices, waysOf(run));
  if (verdict !== 'delete') return kept('skipped', 'kept: it was edited on the service');
  if (!isOriginal(change.key, run.desired) && side.record.ownId === base.id) {
    return kept(
      'skipped',
      'the service shows no id of its own for this translation, so it cannot be deleted alone; delete it on the site',
    );
  }
  return { record: side.record };
}

function wantOf({ kind, key }: Change, base: BaseRecord, run: Run): ReadWant<number> {
  return { name: 0, kind, id: base.id, lang: readLang(key, run) };
}

/** A service that keeps deleted records shows them to readers, and denies them to whoever writes. */
function refusedWords({ message, status }: RemoteError): string {
  if (status !== 404 && status !== 410) return message;
  return `${message.replace(/\.$/, '')}; reading still shows it: look on the site, and delete it there if it is there`;
}

const DROPPED =
  'the service confirmed the delete, but still shows the record; delete it on the site, if it is still there';

/**
 * Whether a delete that the service confirmed removed nothing. The first delete of each kind is read back, for as long as
 * reads may lag; a service that removed one record removes the others too.
 */
async function wasDropped(
  change: Change,
  { want, before: shown }: { readonly want: ReadWant<number>; readonly before: KnownRecord },
  run: Run,
): Promise<boolean> {
  const sort = `${change.kind} ${change.isTranslation === true ? 'translation' : 'original'}`;
  const before = run.removals.get(sort);
  if (before === 'done') return false;
  const looksMs = before === 'dropped' ? [] : LOOKS_MS;
  const isGone = () =>
    readNow(want, run).then(
      (read) => read?.state !== 'found' || isUnpublished(shown, read.record, run),
      // A read beside a write that was confirmed takes nothing back.
      (error: unknown) => {
        if (error instanceof RemoteError) return true;
        throw error;
      },
    );
  if (await looksAgain(isGone, { clock: run.clock, signal: run.signal, looksMs })) {
    run.removals.set(sort, 'done');
    return false;
  }
  // An interrupt leaves it open: the next run reads the record.
  if (run.signal?.aborted === true || (await isUnlisted(change, run))) return false;
  run.removals.set(sort, 'dropped');
  return true;
}

/** A cache may show for a minute what is gone: the list is another witness, where it showed the record before. */
async function isUnlisted({ kind, key, lang, isTranslation }: Change, run: Run): Promise<boolean> {
  const before = run.input.views.get(familyOf(key));
  const isNamed = (languages: readonly string[]) => hasLanguage(languages, lang);
  if (before === undefined || (isTranslation === true && !isNamed(before.languages))) return false;
  try {
    const { items } = await run.remote.list(kind);
    const own = run.input.ids.get(familyOf(key));
    const item = items.find(({ id }) => id === own);
    return item === undefined || (isTranslation === true && !isNamed(item.languages));
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return false;
  }
}

/** A service may keep what is deleted, out of its readers' sight. Only the delete can have done that: it has just been sent. */
function isUnpublished(before: KnownRecord, after: KnownRecord, run: Run): boolean {
  const [was, is] = [before.fields['status'], after.fields['status']];
  if (was !== 'published' || typeof is !== 'string' || is === was) return false;
  run.emit({
    type: 'note',
    text: `the service keeps deleted articles with the status ${JSON.stringify(is)}, so readers do not see them; to remove them for good, delete them on the site`,
  });
  return true;
}

async function readNow(want: ReadWant<number>, run: Run): Promise<ReadOutcome | undefined> {
  return (await readMany(run.remote, [want], 1)).get(0);
}

/**
 * Why a category or tag must stay, if so: some services delete the articles of a category with it, or take them out of
 * it. The list is read once a kind and run, when everything else that was to go is gone.
 */
async function useOf({ kind, key }: Change, run: Run): Promise<string | undefined> {
  if (kind === 'article' || !isOriginal(key, run.desired)) return undefined;
  const list = run.deleteLists.get(kind) ?? (await listOrWhy(kind, run));
  if (typeof list === 'string') return list;
  run.deleteLists.set(kind, list);
  const id = run.ids.get(familyOf(key));
  const item = id === undefined ? undefined : list.byId.get(id);
  if (item === undefined && run.input.views.has(familyOf(key)))
    return 'kept: the list that shows what uses it left it out this time; run again';
  if (item?.view.inUse === true)
    return 'kept: an article without a file uses it; remove the article from it on the site, or add a file for the article';
  if (item !== undefined && item.view.inUse === undefined)
    return `kept: the list does not say whether an article uses it (${USE_FIELD[kind]} is missing); delete it on the site`;
  const isGone = (other: string): boolean => {
    const family = run.owners.get(idKey(kind, other));
    return family !== undefined && !run.ids.has(family);
  };
  if (kind !== 'category' || item === undefined) return undefined;
  const child = list.byParent.get(item.name)?.find(({ id: other }) => other !== id && !isGone(other));
  return child === undefined
    ? undefined
    : `kept: the category ${JSON.stringify(child.name)} (${child.id}) is below a category of the same name`;
}

async function listOrWhy(kind: Kind, run: Run): Promise<DeleteList | string> {
  try {
    const { items } = await run.remote.list(kind);
    return deleteList(items.length > 0 ? items : (await run.remote.list(kind)).items);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop = error.message;
    return `kept: the list that shows what uses it could not be read: ${error.message}`;
  }
}

function deleteList(items: readonly ListedRecord[]): DeleteList {
  const byParent = new Map<string, ListedRecord[]>();
  for (const item of items) {
    const { parentName } = item.view;
    if (parentName === undefined) continue;
    const others = byParent.get(parentName);
    if (others === undefined) byParent.set(parentName, [item]);
    else others.push(item);
  }
  // Of two rows with one id the first counts.
  return { byId: new Map(items.toReversed().map((item) => [item.id, item])), byParent };
}

function gone(change: Change, run: Run, id?: string): Result {
  run.records.delete(change.key);
  if (isOriginal(change.key, run.desired)) run.ids.delete(familyOf(change.key));
  return resultOf(change, 'done', 'deleted', id);
}
