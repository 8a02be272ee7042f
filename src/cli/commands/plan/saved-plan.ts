import { z } from 'zod';
import type { Key } from '../../../model/key.ts';
import type { Plan } from '../../../plan/plan.ts';
import type { SyncPolicy } from '../../../sync/report.ts';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import { redirectCount } from '../../print/plan/redirects.ts';
import { digestOfText } from '../../../model/digest.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { ALLOWANCES, DRIFT_CHOICES, TAKEN_SIDES, type PlanPolicy } from '../../../plan/policy.ts';

const schema = z.looseObject({
  kbsync: z.literal('plan'),
  format: z.literal(JSON_FORMAT),
  origin: z.string(),
  policy: z.strictObject({
    prune: z.boolean(),
    maxDelete: z.number().nullable(),
    onConflict: z.enum(TAKEN_SIDES),
    onDrift: z.enum(DRIFT_CHOICES),
    adopt: z.enum(TAKEN_SIDES),
    allow: z.array(z.enum(ALLOWANCES)),
    languages: z.array(z.string()).nullable(),
    /** Of a partial plan: its records. */
    only: z.array(z.string()).optional(),
  }),
  steps: z.record(z.string(), z.string()),
});

/** A plan on disk: what was looked at, with which policy, and one line per record that tells whether it is the same. */
export type SavedPlan = z.infer<typeof schema>;

export function savedPlanText(plan: Plan, origin: string, policy: SyncPolicy, document: object): string {
  const head = {
    kbsync: 'plan',
    format: JSON_FORMAT,
    origin,
    policy: savedPolicy(policy),
    steps: stepsOf(plan),
  };
  return `${JSON.stringify({ ...document, ...head }, undefined, 2)}\n`;
}

/** @throws SetupError when the text is no saved plan of a format we know */
export function parseSavedPlan(text: string, file: string): SavedPlan {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new SetupError('usage', `${visible(file)} is not a saved plan: it is not JSON`, {
      help: HELP,
      cause,
    });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const place = parsed.error.issues[0]?.path.join('.') ?? '';
  const why = place === '' ? '' : `: \`${visible(place)}\` is missing, or is not what a plan has there`;
  throw new SetupError('usage', `${visible(file)} is not a saved plan${why}`, { help: HELP });
}

/** The policy that the plan was made with: no other may carry it out. */
export function policyOfSaved({ policy }: SavedPlan): PlanPolicy {
  const { maxDelete, allow, languages, only, ...choices } = policy;
  // The keys of a plan that this kbsync wrote; what is none is no record's.
  const part = only === undefined ? {} : { only: { keys: new Set(only as Key[]), what: 'part' as const } };
  return {
    ...choices,
    ...part,
    maxDelete: maxDelete ?? undefined,
    allow: new Set(allow),
    languages: languages ?? undefined,
  };
}

function savedPolicy(policy: SyncPolicy): SavedPlan['policy'] {
  const { prune, maxDelete = null, onConflict, onDrift, adopt, allow, languages, only } = policy;
  return {
    prune,
    maxDelete,
    onConflict,
    onDrift,
    adopt,
    allow: [...allow].sort(),
    languages: languages === undefined ? null : [...languages],
    ...(only === undefined ? {} : { only: [...only.keys].sort() }),
  };
}

/** What became different since the plan was saved, one line a record; empty when it is the same plan. */
export function planDifferences(saved: SavedPlan, plan: Plan): readonly string[] {
  const now = stepsOf(plan);
  const keys = [...new Set([...Object.keys(saved.steps), ...Object.keys(now)])].sort();
  return keys.flatMap((key) => {
    const before = saved.steps[key];
    const after = now[key];
    if (before === after) return [];
    if (after === undefined) return [`${key}  is in sync by now, or blocked`];
    if (before === undefined) return [`${key}  is new in the plan: ${actionOf(after)}`];
    return [
      actionOf(before) === actionOf(after)
        ? `${key}  other values: ${actionOf(after)}`
        : `${key}  ${actionOf(before)} became ${actionOf(after)}`,
    ];
  });
}

const HELP = 'kbsync plan --out plan.json makes one';

/** Bodies and long texts are digests in a plan, so equal lines mean equal writes. */
function stepsOf(plan: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ...plan.changes.map((change) => [
      change.key,
      `${change.action} ${JSON.stringify([change.id ?? null, change.fields.map(({ field, before, after }) => [field, before ?? null, after ?? null])])}`,
    ]),
    ...(redirectCount(plan) === 0
      ? []
      : [['redirects', `send ${digestOfText(JSON.stringify(plan.redirects?.lines))}`]]),
    ...plan.conflicts.map((conflict) => [conflict.key, `conflict ${conflict.code}`]),
  ]);
}

function actionOf(step: string): string {
  return step.slice(0, step.indexOf(' '));
}
