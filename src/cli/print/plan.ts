import type { Scheduled } from '../../model/record.ts';
import { visible } from '../../model/visible.ts';
import { KINDS, parseKey, type Key } from '../../model/key.ts';
import type { Change, FieldChange, Kept, Plan } from '../../plan/plan.ts';
import type { Choice } from '../../sync/choice.ts';
import { shownConflict } from './conflict.ts';
import { ago, counted, grouped, sized } from './numbers.ts';
import { redirectCount, redirectLines } from './redirects.ts';
import { padTo, shellWord, short, widthOf } from './text.ts';
import { type Finding, warningTexts } from './problems.ts';
import { shownFieldChange, shownValue, type ValueStyle } from './value.ts';

/** What stands around a plan: where from, where to, how old the state is. */
export interface PlanContext {
  /** The content folder as people type it. */
  readonly content: string;
  readonly baseUrl: string;
  readonly fileCount: number;
  readonly languages: readonly string[];
  /** undefined: there is no state yet. */
  readonly stateAgeMs: number | undefined;
  /** The state is shared and holds a sync: it has no age on this machine. */
  readonly hasSharedState?: boolean;
  readonly warnings: readonly Finding[];
  readonly isVerbose: boolean;
  readonly style: ValueStyle;
  /** The records that a partial run is about; undefined: all. */
  readonly partial?: Choice | undefined;
  /** The plan's files go where the command of `assets.upload` puts them. */
  readonly uploads?: boolean | undefined;
  /** What becomes of an address that a slug leaves. Undefined: nothing is said. */
  readonly oldAddresses?: 'redirect' | 'die' | undefined;
  /** Whether readers see it, as the files say. */
  readonly isPublic?: (key: Key) => boolean;
  /** The flags that name files, state and address, as they must be repeated; with a space before, or empty. */
  readonly setup: string;
}

/** `docs → https://help.acme.test   214 files, 3 languages   state from 2 h ago` */
export function planHead(context: PlanContext): string {
  const { style } = context;
  return [
    `${style.paint.bold(visible(context.content))} ${style.glyphs.arrow} ${style.paint.bold(context.baseUrl)}`,
    `${counted(context.fileCount, 'file')}, ${counted(context.languages.length, 'language')}`,
    style.paint.dim(shownState(context)),
  ].join('   ');
}

/** `state from 2 h ago` */
export function shownState({
  stateAgeMs,
  hasSharedState,
}: Pick<PlanContext, 'stateAgeMs' | 'hasSharedState'>): string {
  if (hasSharedState === true) return 'shared state';
  return stateAgeMs === undefined ? 'no state yet' : `state from ${ago(stateAgeMs)}`;
}

