import type { Key } from '../../src/model/key.ts';
import { keyIn, kindOf } from '../../src/model/key.ts';
import type { Family } from '../../src/model/key.ts';
import type { DesiredRecord, DesiredState } from '../../src/model/record.ts';
import { referencesOf } from '../../src/plan/compare.ts';
import type { SyncReport } from '../../src/sync/report.ts';
import { EDITOR } from './editor.ts';
import type { Model, RunContext } from './model.ts';
import { bodyTextOf, bodyTextOfDesired, uidOfDesired } from './row-text.ts';
import type { Personality, Row, SimService } from './service.ts';
import { idsIn } from './service.ts';

interface Witnesses {
  readonly service: SimService;
  readonly model: Model;
  readonly personality: Personality;
  /** What the state says of a record. */
  readonly idOf: (key: Key) => string | undefined;
}

/** What a report says must be so on the service (I2, I11), and the guards of deletes must have held (I4, I14). */
export function checkReport(report: SyncReport, run: RunContext, witnesses: Witnesses): void {
  const { model } = witnesses;
  const violate = (invariant: string, what: string): void => {
    model.violations.push(`${invariant}: ${run.process}: ${what}`);
  };
  checkDeletes(report, run, violate);
  const { plan, results } = report;
  if (plan.refusals.length > 0) {
    if (results.length > 0) violate('I14', 'a refused plan was carried out');
    return;
  }
  for (const { key, action, outcome } of results) {
    const record = run.desired.records.get(key);
    if (action !== 'create' || outcome !== 'done' || record?.isOriginal !== true) continue;
    if (!model.wasMade(uidOfDesired(record))) violate('I2', `${key} is called created, but never was`);
  }
  if (run.isDisturbed) return;
  for (const { key, message, outcome } of results) {
    const isOurFault = /reference|cycle/.test(message) && outcome === 'failed' && message.includes('(422)');
    // Another machine moved a category below one that this one moves below it, and drift stays as it is (8.6).
    const isCrossed = message.includes('a cycle') && hasParentFromElsewhere(report, run.desired, witnesses);
    if (isOurFault && !isCrossed && !model.hasEditor())
      violate('I13', `${key} broke a reference: ${message}`);
  }
  if (model.isLenient()) return;
  const { languages, only } = run.policy;
  // What stands undisputed is left as it is, in sync or not.
  if (only?.what === 'disputes') return;
  const isSelected = (lang: string): boolean => languages?.includes(lang) !== false;
  const areTargetsInStep =
    run.looked === undefined &&
    [...run.desired.records.values()].every(
      ({ kind, key, lang }) => kind === 'article' || (isSelected(lang) && !isOpen(key, report)),
    );
  for (const record of run.desired.records.values()) {
    if (isOpen(record.key, report)) continue;
    // Where files are watched, one that says the same as before is not asked after.
    if (run.looked !== undefined && !results.some(({ key }) => key === record.key)) continue;
    if (!isSelected(record.lang)) continue;
    const wrong = differenceFrom(record, run.desired, witnesses, areTargetsInStep);
    if (wrong !== undefined) violate('I2', `${record.key} is called in sync, but ${wrong}`);
  }
}

function checkDeletes(
  { plan, results }: SyncReport,
  run: RunContext,
  violate: (invariant: string, what: string) => void,
): void {
  if (run.deletes === 0) return;
  // A slug that somebody edited meanwhile, or a translation whose article somebody deleted, is found by reading back, after
  // the deletes.
  const open = results.filter(
    ({ action, outcome, message }) =>
      action !== 'delete' &&
      outcome !== 'done' &&
      !/(?:stored|shows) the slug|shows no translation/.test(message),
  );
  if (open.length > 0) violate('I4', `deleted although ${open[0]?.key} is ${open[0]?.outcome}`);
  if (plan.conflicts.length > 0) violate('I4', `deleted beside the conflict of ${plan.conflicts[0]?.key}`);
  // A value that the service keeps for all languages at once stays so from run to run: it holds up no delete.
  const blocked = plan.blocked.find(({ reason }) => reason !== 'original-missing' && reason !== 'shared');
  if (blocked !== undefined) violate('I4', `deleted beside the blocked ${blocked.key}`);
  const limit = Math.max(10, Math.floor(run.managed / 5));
  if (run.deletes > limit) violate('I14', `${run.deletes} deletes of ${run.managed} records`);
  const moved = plan.learnt.filter(({ how }) => how === 'moved').length;
  const gone = run.gone - moved;
  if (run.managed >= 10 && gone * 2 > run.managed)
    violate('I14', `deleted although ${gone} of ${run.managed} files were gone`);
}

