import { groupedBy } from '../../text/grouped.ts';
import { visible } from '../../model/visible.ts';
import { relative, resolve } from 'node:path';
import { problemMessage, type Place, type Problem } from '../../model/problem.ts';
import type { Paint } from './terminal/paint.ts';
import { counted, grouped } from './terminal/numbers.ts';
import { widthOf } from './terminal/text.ts';

/** A fault in a file as it is shown: from the content or from kbsync.yaml. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  /** One sentence, lower case, no full stop; may hold text from files. */
  readonly message: string;
  readonly at: Place;
  /** Columns the fault covers, where known. */
  readonly width?: number;
  /** What to do, as a sentence of its own. */
  readonly help?: string;
  /** The line as it would be right. */
  readonly repaired?: string;
  /** What one setting decides for every file: the name of a component. */
  readonly subject?: string;
  /** What `keep` would not show of such a component. */
  readonly kept?: { readonly isShown: boolean; readonly attributes: readonly string[] };
  /** The change that this run is about does not touch its line; unknown where git was not asked. */
  readonly isUntouched?: boolean;
}

export function findingOf(problem: Problem): Finding {
  const { code, severity, at } = problem;
  if ('repaired' in problem && problem.repaired !== undefined) {
    return { severity, code, at, message: problem.reason, repaired: problem.repaired };
  }
  const subject =
    problem.code === 'unknown-component'
      ? {
          subject: problem.name,
          kept: { isShown: problem.isShown ?? true, attributes: problem.attributes ?? [] },
        }
      : problem.code === 'raw-syntax'
        ? { subject: problem.kind }
        : {};
  return { severity, code, at, message: problemMessage(problem), ...subject };
}

/** Reads the text of a file that a finding names; undefined if it cannot be read now. */
export type ReadSource = (file: string) => Promise<string | undefined>;

/** `file:line:col: error code: message`: one stable line that editors and CI logs can match. */
export function findingLine(finding: Finding): string {
  const { file, line, column } = finding.at;
  return `${visible(file)}:${line}:${column}: ${finding.severity} ${finding.code}: ${visible(findingSentence(finding))}`;
}

/** What is wrong and what would be right in one sentence, for output that has no line of its own for the help. */
export function findingSentence({ message, repaired, help }: Finding): string {
  if (repaired !== undefined) return `${message}: \`${repaired}\``;
  return help === undefined ? message : `${message}; ${help}`;
}

/** The same for people: message, place, source line, caret, help. */
export async function findingFrames(
  findings: readonly Finding[],
  readSource: ReadSource,
  paint: Paint,
): Promise<readonly string[]> {
  const sources = new Map<string, readonly string[]>();
  const frames: string[] = [];
  for (const finding of findings) {
    const { file } = finding.at;
    if (!sources.has(file)) sources.set(file, (await readSource(file))?.split(/\r\n|\n/) ?? []);
    frames.push(frame(finding, sources.get(file)?.[finding.at.line - 1], paint));
  }
  return frames;
}

/** "2 errors, 1 warning in 2 of 214 files" */
export function findingSum(findings: readonly Finding[], fileCount: number): string {
  const errors = findings.filter((finding) => finding.severity === 'error').length;
  const warnings = findings.length - errors;
  const files = new Set(findings.map((finding) => finding.at.file)).size;
  const parts = [
    ...(errors === 0 ? [] : [counted(errors, 'error')]),
    ...(warnings === 0 ? [] : [counted(warnings, 'warning')]),
  ];
  return `${parts.join(', ')} in ${files} of ${counted(Math.max(files, fileCount), 'file')}`;
}

const ANNOTATIONS_MAX = 10;

/**
 * GitHub workflow commands, for what is at lines that the change touches; the rest is counted. The runner shows 10 of a kind per
 * step, so the tenth says how many there are besides and where: a plan lists the first few, `check` all of them.
 * Paths are relative to the workspace, not to the step's folder.
 */
export function annotations(
  findings: readonly Finding[],
  paths: { readonly cwd: string; readonly workspace: string | undefined },
): readonly string[] {
  return (['error', 'warning'] as const).flatMap((severity) => {
    const all = findings.filter((finding) => finding.severity === severity);
    const own = all.filter(({ isUntouched }) => isUntouched !== true);
    const before = all.length - own.length;
    const room = ANNOTATIONS_MAX - (before === 0 ? 0 : 1);
    const listed = own.length > room ? own.slice(0, room - 1) : own;
    const rest = own.length - listed.length;
    const more = `${counted(rest, `more ${severity}`)}: kbsync check --verbose lists all`;
    const others = `${counted(before, severity)} at lines that this change does not touch: kbsync check --verbose lists all`;
    return [
      ...listed.map((finding) => annotation(finding, paths)),
      ...(rest === 0 ? [] : [`::${severity}::${more}`]),
      ...(before === 0 ? [] : [`::${severity}::${others}`]),
    ];
  });
}

