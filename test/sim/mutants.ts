import type { Climate } from './life.ts';
import type { Personality } from './service.ts';

/** A guard that is taken out of a copy of the sources, and the weather in which the simulation must notice. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Occurs once in the file; a test fails when it no longer does. */
  readonly find: string;
  readonly replace: string;
  readonly climate?: Partial<Climate>;
  /** A crash scenario that notices, where chance would take long to come by it. */
  readonly scenario?: string;
  /** Power cuts after a save notice it: what comes of it later, the engine finds out again. */
  readonly byPowerCuts?: true;
  readonly personality?: Partial<Personality>;
}

const STORMY: Partial<Climate> = { faults: 0.2, crashes: 0.3, editor: 0, secondClient: 0 };
const CROWDED: Partial<Climate> = { faults: 0, crashes: 0, editor: 0.3, secondClient: 0, choices: 0 };
const DEADLY: Partial<Climate> = { faults: 0, crashes: 0.9, editor: 0, secondClient: 0 };
/** Runs that die before authors take back what they did. */
const FORGETFUL: Partial<Climate> = { ...DEADLY, habits: 0.6 };
const PRUNING: Partial<Climate> = { prune: 1, secondClient: 0, choices: 0 };
const PLAIN: Partial<Personality> = { headers: false };
const LENIENT: Partial<Personality> = { headers: false, slugs: 'accept-doubles' };

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a lost create is not waited for',
    file: 'sync/survey/pending.ts',
    find: 'export const LATE_MS = 60_000;',
    replace: 'export const LATE_MS = 0;',
    climate: STORMY,
    personality: LENIENT,
  },
  {
    name: 'a create without a clear answer is sent again',
    file: 'remote/http/retry.ts',
    find: "return effect === 'read';",
    replace: 'return true;',
    climate: STORMY,
    personality: LENIENT,
  },
  {
    name: 'a create without a clear answer counts as refused',
    file: 'sync/apply/write/create.ts',
    find: "return code === 'unclear' || code === 'not-understood';",
    replace: "return code === 'aborted';",
    climate: STORMY,
    personality: LENIENT,
  },
  {
    name: 'no intent is journalled before a create',
    file: 'base/journal/journal.ts',
    find: "await add({ do: 'intend', intent }, true);",
    replace: '',
    climate: { ...STORMY, crashes: 0.9 },
    personality: LENIENT,
  },
  {
    name: 'an edit stands on the read of the plan, however old',
    file: 'sync/run.ts',
    find: 'export const READ_AGE_MAX_MS = 2000;',
    replace: 'export const READ_AGE_MAX_MS = 1e9;',
    climate: CROWDED,
    personality: PLAIN,
  },
  {
    name: 'If-Match is not sent',
    file: 'remote/writing/writes.ts',
    find: "...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),",
    replace: '',
    climate: CROWDED,
    personality: { headers: true },
  },
  {
    name: 'a translation that somebody made meanwhile is overwritten',
    file: 'remote/writing/writes.ts',
    find: "...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),",
    replace: '',
    climate: CROWDED,
    personality: { headers: true },
  },
  {
    name: 'a conflict does not stop its record',
    file: 'plan/reconcile.ts',
    find: "if (choices.onConflict === 'fail') {",
    replace: "if (choices.onConflict === 'fail') conflict.splice(0); else if (conflict.length < 0) {",
    climate: CROWDED,
  },
  {
    name: 'drift is not told',
    file: 'plan/field-standing.ts',
    find: "return isOurs ? 'theirs' : 'both';",
    replace: "return isOurs ? 'same' : 'both';",
    climate: CROWDED,
  },
  {
    name: 'records without a file are deleted without --prune',
    file: 'plan/deletes.ts',
    find: "else if (!asksDeletes(input)) keep('no-prune');",
    replace: '',
    climate: { ...DEADLY, crashes: 0, prune: 0 },
  },
  {
    name: 'deletes are planned beside open questions',
    file: 'plan/deletes.ts',
    find: 'const isClear = open.length === 0;',
    replace: 'const isClear = true;',
    climate: { ...CROWDED, ...PRUNING },
  },
  {
    name: 'deletes go on after failures',
    file: 'sync/apply/apply.ts',
    find: "if (change.action === 'delete') return heldDelete(change, results, run);",
    replace: "if (change.action === 'delete') return undefined;",
    climate: { ...STORMY, ...PRUNING },
  },
  {
    name: 'a record that was edited on the service is deleted with its file',
    file: 'plan/reconcile.ts',
    find: "if (edited.length === 0) return { verdict: 'delete' };",
    replace: "if (edited.length >= 0) return { verdict: 'delete' };",
    climate: { ...CROWDED, ...PRUNING },
  },
  {
    name: 'no pre-image is kept',
    file: 'sync/apply/write/delete.ts',
    find: 'await run.saveTrash(change.key, record);',
    replace: '',
    climate: { ...DEADLY, crashes: 0, ...PRUNING },
  },
  {
    name: 'the number of deletes has no limit',
    file: 'plan/making/guard.ts',
    find: 'if (deletes <= limit) return undefined;',
    replace: 'if (deletes >= 0) return undefined;',
    climate: { faults: 0, crashes: 0, editor: 0, secondClient: 0, prune: 1, exodus: 1 },
  },
  {
    name: 'a folder that has lost most files is believed',
    file: 'plan/making/guard.ts',
    find: "if (managed === 0 || allow.has('vanished')) return undefined;",
    replace: 'if (managed >= 0) return undefined;',
    climate: { faults: 0, crashes: 0, editor: 0, secondClient: 0, prune: 1, exodus: 1 },
  },
  {
    name: 'a renamed file is a delete and a create',
    file: 'plan/moves.ts',
    find: 'if (target.size === 0) return { base, moves: [] };',
    replace: 'if (target.size >= 0) return { base, moves: [] };',
    climate: { faults: 0, crashes: 0, editor: 0, secondClient: 0 },
  },
  {
    name: 'the order of writes is left to chance',
    file: 'plan/making/order.ts',
    find: '1 + Math.max(-1, ...before.map((needed) => wave(needed, below)));',
    replace: '0 * before.length * below.size;',
    climate: { faults: 0, crashes: 0, editor: 0, secondClient: 0 },
  },
  {
    name: 'a slug stays out of the way when the files went back',
    file: 'plan/field-standing.ts',
    find: "if (!isOurs || isOutOfTheWay(name, theirs)) return 'ours';",
    replace: "if (!isOurs) return 'ours';",
    climate: FORGETFUL,
  },
  {
    name: 'slugs are not freed',
    file: 'sync/apply/apply.ts',
    find: 'for (const key of freed) await freeSlugOf(key, plan, run);',
    replace: '',
    climate: { faults: 0, crashes: 0, editor: 0, secondClient: 0 },
    personality: { slugs: 'refuse-doubles' },
  },
  {
    name: 'a new record of somebody else is taken for ours',
    file: 'sync/apply/learn-ids.ts',
    find: '({ record }: Candidate): boolean => hasOurText(record, one, run);',
    replace: '(_: Candidate): boolean => true;',
    climate: { ...CROWDED, faults: 0.2 },
    personality: LENIENT,
  },
  {
    name: "an editor's words are taken for the service's spelling",
    file: 'sync/apply/read-back/learn-habits.ts',
    find: 'else foreign[name] = ours;',
    replace: 'else made[name] = ours;',
    climate: CROWDED,
    personality: PLAIN,
  },
  {
    name: 'a gap between the dates of our writes is not looked at',
    file: 'sync/apply/write/dates.ts',
    find: 'const index = open.findIndex(({ previousEdited }) => previousEdited === at);',
    replace: 'const index = open.length - 1;',
    climate: CROWDED,
    personality: { headers: true, html: 'keep' },
  },
  {
    name: 'a list fingerprint is kept whatever the run has left open',
    file: 'plan/making/make-plan.ts',
    find: 'if (!STEADY.has(decision.verdict)) collected.unsteady.add(family);',
    replace: '',
    climate: CROWDED,
  },
  {
    name: 'the state file is replaced without being durable',
    file: 'base/disk/disk.ts',
    find: 'await disk.syncDirectory(directory);',
    replace: '',
    byPowerCuts: true,
  },
  {
    name: 'a record keeps both its keys after a rename that died',
    file: 'sync/survey/consistent-base.ts',
    find: ' || owners.get(addressOf(key, id)) !== key',
    replace: '',
    scenario: 'a file is renamed',
  },
];