/** Whether another machine wrote a category: its parent is shown as drift, or no list shows that (8.3). */
function hasParentFromElsewhere(
  { plan }: SyncReport,
  desired: DesiredState,
  { model, idOf }: Witnesses,
): boolean {
  const isDrift = (key: Key): boolean =>
    plan.drift.some(
      (each) => each.key === key && each.fields.some(({ field }) => field === 'categoryParent'),
    );
  return [...desired.records.values()].some(({ kind, key }) => {
    const id = kind === 'category' ? idOf(key) : undefined;
    if (id === undefined) return false;
    return model.isWrittenElsewhere(id, 'unseen') || (isDrift(key) && model.isWrittenElsewhere(id));
  });
}

/** Whether the report says that this record is not, or may not be, as the file says. */
export function isOpen(key: Key, { plan, results }: SyncReport): boolean {
  return (
    plan.conflicts.some((each) => each.key === key) ||
    plan.drift.some((each) => each.key === key) ||
    plan.blocked.some((each) => each.key === key) ||
    results.some((each) => each.key === key && each.outcome !== 'done')
  );
}

/** How the service differs from a file, in owned fields; undefined: it does not. */
function differenceFrom(
  record: DesiredRecord,
  desired: DesiredState,
  witnesses: Witnesses,
  withReferences: boolean,
): string | undefined {
  const { service, model, idOf } = witnesses;
  const lang = record.isOriginal ? null : record.lang;
  const ours = idOf(record.key);
  // Another machine edited it where no list shows it (8.3, 8.6).
  const own = record.isOriginal ? ours : service.translation(ours ?? '', record.lang)?.id;
  if (own !== undefined && model.isWrittenElsewhere(own, 'unseen')) return undefined;
  const rows = [...service.rows.values()].filter(
    ({ kind, lang: of, fields }) =>
      kind === record.kind && of === lang && fields['slug'] === record.fields['slug'],
  );
  if (rows.length === 0) {
    // A record whose slug was edited where no list shows it.
    const isHidden = [...model.hidden].some((id) => service.rows.get(id)?.kind === record.kind);
    return isHidden ? undefined : `no ${record.kind} has the slug ${String(record.fields['slug'])}`;
  }
  // Ours was edited where no list shows it, and somebody else's record has taken the slug since.
  if (
    (model.isHidden(uidOfDesired(record)) || (record.isOriginal && model.hidden.has(ours ?? ''))) &&
    rows.every(({ id, author }) => author === EDITOR && id !== ours)
  )
    return undefined;
  const wrong = rows.map((row) =>
    model.hidden.has(row.id)
      ? undefined
      : (differenceOfFields(row, record) ??
        (withReferences ? differenceOfReferences(row, record, desired, service) : undefined)),
  );
  return wrong.includes(undefined) ? undefined : wrong[0];
}

function differenceOfFields(row: Row, record: DesiredRecord): string | undefined {
  for (const [name, value] of Object.entries(record.fields)) {
    if (['categories', 'tags', 'categoryParent'].includes(name)) continue;
    const field = name === 'description' && record.kind === 'category' ? bodyTextOf(row) : row.fields[name];
    if (field !== value) return `${name} of ${row.id} is ${String(field)} instead of ${String(value)}`;
  }
  if (record.body !== undefined && bodyTextOf(row) !== bodyTextOfDesired(record))
    return `the text of ${row.id} is ${bodyTextOf(row)} instead of ${bodyTextOfDesired(record)}`;
  return undefined;
}

function differenceOfReferences(
  row: Row,
  record: DesiredRecord,
  desired: DesiredState,
  service: SimService,
): string | undefined {
  const { fields } = row;
  const parent = fields['categoryParent'];
  const ids = [
    ...idsIn(fields['categories']),
    ...idsIn(fields['tags']),
    ...(typeof parent === 'string' ? [parent] : []),
  ];
  const shown = ids.map((id) => String(service.rows.get(id)?.fields['slug'])).sort();
  const wanted = referencesOf(record)
    .map((family) => slugOf(family, desired))
    .sort();
  const owned = Object.keys(record.fields).some((name) =>
    ['categories', 'tags', 'categoryParent'].includes(name),
  );
  if (owned && shown.every(isOfFiles) && JSON.stringify(shown) !== JSON.stringify(wanted))
    return `${row.id} is filed under ${shown.join(', ')} instead of ${wanted.join(', ')}`;
  return undefined;

  /** A category whose own slug was edited on the service is another matter. */
  function isOfFiles(slug: string): boolean {
    return [...desired.records.values()].some(
      ({ kind, fields }) => kind !== 'article' && fields['slug'] === slug,
    );
  }
}

function slugOf(family: Family, desired: DesiredState): string {
  const record = desired.records.get(keyIn(family, desired.defaultLanguage));
  return String(record?.fields['slug'] ?? kindOf(family));
}