function annotation(
  finding: Finding,
  paths: { readonly cwd: string; readonly workspace: string | undefined },
): string {
  const file =
    paths.workspace === undefined
      ? finding.at.file
      : relative(paths.workspace, resolve(paths.cwd, finding.at.file));
  const properties = [
    `file=${property(file)}`,
    `line=${finding.at.line}`,
    `col=${finding.at.column}`,
    `title=${property(finding.code)}`,
  ];
  return `::${finding.severity} ${properties.join(',')}::${escaped(visible(findingSentence(finding)))}`;
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return escaped(visible(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

const SOURCE_WIDTH = 100;

/** Problems name the start of a word; the caret covers all of it. */
function wordWidth(source: string, start: number): number {
  return /^[\p{L}\p{N}_./#-]+/u.exec(source.slice(start, start + SOURCE_WIDTH))?.[0].length ?? 1;
}

function frame(finding: Finding, source: string | undefined, paint: Paint): string {
  const colour = finding.severity === 'error' ? paint.red : paint.yellow;
  const number = String(finding.at.line);
  const gutter = ' '.repeat(number.length);
  const bar = paint.cyan('|');
  const place = `${visible(finding.at.file)}:${number}:${finding.at.column}`;
  const head = [
    `${paint.bold(colour(`${finding.severity}[${finding.code}]`))}${paint.bold(`: ${visible(finding.message)}`)}`,
    `${gutter} ${paint.cyan('-->')} ${place}`,
  ];
  const helpText = finding.repaired ?? finding.help;
  const help = helpText === undefined ? [] : [`${gutter} ${paint.cyan('=')} help: ${visible(helpText)}`];
  if (source === undefined) return [...head, ...help].join('\n');
  const cutout = sourceWindow(
    source,
    finding.at.column - 1,
    finding.width ?? wordWidth(source, finding.at.column - 1),
  );
  return [
    ...head,
    `${gutter} ${bar}`,
    `${paint.cyan(number)} ${bar} ${cutout.text}`,
    `${gutter} ${bar} ${cutout.indent}${colour('^'.repeat(cutout.width))}`,
    ...(help.length === 0 ? [] : [`${gutter} ${bar}`, ...help]),
  ].join('\n');
}

/** The part of a line around the fault; a minified line of a megabyte stays one line of the terminal. */
function sourceWindow(
  source: string,
  start: number,
  width: number,
): { readonly text: string; readonly indent: string; readonly width: number } {
  const from = start > SOURCE_WIDTH - 20 ? start - 30 : 0;
  const to = from + SOURCE_WIDTH;
  const clean = (text: string): string => visible(text.replaceAll('\t', ' '));
  const lead = from > 0 ? '…' : '';
  const before = lead + clean(source.slice(from, start));
  const marked = clean(source.slice(start, Math.min(start + width, to)));
  return {
    text: `${lead}${clean(source.slice(from, to))}${to < source.length ? '…' : ''}`,
    indent: ' '.repeat(widthOf(before)),
    width: Math.max(1, widthOf(marked)),
  };
}

/** Fewer findings are read faster than a table of them. */
const FINDINGS_MIN = 12;
const SUBJECTS_MAX = 12;

/** Whose page still reads well as it is written; of the others `allow` would publish what nobody meant. */
const OFTEN_ALLOWED: readonly string[] = ['dead-link', 'dead-anchor', 'missing-image', 'image-not-hosted'];

/** Places that are shown of one kind and one subject. */
const PLACES_MAX = 3;

/** What is listed of many findings: of each kind and subject the first three, and how many follow. */
export interface Listed {
  readonly finding: Finding;
  /** Of the same kind and subject; not listed. */
  readonly more: number;
}

export function listedFindings(findings: readonly Finding[], isVerbose: boolean): readonly Listed[] {
  if (isVerbose || findings.length < FINDINGS_MIN) return findings.map((finding) => ({ finding, more: 0 }));
  const groups = groupedBy(findings, ({ severity, code, subject }) => [
    `${severity} ${code} ${subject ?? ''}`,
  ]);
  return [...groups.values()].flatMap((group) => {
    // One more line says as much as the place itself.
    const shown = group.length === PLACES_MAX + 1 ? group : group.slice(0, PLACES_MAX);
    return shown.map((finding, index) => ({
      finding,
      more: index === shown.length - 1 ? group.length - shown.length : 0,
    }));
  });
}

/** `… and 97 more like it` */
export function moreLine({ finding: { code, subject }, more }: Listed): string {
  const what = subject === undefined ? code : `${code} ${shortName(subject)}`;
  return `… ${grouped(more)} more of ${what} (kbsync check --verbose lists all)`;
}

/** How many there are of each kind, most first, and the lines of kbsync.yaml that decide many at once. Empty for a few findings. */
export function findingKinds(findings: readonly Finding[]): readonly string[] {
  if (findings.length < FINDINGS_MIN) return [];
  const kinds = tally(findings.map(({ code }) => code));
  const width = Math.max(...kinds.map(([code]) => code.length));
  const lines = kinds.map(([code, count]) => {
    const subjects = findings.flatMap((one) =>
      one.code === code && one.subject !== undefined ? [one.subject] : [],
    );
    return `${grouped(count).padStart(7)}  ${code.padEnd(width)}  ${subjectsLine(subjects)}`.trimEnd();
  });
  return ['', ...lines, ...settingLines(findings), ''];
}

function subjectsLine(subjects: readonly string[]): string {
  const counts = tally(subjects);
  const listed = counts.slice(0, SUBJECTS_MAX).map(([name, count]) => `${shortName(name)} ${grouped(count)}`);
  const rest = counts.length - listed.length;
  return listed.join(', ') + (rest === 0 ? '' : ` and ${counted(rest, 'more name')}`);
}

/** One block for kbsync.yaml, with every name that needs a decision. */
function settingLines(findings: readonly Finding[]): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const codes = new Set(errors.map(({ code }) => code));
  const components = groupedBy(
    errors.filter(({ code, subject }) => code === 'unknown-component' && subject !== undefined),
    ({ subject }) => [subject ?? ''],
  );
  const names = [...components].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1));
  const short = names.filter(([name]) => isShort(name));
  const allowed = OFTEN_ALLOWED.filter((code) => codes.has(code));
  const block = [
    ...(short.length === 0
      ? []
      : [
          'components: # keep the text, { keep: [attribute] } with texts of attributes, drop all of it, or { replace: "…" }',
          ...short.map(([name, ofName]) => `  ${yamlKey(name)}: ${offeredRule(ofName)}`),
        ]),
    ...(allowed.length === 0 ? [] : [`allow: [${allowed.join(', ')}] # sent as they are, with a warning`]),
  ];
  return block.length === 0
    ? []
    : ['', 'for kbsync.yaml, if these pages are to be sent as they are:', '', ...block];
}

const ATTRIBUTES_MAX = 6;

/** The rule that loses no words, or a word of what is lost. */
function offeredRule(findings: readonly Finding[]): string {
  const count = grouped(findings.length);
  const attributes = tally(findings.flatMap(({ kept }) => kept?.attributes ?? []))
    .slice(0, ATTRIBUTES_MAX)
    .map(([name]) => yamlKey(name));
  if (attributes.length > 0) return `{ keep: [${attributes.join(', ')}] } # ${count}`;
  return findings.some(({ kept }) => kept?.isShown !== false)
    ? `keep # ${count}`
    : `keep # ${count}; it has no text, so nothing is shown: { replace: "…" } gives it one`;
}

const NAME_CHARS_MAX = 60;

/** A long expression is no key that a person would write. */
function isShort(name: string): boolean {
  return name.length <= NAME_CHARS_MAX && !name.includes('\n');
}

function shortName(name: string): string {
  return isShort(name)
    ? visible(name)
    : `${visible(name.replaceAll(/\s+/g, ' ').slice(0, NAME_CHARS_MAX - 1))}…`;
}

function yamlKey(name: string): string {
  return /^[A-Za-z][\w.-]*$/.test(name) ? name : JSON.stringify(name);
}

/** Most first; ties by name. */
function tally(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
}

const LISTED_MAX = 10;
/** Of each kind: one place would not show whether the next is like it. */
const EACH_MAX = 2;

/**
 * Every run reports them until somebody fixes them. Many of them must not hide what is new, so of each kind only the first ones are shown, and a count: five
 * hundred of one kind do not hide a single one of another.
 */
export function warningTexts(
  warnings: readonly Finding[],
  { isVerbose }: { readonly isVerbose: boolean },
): readonly string[] {
  if (isVerbose || warnings.length <= LISTED_MAX) return warnings.map(warningText);
  return [...groupedBy(warnings, ({ code }) => [code])].flatMap(([code, ofKind]) => {
    // One more line says as much as the place itself.
    const listed = ofKind.length === EACH_MAX + 1 ? ofKind : ofKind.slice(0, EACH_MAX);
    const rest = ofKind.length - listed.length;
    const more = rest === 0 ? [] : [`… ${grouped(rest)} more of ${code} (kbsync check --verbose lists all)`];
    return [...listed.map(warningText), ...more];
  });
}

function warningText(warning: Finding): string {
  return findingLine(warning).replace(`: warning ${warning.code}: `, '  ') + ` [${warning.code}]`;
}
