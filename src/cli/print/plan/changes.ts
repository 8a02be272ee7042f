import { largest } from '../../../text/many.ts';
import { visible } from '../../../model/visible.ts';
import { KINDS, parseKey, type Key } from '../../../model/key.ts';
import type { Change, FieldChange, Kept, Plan } from '../../../plan/plan.ts';
import { firstOf, namesText, restLines } from '../terminal/listed.ts';
import { counted } from '../terminal/numbers.ts';
import type { PlanContext } from './context.ts';
import { padTo, widthOf } from '../terminal/text.ts';
import { shownFieldChange, shownValue } from './value.ts';

const SIGNS = { create: '+', update: '~', delete: '-', kept: '-' } as const;
const ACTIONS = ['create', 'update', 'delete', 'kept'] as const;

interface Row {
  readonly action: (typeof ACTIONS)[number];
  readonly key: Key;
  readonly kind: Change['kind'];
  readonly lang: string;
  readonly path: string;
  readonly change?: Change;
  /** Why it stays, of a record whose file is gone. */
  readonly kept?: Kept;
}

export function changeLines(plan: Plan, context: PlanContext): readonly string[] {
  const rows = [
    ...plan.changes.map((change) => rowOf(change.action, change, change)),
    ...plan.kept.map((kept) => ({ ...rowOf('kept', kept), kept })),
  ];
  const known = [...context.languages, ...rows.map((row) => row.lang)];
  const languages = [...new Set(known)].filter((lang) => rows.some((row) => row.lang === lang));
  const widths = rows.map((row) => widthOf(visible(row.path)));
  const pathWidth = Math.min(44, largest(widths, 0));
  const indent = Math.max(2, ...languages.map((lang) => widthOf(lang))) + 2;
  return languages.flatMap((lang) => {
    const own = rows.filter((row) => row.lang === lang);
    const lines = ACTIONS.flatMap((action) =>
      [...KINDS].sort().flatMap((kind) =>
        groupLines(
          own.filter((row) => row.action === action && row.kind === kind),
          pathWidth,
          context,
        ),
      ),
    );
    return lines.map(
      (line, index) => (index === 0 ? padTo(visible(lang), indent) : ' '.repeat(indent)) + line,
    );
  });
}

function rowOf(action: Row['action'], record: Change | Kept, change?: Change): Row {
  const parts = parseKey(record.key);
  return {
    action,
    key: record.key,
    kind: record.kind,
    lang: parts?.lang ?? '',
    path: parts?.path ?? record.key,
    ...(change === undefined ? {} : { change }),
  };
}

/** Rows of one action and kind: all of them, or the first and how many more there are. */
function groupLines(rows: readonly Row[], pathWidth: number, context: PlanContext): readonly string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const { action, kind } = first;
  const { paint } = context.style;
  const sorted = [...rows].sort((a, b) => (a.path < b.path ? -1 : 1));
  const { listed, rest } = firstOf(sorted, context.isVerbose);
  const colour = { create: paint.green, update: paint.yellow, delete: paint.red, kept: paint.dim }[action];
  const lines = listed.flatMap((row) => {
    const head = `${colour(SIGNS[action])} ${padTo(kind, 8)} ${padTo(visible(row.path), pathWidth)}`;
    return rowLines(row, head, context);
  });
  const more = restLines(rest, `more ${rest === 1 ? kind : plural(kind)}`);
  return [...lines, ...more.map((text) => paint.dim(`${SIGNS[action]} ${text}`))];
}

function oldAddress(
  field: FieldChange,
  { key }: Row,
  { oldAddresses, isPublic, style }: PlanContext,
): string {
  if (oldAddresses !== 'redirect' || !isMove(field) || isPublic?.(key) !== true) return '';
  return style.paint.dim(' (old address redirects)');
}

function isMove({ field, before, after }: FieldChange): boolean {
  return field === 'slug' && typeof before === 'string' && typeof after === 'string';
}

/** Readers of links and bookmarks, on a service that does not lead them on. */
export function deadAddresses(
  { changes }: Plan,
  { oldAddresses, isPublic, style }: PlanContext,
): readonly string[] {
  if (oldAddresses !== 'die') return [];
  const { length: count } = changes.filter(
    ({ action, key, fields }) => action === 'update' && fields.some(isMove) && isPublic?.(key) === true,
  );
  if (count === 0) return [];
  const which = count === 1 ? 'it' : 'they';
  return [
    `${style.paint.yellow('  address   ')}${counted(count, 'old address', 'old addresses')} will be dead; --redirects FILE saves where ${which} should lead`,
  ];
}

function rowLines(row: Row, head: string, context: PlanContext): readonly string[] {
  const { style } = context;
  if (row.kept !== undefined) return [`${head}  ${style.paint.dim(`kept: ${keptWords(row.kept)}`)}`];
  const fields = row.change?.fields ?? [];
  if (row.action === 'update') {
    const shown = fields.map(
      (field) => `${shownFieldChange(row.kind, field, style)}${oldAddress(field, row, context)}`,
    );
    if (context.isVerbose) return [head.trimEnd(), ...shown.map((text) => `    ${text}`)];
    const more = shown.length > 4 ? `, ${counted(shown.length - 3, 'more field')}` : '';
    return [`${head}  ${shown.slice(0, shown.length > 4 ? 3 : 4).join(', ')}${more}`];
  }
  if (row.action === 'create' && context.isVerbose) {
    const shown = fields.map((field) => `    ${field.field} ${shownValue(field.after, style)}`);
    return [head.trimEnd(), ...shown];
  }
  const isDraft = fields.some((field) => field.field === 'status' && field.after === 'draft');
  return [isDraft ? `${head}  ${style.paint.dim('draft')}` : head.trimEnd()];
}

function plural(kind: Row['kind']): string {
  return kind === 'category' ? 'categories' : `${kind}s`;
}

/** Why a record stays whose file is gone. */
const KEPT: Readonly<Record<Kept['reason'], string>> = {
  'no-prune': 'deletes need --prune',
  'in-use': 'articles without a file use it; take it out of them on the site, or add their files',
  unsettled: 'nothing is deleted while something else is open',
  translations:
    'it has translations that stay, or the list does not show its translations; delete the files of its translations too, and on the site those without a file',
  protected:
    'it is protected; to delete it, take it out of `protect` in kbsync.yaml; to keep it, bring its file back',
  'no-state':
    'kbsync wrote it, and no state says what it wrote, so somebody may have edited it since; delete it on the site, or run with the state of the last sync',
  unreadable:
    'the service does not show it, so kbsync cannot know what a delete would remove; delete it on the site',
};
const USERS_MAX = 3;

export function keptWords({ reason, users = [] }: Kept): string {
  if (users.length === 0) return KEPT[reason];
  const { listed, rest } = firstOf(users, false, { max: USERS_MAX, few: USERS_MAX });
  return `${namesText(listed.map(visible), rest)} ${users.length === 1 ? 'uses' : 'use'} it on the service`;
}