/** Every block of the plan, in reading order: changes, conflicts, refusals, drift, warnings. Empty when in sync. */
export function planLines(plan: Plan, context: PlanContext): readonly string[] {
  const blocks = [
    changeLines(plan, context),
    movedLines(plan, context),
    releasedLines(plan, context),
    plan.conflicts.flatMap((conflict, index) => [
      ...(index > 0 ? [''] : []),
      ...shownConflict(conflict, context),
    ]),
    refusalLines(plan, context),
    redirectLines(plan, context),
    deadAddresses(plan, context),
    noteLines(plan, context),
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

/** `2 create, 5 update, 0 delete (1 kept), 1 conflict, 1 drift, 1 warning, 205 unchanged` */
export function planSum(plan: Plan, context: PlanContext): string {
  const count = (action: Change['action']): number =>
    plan.changes.filter((change) => change.action === action).length;
  const kept = plan.kept.length === 0 ? '' : ` (${grouped(plan.kept.length)} kept)`;
  const pending = plan.blocked.filter(({ reason }) => reason === 'pending').length;
  return [
    `${grouped(count('create'))} create`,
    `${grouped(count('update'))} update`,
    `${grouped(count('delete'))} delete${kept}`,
    ...some(plan.conflicts.length, 'conflict'),
    ...some(plan.blocked.length - pending, 'blocked', 'blocked'),
    ...some(pending, 'pending', 'pending'),
    ...some(plan.drift.length, 'drift', 'drift'),
    ...(plan.files.length === 0
      ? []
      : [
          context.uploads === true
            ? `${filesSum(plan.files)} would be uploaded`
            : `up to ${filesSum(plan.files)}`,
        ]),
    ...some(redirectCount(plan), 'redirect'),
    ...some(context.warnings.length, 'warning'),
    ...some(plan.unmanaged.length, 'unmanaged', 'unmanaged'),
    `${grouped(plan.unchanged)} unchanged`,
  ].join(', ');
}

/** `3 images and files (1.2 MB)` */
function filesSum(files: Plan['files']): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return `${counted(files.length, 'image or file', 'images and files')} (${sized(bytes)})`;
}

/** Drift, blocked records, warnings and, with `--verbose`, what nobody manages. */
export function noteLines(plan: Plan, context: PlanContext): readonly string[] {
  const { paint, glyphs } = context.style;
  const label = (text: string): string => `  ${padTo(text, 9)} `;
  const listedDrift =
    context.isVerbose || plan.drift.length <= LISTED_MAX ? plan.drift : plan.drift.slice(0, LISTED_MAX - 5);
  const restDrift = plan.drift.length - listedDrift.length;
  return [
    ...blockedTexts(plan, context).map((text) => `${paint.yellow(label('blocked'))}${text}`),
    ...listedDrift.map((drift) => {
      const fields = drift.fields.map((field) => {
        const before = field.base === undefined ? {} : { before: field.base };
        const text = shownFieldChange(
          drift.kind,
          { field: field.field, ...before, after: field.remote },
          context.style,
        );
        return text === field.field ? `${text} edited` : text;
      });
      const by = drift.isOurs === true ? ', by another run of kbsync' : '';
      return `${paint.cyan(label('drift'))}${visible(drift.key)}  ${fields.join(', ')} on the site${by}; left alone`;
    }),
    ...(restDrift > 0
      ? [`${paint.cyan(label('drift'))}… ${grouped(restDrift)} more (--verbose lists all)`]
      : []),
    ...(plan.drift.length > 0
      ? [paint.dim(`            ${glyphs.arrow} ${driftCommand(plan, context)}`)]
      : []),
    ...warningTexts(context.warnings, context).map((text) => `${paint.yellow(label('warning'))}${text}`),
    ...holdLines(plan, context),
    ...plan.unmatched.map((word) => `${paint.yellow(label('protect'))}${unmatchedWords(word)}`),
    ...scheduledLines(plan, context).map((text) => `${paint.cyan(label('scheduled'))}${text}`),
    ...excludedLines(plan, context).map((text) => paint.dim(`${label('excluded')}${text}`)),
    ...unmanagedTexts(plan, context).map((text) => `${paint.dim(label('unmanaged'))}${text}`),
  ];
}

/** Records of nobody, with `--verbose`; always those that a file of before has left, which without a state is one thing to say. */
function unmanagedTexts({ unmanaged, kept }: Plan, context: PlanContext): readonly string[] {
  const { isVerbose, stateAgeMs, hasSharedState } = context;
  const told = new Set<string>(kept.flatMap(({ reason, key }) => (reason === 'no-state' ? [key] : [])));
  const ours = unmanaged.filter(({ was }) => was !== undefined && !told.has(was));
  if (!isVerbose && ours.length > 1 && stateAgeMs === undefined && hasSharedState !== true) {
    const names = ours.slice(0, TOGETHER_MAX).map(({ was }) => visible(was ?? ''));
    const rest = ours.length - names.length;
    const more = rest === 0 ? '' : ` and ${grouped(rest)} more`;
    return [
      `${names.join(', ')}${more}: kbsync wrote them, and no file belongs to them now; they stay, because there is no state; with the state of the last sync (kbsync state push moves its file to where machines share it), --prune deletes them`,
    ];
  }
  const shown = isVerbose ? unmanaged : ours;
  const listed = isVerbose || shown.length <= LISTED_MAX ? shown : shown.slice(0, LISTED_MAX - 5);
  const rest = shown.length - listed.length;
  return [
    ...listed.map(
      ({ kind, name, id, was, by }) =>
        `${kind}  ${short(name, 60)}  id ${visible(id)}${was === undefined ? '' : `, written by kbsync as ${visible(was)}; no file has this name now`}${by === undefined ? '' : `, of the repository ${visible(by)}`}`,
    ),
    ...(rest > 0 ? [`… ${grouped(rest)} more (--verbose lists all)`] : []),
  ];
}

/**
 * What is open while records wait to be deleted. Conflicts and blocked records say elsewhere what they are about; only the
 * first of many are named.
 */
function holdLines({ holds }: Plan, { style, isVerbose }: PlanContext): readonly string[] {
  if (holds.length === 0) return [];
  const { paint, glyphs } = style;
  const listed = isVerbose || holds.length <= LISTED_MAX ? holds : holds.slice(0, LISTED_MAX - 5);
  const rest = holds.length - listed.length;
  const lines = listed.flatMap((hold): readonly string[] => {
    if (hold.what === 'unmatched') return [unmatchedWords(hold.word)];
    if (hold.what !== 'list') return [`${visible(hold.key)}  ${hold.what}, see above`];
    const wayOut = hold.isLeaky
      ? 'no flag allows the deletes: delete the kept records on the site, and the next run forgets them'
      : 'if you know that it is complete: --assume-complete';
    return [
      `the ${hold.kind} list  ${hold.isLeaky ? 'leaves out records' : 'may be truncated'}: ${visible(hold.why)}`,
      `${glyphs.arrow} ${wayOut}`,
    ];
  });
  return [
    `${paint.yellow('  open      ')}nothing is deleted while this is open:`,
    ...lines.map((line) => `            ${line}`),
    ...(rest > 0 ? [`            … ${grouped(rest)} more (--verbose lists all)`] : []),
  ];
}

/** A word that protects nothing may be a mistake. */
function unmatchedWords(word: string): string {
  return `${visible(word)}${UNMATCHED}`;
}

const UNMATCHED =
  '  fits no record, so it protects nothing; name records as in `legal/**` or `article/legal/terms@de`, or take it out of `protect`';

/** Each says why; of many that the lines about the files have named before, the first few. */
function blockedTexts({ blocked }: Plan, { isVerbose }: PlanContext): readonly string[] {
  const named = (Object.keys(NAMED_BEFORE) as readonly (keyof typeof NAMED_BEFORE)[]).map((reason) => {
    const all = blocked.filter((each) => each.reason === reason);
    const listed = isVerbose || all.length <= NAMED_MAX ? all : all.slice(0, NAMED_MAX - 2);
    return { listed, rest: all.length - listed.length, what: NAMED_BEFORE[reason] };
  });
  const others = blocked.filter(({ reason }) => !(reason in NAMED_BEFORE));
  return [
    ...[...byMessage([...others, ...named.flatMap(({ listed }) => listed)])].map(
      ([message, keys]) => `${severalKeys(keys, isVerbose)}  ${visible(message)}`,
    ),
    ...named.flatMap(({ rest, what }) =>
      rest === 0 ? [] : [`… ${grouped(rest)} more ${what} (--verbose lists all)`],
    ),
  ];
}

const NAMED_MAX = 5;
const NAMED_BEFORE = {
  'original-missing': 'translations without an original',
  'file-errors': 'files with errors',
} as const;

/** What is said of several records is said once. */
function byMessage(blocked: Plan['blocked']): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, readonly string[]>();
  for (const { key, message } of blocked) keys.set(message, [...(keys.get(message) ?? []), key]);
  return keys;
}

