import { plainText, knowledgeOf } from '../knowledge.ts';
import type { KnowledgeRow } from '../knowledge.ts';
import { desiredState } from '../desired.ts';
import { createRig } from '../rig.ts';
import type { Rig } from '../rig.ts';
import type { DesiredState } from '../../../src/model/record.ts';
import { bodyFieldOf, nameFieldOf } from '../../../src/model/fields.ts';
import type { Fields } from '../../../src/model/fields.ts';
import type { SyncPolicy, SyncReport } from '../../../src/sync/report.ts';
import { createHand } from './hand.ts';
import type { Hand } from './hand.ts';
import { oddService } from './odd-services.ts';
import type { Files, Step } from './scenarios.ts';
import type { Oddity } from './seam.ts';

export interface Play {
  /** `ok`, or what stands open after the last step, in codes; `+1` for each run more than one that it took to get there. */
  readonly end: string;
  /** What the last run said of what it did not do, ids left out. */
  readonly says: readonly string[];
  /** What must never happen. */
  readonly violations: readonly string[];
}

const RUNS_MAX = 6;
const PAUSE_MS = 61_000;

/** Plays a scenario against an odd service; after every run the model looks at the service's own tables. */
export async function play(
  oddities: readonly Oddity[],
  steps: readonly Step[],
  policy: Partial<SyncPolicy> = {},
): Promise<Play> {
  const rig = await createRig({ languages: ['en', 'fr', 'de'] });
  try {
    const harm: string[] = [];
    const hand = createHand(rig);
    await hand.create('team');
    rig.wrap = oddService(oddities, { now: rig.clock.now, harm });
    const stage: Stage = { rig, hand, policy, violations: [] };
    let last: Quiet = { end: '', says: [] };
    for (const step of steps) {
      if ('sync' in step) last = await untilQuiet(step.sync, step.policy ?? {}, stage);
      else if ('edit' in step) await step.edit(hand);
      else rig.forget();
      rig.clock.advance(PAUSE_MS);
    }
    return { ...last, violations: [...stage.violations, ...harm] };
  } finally {
    await rig.close();
  }
}

interface Stage {
  readonly rig: Rig;
  readonly hand: Hand;
  readonly policy: Partial<SyncPolicy>;
  readonly violations: string[];
}

type Quiet = Pick<Play, 'end' | 'says'>;

/** Runs, with a pause between, until a run finds what the one before it found and changes nothing. */
async function untilQuiet(files: Files, stepPolicy: Partial<SyncPolicy>, stage: Stage): Promise<Quiet> {
  const { rig } = stage;
  const desired = desiredState(files);
  const policy = { ...stage.policy, ...stepPolicy };
  let codes: string | undefined;
  for (let run = 0; run < RUNS_MAX; run += 1) {
    const before = await knowledgeOf(rig.store);
    const sent = rig.sent.length;
    const report = await rig.sync(desired, policy);
    const after = await knowledgeOf(rig.store);
    stage.violations.push(
      ...violationsOf({ before, after, desired, report, prune: policy.prune === true }, stage.hand),
    );
    const now = codesOf(report);
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    const writes = rig.sent.slice(sent).filter(({ method }) => method !== 'GET').length;
    if (codes === now && isSame && (now !== 'ok' || writes === 0)) {
      return { end: `${now}${run > 1 ? ` +${run - 1}` : ''}`, says: saysOf(report) };
    }
    codes = now;
    rig.clock.advance(PAUSE_MS);
  }
  return { end: `restless: ${codes ?? ''}`, says: [] };
}

/** What the exit code is made of. */
export function codesOf({ plan, results }: SyncReport): string {
  const codes = [
    ...plan.conflicts.map(({ code }) => `conflict:${code}`),
    ...plan.drift.flatMap(({ fields }) => fields.map(({ field }) => `drift:${field}`)),
    ...plan.blocked.map(({ reason }) => `blocked:${reason}`),
    ...plan.refusals.map(({ code }) => `refused:${code}`),
    ...plan.kept.map(({ reason }) => `kept:${reason}`),
    ...results.filter(({ outcome }) => outcome !== 'done').map(({ outcome }) => outcome),
  ];
  return codes.length === 0 ? 'ok' : [...new Set(codes)].sort().join(' ');
}

function saysOf({ plan, results }: SyncReport): readonly string[] {
  const all = [
    ...plan.blocked.map(({ key, message }) => `${key}: ${message}`),
    ...plan.refusals.map(({ message, flag }) => `${message} (${flag ?? 'no flag'})`),
    ...results.filter(({ outcome }) => outcome !== 'done').map(({ key, message }) => `${key}: ${message}`),
  ];
  return all.map((text) =>
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, 'ID')
      .replaceAll(/a%2Fb[^ /:)?]*|a\/b c\?ü%2F-\d+/g, 'ID')
      .replaceAll(/(\(ids?|record) \d+(, \d+)*/g, '$1 ID'),
  );
}

