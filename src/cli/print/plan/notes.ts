import type { Scheduled } from '../../../model/record.ts';
import { visible } from '../../../model/visible.ts';
import type { Key } from '../../../model/key.ts';
import type { Drift, Plan } from '../../../plan/plan.ts';
import { firstOf, namesText, restLines } from '../terminal/listed.ts';
import type { PlanContext } from './context.ts';
import { padTo, shellWord, short } from '../terminal/text.ts';
import { warningTexts } from '../problems.ts';
import { shownFieldChange } from './value.ts';

/** Drift, blocked records, warnings and, with `--verbose`, what nobody manages. */
export function noteLines(plan: Plan, context: PlanContext): readonly string[] {
  const { paint, glyphs } = context.style;
  const label = (text: string): string => `  ${padTo(text, 9)} `;
  const drift = firstOf(plan.drift, context.isVerbose);
  return [
    ...blockedTexts(plan, context).map((text) => `${paint.yellow(label('blocked'))}${text}`),
    ...drift.listed.map((each) => `${paint.cyan(label('drift'))}${driftText(each, context)}`),
    ...restLines(drift.rest).map((text) => `${paint.cyan(label('drift'))}${text}`),
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

function driftText({ kind, key, fields, isOurs }: Drift, { style }: PlanContext): string {
  const shown = fields.map(({ field, base, remote }) => {
    const before = base === undefined ? {} : { before: base };
    const text = shownFieldChange(kind, { field, ...before, after: remote }, style);
    return text === field ? `${text} edited` : text;
  });
  const by = isOurs === true ? ', by another run of kbsync' : '';
  return `${visible(key)}  ${shown.join(', ')} on the site${by}; left alone`;
}

/** Records of nobody, with `--verbose`; always those that a file of before has left, which without a state is one thing to say. */
function unmanagedTexts({ unmanaged, kept }: Plan, context: PlanContext): readonly string[] {
  const { isVerbose, stateAgeMs, hasSharedState } = context;
  const told = new Set<string>(kept.flatMap(({ reason, key }) => (reason === 'no-state' ? [key] : [])));
  const ours = unmanaged.filter(({ was }) => was !== undefined && !told.has(was));
  if (!isVerbose && ours.length > 1 && stateAgeMs === undefined && hasSharedState !== true) {
    const names = severalKeys(
      ours.map(({ was }) => was ?? ''),
      isVerbose,
    );
    return [
      `${names}: kbsync wrote them, and no file belongs to them now; they stay, because there is no state; with the state of the last sync (kbsync state push moves its file to where machines share it), --prune deletes them`,
    ];
  }
  const { listed, rest } = firstOf(isVerbose ? unmanaged : ours, isVerbose);
  return [
    ...listed.map(
      ({ kind, name, id, was, by }) =>
        `${kind}  ${short(name, 60)}  id ${visible(id)}${was === undefined ? '' : `, written by kbsync as ${visible(was)}; no file has this name now`}${by === undefined ? '' : `, of the repository ${visible(by)}`}`,
    ),
    ...restLines(rest),
  ];
}

/**
 * What is open while records wait to be deleted. Conflicts and blocked records say elsewhere what they are about; only the
 * first of many are named.
 */
function holdLines({ holds }: Plan, { style, isVerbose }: PlanContext): readonly string[] {
  if (holds.length === 0) return [];
  const { paint, glyphs } = style;
  const { listed, rest } = firstOf(holds, isVerbose);
  const lines = listed.flatMap((hold): readonly string[] => {
    if (hold.what === 'unmatched') return [unmatchedWords(hold.word)];
    if (hold.what !== 'list') return [`${visible(hold.key)}  ${hold.what}, see above`];
    if (hold.isUnread === true)
      return [
        `the ${hold.kind} list  ${visible(hold.why)}`,
        `${glyphs.arrow} run again; if the record still cannot be read and the list is complete: --assume-complete`,
      ];
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
    ...[...lines, ...restLines(rest)].map((line) => `            ${line}`),
  ];
}

/** A word that protects nothing may be a mistake. */
function unmatchedWords(word: string): string {
  return `${visible(word)}${UNMATCHED}`;
}

const UNMATCHED =
  '  fits no record, so it protects nothing; name records as in `legal/**` or `article/legal/terms@de`, or take it out of `protect`';

/** Each says why; of many with one reason and one way out, the first few. */
export function blockedTexts(
  { blocked }: Plan,
  { isVerbose }: Pick<PlanContext, 'isVerbose'>,
): readonly string[] {
  const named = (Object.keys(OF_MANY) as readonly (keyof typeof OF_MANY)[]).map((reason) => {
    const all = blocked.filter((each) => each.reason === reason);
    return { ...firstOf(all, isVerbose, { max: 5, few: 3 }), what: OF_MANY[reason] };
  });
  const others = blocked.filter(({ reason }) => !(reason in OF_MANY));
  return [
    ...[...byMessage([...others, ...named.flatMap(({ listed }) => listed)])].map(
      ([message, keys]) => `${severalKeys(keys, isVerbose)}  ${visible(message)}`,
    ),
    ...named.flatMap(({ rest, what }) => restLines(rest, `more ${what}`)),
  ];
}

const OF_MANY = {
  'original-missing': 'translations without an original',
  'file-errors': 'files with errors',
  'original-conflict': 'translations whose original waits',
  'reference-blocked': 'files that name records which wait',
  renamed: 'files that may have another name now',
  taken: 'files whose records belong to somebody else',
} as const;

/** What is said of several records is said once. */
function byMessage(blocked: Plan['blocked']): ReadonlyMap<string, readonly string[]> {
  const keys = new Map<string, readonly string[]>();
  for (const { key, message } of blocked) keys.set(message, [...(keys.get(message) ?? []), key]);
  return keys;
}

const TOGETHER_MAX = 3;

function severalKeys(keys: readonly string[], isVerbose: boolean): string {
  const { listed, rest } = firstOf(keys, isVerbose, { max: TOGETHER_MAX, few: TOGETHER_MAX });
  return namesText(listed.map(visible), rest);
}

/** One record: the commands that end it. More: the flag that overwrites all, and the commands for the others. */
function driftCommand({ drift }: Plan, { setup }: PlanContext): string {
  const [first, ...more] = drift;
  const command = (key: string): string => `kbsync resolve${setup} ${key} --local | --remote`;
  return first !== undefined && more.length === 0
    ? `${command(shellWord(first.key))}, or kbsync pull${setup} to bring it into the file`
    : `--on-drift overwrite sends the files' values; kbsync pull${setup} brings the site's into the files; for one record: ${command('KEY')}`;
}

/** Articles that a date in their file publishes, or takes back. */
function scheduledLines({ scheduled }: Plan, { isVerbose }: PlanContext): readonly string[] {
  const { listed, rest } = firstOf(scheduled, isVerbose);
  return [
    ...listed.map(({ key, ...what }) => `${visible(key)}  ${scheduledWords(what)}`),
    ...restLines(rest),
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
export function movedLines({ learnt }: Plan, { isVerbose, style }: PlanContext): readonly string[] {
  const moves = learnt.flatMap((each) =>
    each.how === 'moved' && each.from !== undefined
      ? [
          `${style.paint.cyan('  moved     ')}${visible(each.from)} ${style.glyphs.arrow} ${visible(each.record.key)}`,
        ]
      : [],
  );
  const { listed, rest } = firstOf(moves, isVerbose);
  return [...listed, ...restLines(rest).map((text) => `            ${text}`)];
}

/** Records that kbsync gives back: they stay on the site. */
export function releasedIn({ learnt }: Plan): readonly Key[] {
  return learnt.flatMap((each) => (each.how === 'forgotten' && each.isReleased === true ? [each.key] : []));
}

export function releasedLines(plan: Plan, { isVerbose, style }: PlanContext): readonly string[] {
  const { listed, rest } = firstOf(releasedIn(plan), isVerbose);
  return [
    ...listed.map(
      (key) =>
        `${style.paint.cyan('  released  ')}${visible(key)}  stays on the site; kbsync no longer manages it`,
    ),
    ...restLines(rest).map((text) => `            ${text}`),
  ];
}

/** Records whose files the settings exclude. */
function excludedLines({ excluded }: Plan, { isVerbose }: PlanContext): readonly string[] {
  if (excluded.length === 0) return [];
  const names = severalKeys(excluded, isVerbose);
  const them =
    excluded.length === 1
      ? 'its file is excluded, so it stays as it is'
      : 'their files are excluded, so they stay as they are';
  return [`${names}: ${them}`];
}