const TOGETHER_MAX = 3;

function severalKeys(keys: readonly string[], isVerbose: boolean): string {
  const named = isVerbose ? keys : keys.slice(0, TOGETHER_MAX);
  const rest = keys.length - named.length;
  return `${named.map(visible).join(', ')}${rest === 0 ? '' : ` and ${grouped(rest)} more`}`;
}

/** One record: the commands that end it. More: the flag that overwrites all, and the commands for the others. */
function driftCommand({ drift }: Plan, { setup }: PlanContext): string {
  const [first, ...more] = drift;
  const command = (key: string): string => `kbsync resolve${setup} ${key} --local | --remote`;
  return first !== undefined && more.length === 0
    ? `${command(shellWord(first.key))}, or kbsync pull${setup} to bring it into the file`
    : `--on-drift overwrite sends the files' values; kbsync pull${setup} brings the site's into the files; for one record: ${command('KEY')}`;
}

export function refusalLines(plan: Plan, { style }: PlanContext): readonly string[] {
  const { paint, glyphs } = style;
  return plan.refusals.flatMap((refusal) => [
    `${paint.red('! refused')}   ${visible(refusal.message)} [${refusal.code}]`,
    ...(refusal.flag === undefined ? [] : [`    ${glyphs.arrow} if that is right: ${refusal.flag}`]),
  ]);
}

