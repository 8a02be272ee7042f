import type { Change, Plan, PlanSummary } from '../../plan/plan.ts';
import type { Result, SyncReport } from '../../sync/report.ts';
import type { SyncSummary } from '../../model/sync-summary.ts';
import type { PlanContext } from './plan/context.ts';
import { releasedIn } from './plan/notes.ts';
import { findingSentence, type Finding } from './problems.ts';

/** Readers ignore names they do not know and refuse a format they do not know. */
export const JSON_FORMAT = 1;

export interface ProblemJson {
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
}

/** `check --json` */
export function checkDocument(findings: readonly Finding[], counts: { files: number; languages: number }) {
  return {
    format: JSON_FORMAT,
    problems: findings.map(problemJson),
    summary: { ...counts, problem: findings.length },
  };
}

/** `plan --json`. Long texts appear as `{digest}`, references as ids, or `new:<family>` for records yet to be made. */
export function planDocument(plan: Plan, findings: readonly Finding[], requests: number) {
  return {
    format: JSON_FORMAT,
    ...planParts(plan, findings),
    summary: planSummary(plan, findings),
    requests,
  };
}

/** `sync --json` and `apply --json` */
export function syncDocument(report: SyncReport, findings: readonly Finding[]) {
  return {
    format: JSON_FORMAT,
    ...planParts(report.plan, findings),
    lost: report.lost,
    results: report.results.map(resultJson),
    summary: report.summary,
    filesSent: report.filesSent,
    ...(report.redirects === undefined ? {} : { redirectsEnd: report.redirects }),
    requests: report.requests,
    durationMs: Math.round(report.durationMs),
    interrupted: report.interrupted,
  };
}

/** The same shapes when errors in the content stopped the run before the first request. */
export function stoppedDocument(command: 'plan' | 'sync', findings: readonly Finding[]) {
  const summary: PlanSummary = {
    create: 0,
    update: 0,
    delete: 0,
    unchanged: 0,
    conflict: 0,
    drift: 0,
    unmanaged: 0,
    problem: findings.length,
  };
  const nothing: SyncSummary = {
    created: 0,
    updated: 0,
    deleted: 0,
    unchanged: 0,
    conflict: 0,
    drift: 0,
    failed: 0,
    pending: 0,
    skipped: 0,
  };
  const parts = { changes: [], conflicts: [], drift: [], unmanaged: [], problems: findings.map(problemJson) };
  return command === 'plan'
    ? { format: JSON_FORMAT, ...parts, summary, requests: 0 }
    : { format: JSON_FORMAT, ...parts, results: [], summary: nothing, requests: 0 };
}

/** Any command that failed. */
export function failureDocument(
  failure: { readonly code: string; readonly message: string; readonly help?: string },
  findings: readonly Finding[] = [],
) {
  const { code, message, help } = failure;
  return {
    format: JSON_FORMAT,
    error: { code, message, ...(help === undefined ? {} : { help }) },
    ...(findings.length === 0 ? {} : { problems: findings.map(problemJson) }),
  };
}

function planSummary(plan: Plan, findings: readonly Finding[]): PlanSummary {
  const count = (action: Change['action']): number =>
    plan.changes.filter((change) => change.action === action).length;
  return {
    create: count('create'),
    update: count('update'),
    delete: count('delete'),
    unchanged: plan.unchanged,
    conflict: plan.conflicts.length,
    drift: plan.drift.length,
    unmanaged: plan.unmanaged.length,
    problem: findings.length,
  };
}

function planParts(plan: Plan, findings: readonly Finding[]) {
  return {
    changes: plan.changes.map(changeJson),
    conflicts: plan.conflicts,
    drift: plan.drift,
    unmanaged: plan.unmanaged,
    kept: plan.kept,
    holds: plan.holds,
    excluded: plan.excluded,
    files: plan.files,
    unmatched: plan.unmatched,
    ...redirectsJson(plan),
    moved: movesIn(plan),
    released: releasedIn(plan),
    scheduled: plan.scheduled,
    blocked: plan.blocked,
    refusals: plan.refusals,
    labels: plan.labels,
    problems: findings.map(problemJson),
  };
}

function redirectsJson({ redirects }: Plan) {
  if (redirects === undefined) return {};
  const { tag: _, lines: __, ...shown } = redirects;
  return { redirects: { ...shown, repository: shown.repository ?? null } };
}

function movesIn({ learnt }: Plan) {
  return learnt.flatMap((each) =>
    each.how === 'moved' && each.from !== undefined ? [{ from: each.from, to: each.record.key }] : [],
  );
}

function changeJson({ action, kind, key, lang, slug, id, fields }: Change) {
  return { action, kind, key, lang, slug, ...(id === undefined ? {} : { id }), fields };
}

function resultJson({ key, lang, action, outcome, message }: Result) {
  return { key, lang, action, outcome, message };
}

export function problemJson(finding: Finding): ProblemJson {
  const { code, at, severity } = finding;
  return {
    code,
    message: findingSentence(finding),
    file: at.file,
    line: at.line,
    column: at.column,
    severity,
  };
}

/** What a partial run was about; nothing of a run that is about all. */
export function partialJson({ partial }: Pick<PlanContext, 'partial'>) {
  if (partial === undefined) return {};
  const { keys, needed, of } = partial;
  return { partial: { records: keys.size, of, needed } };
}
