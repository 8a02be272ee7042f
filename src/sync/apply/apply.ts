import { isList, referenceFieldsOf } from '../../model/fields.ts';
import type { Family, Key } from '../../model/key.ts';
import { familyOf, isOriginal, kindOf } from '../../model/key.ts';
import type { BaseValue, KnownRecord } from '../../model/record.ts';
import { isDigest } from '../../plan/compare.ts';
import { inWaves, prerequisitesOf, slugsToFree } from '../../plan/making/order.ts';
import type { Change, Plan } from '../../plan/plan.ts';
import { RemoteError } from '../../remote/error.ts';
import type { Unnamed } from './write/create.ts';
import { createOriginal, enterFound } from './write/create.ts';
import { deleteRecord } from './write/delete.ts';
import { writeEdit } from './write/edit.ts';
import { withFirstAlone } from './first-original.ts';
import { dropFingerprints } from './distrust.ts';
import { languageGate } from './language-gate.ts';
import type { LanguageGate } from './language-gate.ts';
import { removalGate } from './translation-removals.ts';
import type { RemovalGate } from './translation-removals.ts';
import { freeSlugOf } from './free-slugs.ts';
import { LOOKS_MS, looksAgain } from '../look-again.ts';
import type { FoundIds } from './learn-ids.ts';
import { learnIds, pendingResults } from './learn-ids.ts';
import type { Result } from '../report.ts';
import type { Run } from '../run.ts';
import { resultOf, stopWords } from '../run.ts';

export interface Applied {
  readonly results: readonly Result[];
  /** Families read after the list that shows them: see learn-ids. */
  readonly verified: ReadonlyMap<Family, { readonly seen: string; readonly record: KnownRecord }>;
}

/** Queue twice as many changes as requests in flight: rendering and journalling then overlap with the network. */
const AHEAD = 2;

/**
 * Carries a plan out, wave by wave. Never throws for one failed call: what failed is a result, what stands on it is
 * skipped, everything else goes on. Deletes come last, and only when nothing is open.
 */
export async function apply(plan: Plan, run: Run): Promise<Applied> {
  const freed = slugsToFree(plan.changes, run.desired);
  const needs = prerequisitesOf(plan.changes, run.desired, freed);
  const results = new Map<Key, Result>();
  const verified = new Map<Family, { readonly seen: string; readonly record: KnownRecord }>();
  const gates = { languages: languageGate(plan, run), removals: removalGate(plan, run) };
  let open: readonly Unnamed[] = [];
  let failed = 0;
  const enter = (result: Result) => {
    results.set(result.key, result);
    if (result.outcome === 'failed') failed += 1;
    const { key, action, outcome, message } = result;
    run.emit({ type: 'outcome', key, action, outcome, message });
    run.emit({ type: 'progress', done: results.size, total: plan.changes.length, failed });
  };
  await dropFingerprints(plan, freed, run);
  for (const key of freed) await freeSlugOf(key, plan, run);
  for await (const wave of withFirstAlone(inWaves(plan.changes, needs), run)) {
    const unnamed: Unnamed[] = [];
    await eachOrStop(wave, run, async (change) => {
      const skip = reasonToSkip(change, { needs, results, run });
      const end = skip === undefined ? await carryOut(change, run, gates) : resultOf(change, 'skipped', skip);
      if ('intent' in end) unnamed.push(end);
      else enter(end);
    });
    if (unnamed.length === 0) continue;
    const learnt = await learnOrLeave(unnamed, run);
    learnt.results.forEach(enter);
    for (const [family, found] of learnt.verified) verified.set(family, found);
    open = [...open, ...learnt.open];
    // What stands on an open create must wait for it; the create itself is looked for once more at the end.
    for (const pending of pendingResults(learnt.open, run)) results.set(pending.key, pending);
  }
  if (open.length > 0) {
    const learnt = await learnOrLeave(open, run);
    learnt.results.forEach(enter);
    pendingResults(learnt.open, run).forEach(enter);
    // What the service says it made and does not show: its lists lag or are cut, and prove no absence.
    if (learnt.open.some(isMissed)) run.remote.learn({ 'full-lists': 'no' });
    for (const { intent } of learnt.open) run.open.push(intent);
    for (const [family, found] of learnt.verified) verified.set(family, found);
  }
  return { results: plan.changes.flatMap(({ key }) => results.get(key) ?? []), verified };
}

/**
 * Waits for all; once one throws (the disk is full, a bug), nothing more is sent and what is under way comes to its end. Each is
 * begun when its turn comes: to queue all of them as promises takes a kilobyte for each change.
 */
async function eachOrStop(
  wave: readonly Change[],
  run: Run,
  work: (change: Change) => Promise<void>,
): Promise<void> {
  let first: { readonly error: unknown } | undefined;
  const rest = wave.values();
  const inTurn = async (): Promise<void> => {
    for (const change of rest) {
      try {
        await work(change);
      } catch (error) {
        first ??= { error };
        run.stop ??= 'the run has to end';
      }
    }
  };
  await Promise.all(Array.from({ length: run.policy.concurrencyMax * AHEAD }, inTurn));
  if (first !== undefined) throw first.error;
}