/** Articles that a date in their file publishes, or takes back. */
function scheduledLines({ scheduled }: Plan, { isVerbose }: PlanContext): readonly string[] {
  const listed = isVerbose || scheduled.length <= LISTED_MAX ? scheduled : scheduled.slice(0, LISTED_MAX - 5);
  const rest = scheduled.length - listed.length;
  return [
    ...listed.map(({ key, ...what }) => `${visible(key)}  ${scheduledWords(what)}`),
    ...(rest > 0 ? [`… ${grouped(rest)} more (--verbose lists all)`] : []),
  ];
}

/** `2030-01-01, draft until then` */
export function scheduledWords({ at, becomes }: Scheduled): string {
  const day = at
    .replace(/T00:00:00\.000Z$/, '')
    .replace(/:00\.000Z$/, 'Z')
    .replace('T', ' ');
  return `${day}, ${becomes === 'published' ? 'draft' : 'published'} until then`;
}

/** Records that keep their ids under another name. */
function movedLines({ learnt }: Plan, { isVerbose, style }: PlanContext): readonly string[] {
  const moves = learnt.flatMap((each) =>
    each.how === 'moved' && each.from !== undefined
      ? [
          `${style.paint.cyan('  moved     ')}${visible(each.from)} ${style.glyphs.arrow} ${visible(each.record.key)}`,
        ]
      : [],
  );
  const listed = isVerbose || moves.length <= LISTED_MAX ? moves : moves.slice(0, LISTED_MAX - 5);
  const rest = moves.length - listed.length;
  return rest === 0 ? listed : [...listed, `            … ${grouped(rest)} more (--verbose lists all)`];
}

/** Records that kbsync gives back: they stay on the site. */
export function releasedIn({ learnt }: Plan): readonly Key[] {
  return learnt.flatMap((each) => (each.how === 'forgotten' && each.isReleased === true ? [each.key] : []));
}

function releasedLines(plan: Plan, { isVerbose, style }: PlanContext): readonly string[] {
  const keys = releasedIn(plan);
  const listed = isVerbose || keys.length <= LISTED_MAX ? keys : keys.slice(0, LISTED_MAX - 5);
  const rest = keys.length - listed.length;
  return [
    ...listed.map(
      (key) =>
        `${style.paint.cyan('  released  ')}${visible(key)}  stays on the site; kbsync no longer manages it`,
    ),
    ...(rest === 0 ? [] : [`            … ${grouped(rest)} more (--verbose lists all)`]),
  ];
}

const EXCLUDED_MAX = 3;

/** Records whose files the settings exclude. */
function excludedLines({ excluded }: Plan, { isVerbose }: PlanContext): readonly string[] {
  if (excluded.length === 0) return [];
  const listed = isVerbose ? excluded : excluded.slice(0, EXCLUDED_MAX);
  const rest = excluded.length - listed.length;
  const names = `${listed.map(visible).join(', ')}${rest === 0 ? '' : ` and ${grouped(rest)} more`}`;
  const them =
    excluded.length === 1
      ? 'its file is excluded, so it stays as it is'
      : 'their files are excluded, so they stay as they are';
  return [`${names}: ${them}`];
}

