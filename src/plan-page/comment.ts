import type { BaseValue } from '../model/record.ts';
import { familyOf, kindOf, type Family, type Key, type Kind } from '../model/key.ts';
import type { Change, Conflict, Plan } from '../plan/plan.ts';
import { budgeted, cell, code, plain } from './comment-text.ts';
import { redirectWords } from './redirect-words.ts';

export interface PlanMarkdownInput {
  readonly plan: Plan;
  /** Tells the comments of several plans on one pull request apart: `docs`. */
  readonly name: string;
  readonly baseUrl: string;
  /** `2 new, 5 changed, 1 conflict` */
  readonly sum: string;
  readonly resolving: (conflict: Conflict) => string;
  readonly problems: readonly string[];
  /** Translations that say what their original said before. */
  readonly outdated: readonly Key[];
  /** `Commit 3f9c2ab, 10:41 UTC.` */
  readonly facts: string;
}

const TABLE_ROWS = 20;

/**
 * A plan as a comment for a pull request. The first line is a hidden mark by which a later run finds its comment again.
 * A text that would be too long ends after a whole record, and says how many are left out.
 */
export function planMarkdown(input: PlanMarkdownInput): string {
  const { plan, name, baseUrl, sum, facts } = input;
  const host = plain(baseUrl.replace(/^https?:\/\//, ''));
  const redirects = redirectWords(plan, code, REDIRECTS_MAX);
  const isIdle = plan.changes.length === 0 && redirects.length === 0;
  const head = [
    `<!-- kbsync:plan:${name.replaceAll(/[^\w.-]/g, '-')} -->`,
    `### Help centre: ${plain(sum)}`,
    isIdle ? `Merging changes nothing on ${host}.` : `Merging publishes this to ${host}.`,
    '',
  ];
  const refusals = plan.refusals.flatMap(({ message, flag }) => [
    `> **Nothing would be written**: ${plain(message)}${flag === undefined ? '' : ` ${code(flag)}`}`,
    '',
  ]);
  const rows = rowsOf(plan.changes);
  const foot = `<sub>${plain(facts)} Replaced at each push. ${plan.unchanged} unchanged.</sub>`;
  const text = budgeted([...head, ...refusals].join('\n'), { foot, rest: 'kbsync plan --html shows all' });
  for (const conflict of plan.conflicts) text.add(conflictLines(conflict, input.resolving));
  const table = '\n| | record | languages | what |\n|---|---|---|---|';
  if (rows.length > 0) text.add(table);
  for (const row of rows.slice(0, TABLE_ROWS)) text.add(row);
  const rest = rows.slice(TABLE_ROWS);
  const others = [
    ...redirects.map((words) => `- ${words}`),
    ...plan.blocked.map(({ key, message }) => `- waiting: ${code(key)} ${plain(message)}`),
    ...plan.drift.map(
      ({ key, fields }) =>
        `- edited on the site: ${code(key)} ${fields.map(({ field }) => field).join(', ')}`,
    ),
    ...outdatedLines(input.outdated),
    ...plan.kept.map(({ key }) => `- kept, although the file is gone: ${code(key)}`),
    ...input.problems.map((problem) => `- ${plain(problem)}`),
  ];
  const summary = restSum(rest.length, others.length);
  if (summary !== undefined) {
    text.open(`\n<details><summary>${summary}</summary>\n`, '\n</details>');
    if (rest.length > 0) text.add(table);
    for (const row of rest) text.add(row);
    if (others.length > 0) text.add('');
    for (const line of others) text.add(line);
  }
  return text.end();
}

const REDIRECTS_MAX = 20;
const OUTDATED_MAX = 10;

function outdatedLines(keys: readonly Key[]): readonly string[] {
  if (keys.length === 0) return [];
  const named = keys.slice(0, OUTDATED_MAX).map(code).join(', ');
  const rest = keys.length > OUTDATED_MAX ? ` and ${keys.length - OUTDATED_MAX} more` : '';
  const many = keys.length === 1 ? '1 translation' : `${keys.length} translations`;
  return [`- this change makes ${many} stale: ${named}${rest}`];
}

function restSum(rows: number, notes: number): string | undefined {
  const parts = [
    ...(rows === 0 ? [] : [`${rows} more ${rows === 1 ? 'record' : 'records'}`]),
    ...(notes === 0 ? [] : [`${notes} ${notes === 1 ? 'note' : 'notes'}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

function conflictLines(conflict: Conflict, resolving: (conflict: Conflict) => string): string {
  const { key, fields } = conflict;
  const shown = fields.map(({ field, local, remote }) => {
    const values = [short(local), short(remote)];
    return values.includes(undefined)
      ? plain(field)
      : `${plain(field)}: file ${values[0]}, site ${values[1]}`;
  });
  return `> **Conflict** ${code(key)}: ${shown.join('; ')}. Resolve: ${code(resolving(conflict))}\n`;
}

const SIGNS: Readonly<Record<Change['action'], string>> = { create: '+', update: '~', delete: '−' };

/** One row a record, its languages together where the same happens to them. */
function rowsOf(changes: readonly Change[]): readonly string[] {
  const rows = new Map<
    string,
    {
      readonly change: Change;
      readonly langs: string[];
      words: [number, number];
      readonly fields: Set<string>;
    }
  >();
  for (const change of changes) {
    const id = `${change.action} ${familyOf(change.key)}`;
    const row = rows.get(id) ?? { change, langs: [], words: [0, 0], fields: new Set<string>() };
    rows.set(id, row);
    row.langs.push(change.lang);
    for (const { field, words } of change.fields) {
      if (words === undefined) row.fields.add(field);
      else row.words = [row.words[0] + words.added, row.words[1] + words.removed];
    }
  }
  return [...rows.values()].map(({ change, langs, words: [added, removed], fields }) => {
    const text = added + removed === 0 ? [] : [`text +${added} −${removed} words`];
    const what =
      change.action === 'update'
        ? [...text, ...fields].join(', ')
        : { create: 'new', delete: 'deleted' }[change.action];
    return `| ${SIGNS[change.action]} | ${code(shownFamily(familyOf(change.key)))} | ${langs.join(', ')} | ${cell(what)} |`;
  });
}

function shownFamily(family: Family): string {
  const kind: Kind = kindOf(family);
  return kind === 'article' ? family.slice('article/'.length) : family;
}

const SHORT_CHARS = 80;

function short(value: BaseValue | undefined): string | undefined {
  if (value === undefined || (typeof value === 'object' && value !== null)) return undefined;
  const text = String(value);
  return `“${plain(text.length > SHORT_CHARS ? `${text.slice(0, SHORT_CHARS)}…` : text)}”`;
}