/** One run, between two looks at the service's tables; no report: it threw. */
export interface PlayedRun {
  readonly before: readonly KnowledgeRow[];
  readonly after: readonly KnowledgeRow[];
  readonly desired: DesiredState;
  readonly report: SyncReport | undefined;
  readonly prune: boolean;
}

type ToldRun = PlayedRun & { readonly report: SyncReport };

/** Doubles, losses and untruths. */
export function violationsOf(run: PlayedRun, hand: Hand): readonly string[] {
  const { report, ...rest } = run;
  const told = report === undefined ? [] : [{ ...rest, report }];
  return [
    ...doubles(run),
    ...losses(run, hand),
    ...told.flatMap((each) => [...untruths(each), ...ownCalledForeign(each)]),
  ];
}

function whoOf({ name }: KnowledgeRow): string {
  return name.split(' ')[0] ?? '';
}

function doubles({ after }: PlayedRun): readonly string[] {
  const seen = new Set<string>();
  return after.flatMap((row) => {
    const mark = `${row.kind} ${row.lang} ${whoOf(row)}`;
    if (seen.has(mark)) return [`duplicate: ${mark}`];
    seen.add(mark);
    return [];
  });
}

/** Records that went although their file is there or nobody asked, were turned into another, or lost an editor's words. */
function losses({ before, after, desired, prune }: PlayedRun, hand: Hand): readonly string[] {
  const wanted = new Set(
    [...desired.records.values()].map(
      ({ kind, lang, fields }) => `${kind} ${lang} ${String(fields[nameFieldOf(kind)]).split(' ')[0]}`,
    ),
  );
  const now = new Map(after.map((row) => [`${row.kind} ${row.id}`, row]));
  return before.flatMap((row) => {
    const left = now.get(`${row.kind} ${row.id}`);
    const what = `${row.kind} ${row.lang} ${row.name}`;
    if (left === undefined) {
      const mayGo = prune && !hand.own.has(row.id) && !wanted.has(`${row.kind} ${row.lang} ${whoOf(row)}`);
      return mayGo ? [] : [`deleted: ${what}`];
    }
    if (whoOf(left) !== whoOf(row)) return [`overwritten: ${what} is now ${left.name}`];
    if (hand.own.has(row.id) && left.all !== row.all) return [`changed: ${what} is an editor's`];
    const mark = hand.marks.get(row.id);
    return mark === undefined || `${left.name} ${left.text}`.includes(mark)
      ? []
      : [`lost: "${mark}" in ${what}`];
  });
}

/** A run that says it is done, or that one record is done, and is not. */
function untruths({ after, desired, report }: ToldRun): readonly string[] {
  const { plan, results } = report;
  const open = new Set<string>([
    ...plan.conflicts.map(({ key }) => key),
    ...plan.drift.map(({ key }) => key),
    ...plan.blocked.map(({ key }) => key),
    ...plan.changes.map(({ key }) => key),
  ]);
  for (const { key, outcome } of results) if (outcome === 'done') open.delete(key);
  for (const { key } of plan.drift) open.add(key);
  if (plan.refusals.length > 0) return [];
  return [...desired.records.values()].flatMap((record) => {
    if (open.has(record.key)) return [];
    const { kind, lang, fields, body, key } = record;
    const name = String(fields[nameFieldOf(kind)]);
    const row = after.find((each) => each.kind === kind && each.lang === lang && each.name === name);
    if (row === undefined) return [`untrue: ${key} is not there under its name ${name}`];
    const text = body === undefined ? '' : plainText(body.render());
    const wrong = [
      ...(row.slug === fields['slug'] ? [] : [`slug ${row.slug}`]),
      ...(fields[bodyFieldOf(kind)] === undefined && body === undefined
        ? []
        : row.text === text
          ? []
          : [`text ${row.text}`]),
      ...(fields['status'] === undefined || fields['status'] === row.status ? [] : [`status ${row.status}`]),
      ...refsWrong(record.fields, row),
    ];
    return wrong.map((each) => `untrue: ${key} has ${each}`);
  });
}

/** Records of ours, translations among them, that the run calls unmanaged. */
function ownCalledForeign({ desired, report }: ToldRun): readonly string[] {
  const open = new Set<string>([...report.plan.blocked, ...report.plan.changes].map(({ key }) => key));
  const names = new Set(
    [...desired.records.values()]
      .filter(({ key }) => !open.has(key))
      .map(({ kind, fields }) => `${kind} ${String(fields[nameFieldOf(kind)])}`),
  );
  return report.plan.unmanaged
    .filter(({ kind, name }) => names.has(`${kind} ${name}`))
    .map(({ name }) => `untrue: ${name} is called unmanaged`);
}

/** Names of referenced records begin with the last segment of their key. */
function refsWrong(fields: Fields, row: KnowledgeRow): readonly string[] {
  const wanted = ['categories', 'tags', 'categoryParent'].flatMap((name) => fields[name] ?? []).map(String);
  if (wanted.length === 0) return [];
  const names = wanted.map((ref) => `${ref.split('/').at(-1)}.en`).sort();
  const shown = row.refs.filter((name) => names.includes(name));
  return shown.length === names.length ? [] : [`references ${row.refs.join(', ')}`];
}