const LISTED_MAX = 25;
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
  const rest = users.length - USERS_MAX;
  const named = users.slice(0, USERS_MAX).map(visible).join(', ');
  return `${named}${rest > 0 ? ` and ${grouped(rest)} more` : ''} ${users.length === 1 ? 'uses' : 'use'} it on the service`;
}

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

function changeLines(plan: Plan, context: PlanContext): readonly string[] {
  const rows = [
    ...plan.changes.map((change) => rowOf(change.action, change, change)),
    ...plan.kept.map((kept) => ({ ...rowOf('kept', kept), kept })),
  ];
  const known = [...context.languages, ...rows.map((row) => row.lang)];
  const languages = [...new Set(known)].filter((lang) => rows.some((row) => row.lang === lang));
  const pathWidth = Math.min(44, Math.max(0, ...rows.map((row) => widthOf(visible(row.path)))));
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
  const listed = context.isVerbose || rows.length <= LISTED_MAX ? sorted : sorted.slice(0, LISTED_MAX - 5);
  const colour = { create: paint.green, update: paint.yellow, delete: paint.red, kept: paint.dim }[action];
  const lines = listed.flatMap((row) => {
    const head = `${colour(SIGNS[action])} ${padTo(kind, 8)} ${padTo(visible(row.path), pathWidth)}`;
    return rowLines(row, head, context);
  });
  const rest = rows.length - listed.length;
  return rest === 0
    ? lines
    : [
        ...lines,
        paint.dim(
          `${SIGNS[action]} … ${counted(rest, `more ${kind}`, `more ${plural(kind)}`)} (--verbose lists all)`,
        ),
      ];
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
function deadAddresses({ changes }: Plan, { oldAddresses, isPublic, style }: PlanContext): readonly string[] {
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

function some(count: number, one: string, many = `${one}s`): readonly string[] {
  return count === 0 ? [] : [counted(count, one, many)];
}

/** Nothing to send and nothing to decide. */
export function isInSync(plan: Plan): boolean {
  return (
    plan.changes.length === 0 &&
    plan.conflicts.length === 0 &&
    plan.refusals.length === 0 &&
    plan.drift.length === 0 &&
    plan.kept.length === 0 &&
    redirectCount(plan) === 0 &&
    plan.blocked.every((blocked) => blocked.reason === 'original-missing')
  );
}

/**
 * `in sync: 5 records unchanged, 1 unmanaged`, or `in sync except 2 blocked: …`: translations that wait for an original
 * are nothing that a run could send, and yet not in sync. Of a part nobody knows how the rest is: `nothing to send`.
 */
export function inSyncSum({ blocked, unchanged, unmanaged }: Plan, context: PlanContext): string {
  const { paint } = context.style;
  const isWhole = blocked.length === 0;
  const part = context.partial === undefined ? 'in sync' : 'nothing to send';
  const head = isWhole
    ? paint.green(part)
    : paint.yellow(`${part} except ${grouped(blocked.length)} blocked`);
  const others = unmanaged.length === 0 ? '' : `, ${grouped(unmanaged.length)} unmanaged`;
  return `${head}: ${counted(unchanged, 'record')} unchanged${others}`;
}

/** `partial: 3 of 214 records; brought in, as they need it: category/billing@en`; nothing of a run that is about all. */
export function partialLines({ partial, style }: PlanContext): readonly string[] {
  if (partial === undefined) return [];
  const { keys, needed, of } = partial;
  const names = needed.slice(0, NEEDED_MAX).map(visible).join(', ');
  const more = needed.length > NEEDED_MAX ? ` and ${grouped(needed.length - NEEDED_MAX)} more` : '';
  const brought = needed.length === 0 ? '' : `; brought in, because they need it: ${names}${more}`;
  return [style.paint.yellow(`partial: ${grouped(keys.size)} of ${counted(of, 'record')}${brought}`)];
}

const NEEDED_MAX = 5;