async function learnOrLeave(unnamed: readonly Unnamed[], run: Run): Promise<FoundIds> {
  let found: FoundIds = { results: [], open: unnamed, verified: new Map() };
  const look = async (): Promise<boolean> => {
    const why = run.stop ?? (run.signal?.aborted === true ? 'the run was interrupted' : undefined);
    if (why !== undefined) {
      found = { ...found, open: found.open.map((one) => ({ notLookedUp: why, ...one })) };
      return true;
    }
    const { results, open, verified } = await learnIds(found.open, run);
    found = {
      results: [...found.results, ...results],
      open,
      verified: new Map([...found.verified, ...verified]),
    };
    return !open.some(isMissed);
  };
  const looksMs = run.isListLate ? [] : LOOKS_MS;
  if (!(await looksAgain(look, { clock: run.clock, signal: run.signal, looksMs }))) run.isListLate = true;
  return withTold(found, run);
}

/** What no list shows either, a draft for one, is what its answer named. */
async function withTold(found: FoundIds, run: Run): Promise<FoundIds> {
  const results: Result[] = [];
  for (const one of found.open)
    if (one.told !== undefined && isMissed(one)) results.push(await enterFound(one, one.told, run));
  const entered = new Set(results.map(({ key }) => key));
  const open = found.open.filter(({ change }) => !entered.has(change.key));
  return { ...found, results: [...found.results, ...results], open };
}

/** The service said that it made it, and no list shows it. A list that nobody read says nothing. */
function isMissed({ confirmed, notLookedUp }: Unnamed): boolean {
  return confirmed && notLookedUp === undefined;
}

/** What lets the first write of its sort through alone. */
interface Gates {
  readonly languages: LanguageGate;
  readonly removals: RemovalGate;
}

interface SkipContext {
  readonly needs: (change: Change) => readonly Key[];
  readonly results: ReadonlyMap<Key, Result>;
  readonly run: Run;
}

function reasonToSkip(change: Change, { needs, results, run }: SkipContext): string | undefined {
  if (run.signal?.aborted === true) return 'interrupted before it was sent';
  const stopped = stopWords(run);
  if (stopped !== undefined) return stopped;
  if (change.action === 'delete') return heldDelete(change, results, run);
  const missing = needs(change).find((key) => {
    const outcome = results.get(key)?.outcome;
    return outcome !== undefined && outcome !== 'done' && !run.ids.has(familyOf(key));
  });
  return missing === undefined ? undefined : `not sent, because ${missing} was not created`;
}

/**
 * Why a delete has to wait, if so. While a write failed or is open, nothing is deleted, because what it was to show may be what the
 * deletes stand on. A delete that failed, or whose record was kept, holds what it belongs to: its original, and the categories
 * and tags that it may be in. One whose end is unclear holds all: the service is not to be relied on then.
 */
function heldDelete(change: Change, results: ReadonlyMap<Key, Result>, run: Run): string | undefined {
  if (change.action !== 'delete') return undefined;
  const open = [...results.values()].filter(({ outcome }) => outcome !== 'done');
  if (open.some(({ action, outcome }) => action !== 'delete' || outcome === 'pending'))
    return 'nothing is deleted while other changes are open or failed';
  if (!isOriginal(change.key, run.desired)) return undefined;
  const holder = open.find(({ key }) => familyOf(key) === familyOf(change.key) || mayName(key, change, run));
  return holder === undefined ? undefined : `kept: ${holder.key} stays, and it belongs to this record`;
}

/** Whether a record that stays may be in a category, or have a tag: as it was read, else as the last sync left it. */
function mayName(key: Key, { kind, key: target }: Change, run: Run): boolean {
  const id = run.ids.get(familyOf(target));
  const side = run.input.remote.get(key);
  const base = run.records.get(key);
  return referenceFieldsOf(kindOf(key)).some(({ name, of }) => {
    if (of !== kind) return false;
    const shown = side?.state === 'known' ? side.record.fields[name] : undefined;
    const values = [shown, base?.sent[name], base?.observed?.[name]].filter((value) => value !== undefined);
    return id === undefined || values.length === 0 || values.some((value) => includes(value, id));
  });
}

function includes(value: BaseValue, id: string): boolean {
  return isDigest(value) || (isList(value) ? value.includes(id) : value === id);
}

/**
 * A read beside a write may fail for good (interrupt, revoked key): then nobody knows what became of the change, and
 * nothing more is sent.
 */
async function carryOut(change: Change, run: Run, gates: Gates): Promise<Result | Unnamed> {
  try {
    return await written(change, run, gates);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    run.stop ??= error.message;
    return resultOf(change, 'pending', error.message);
  }
}

async function written(change: Change, run: Run, { languages, removals }: Gates): Promise<Result | Unnamed> {
  if (change.action === 'delete') return removals(change, () => deleteRecord(change, run));
  if (change.action === 'create' && isOriginal(change.key, run.desired)) return createOriginal(change, run);
  if (isOriginal(change.key, run.desired)) return writeEdit(change, run);
  return languages(change, () => writeEdit(change, run));
}
