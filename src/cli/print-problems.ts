import { relative, resolve } from 'node:path';
import { problemMessage, type Place, type Problem } from '../model/problem.ts';
import type { Paint } from './colour.ts';
import { counted } from './numbers.ts';
import { visible, widthOf } from './plain.ts';

/** A fault in a file as it is shown: from the content or from kbsync.yaml. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  /** One sentence, lower case, no full stop; may hold text from files. */
  readonly message: string;
  readonly at: Place;
  /** Columns the fault covers, where known. */
  readonly width?: number;
  readonly help?: string;
  /** What one setting settles in every file: the name of a component. */
  readonly subject?: string;
}

export function findingOf(problem: Problem): Finding {
  const { code, severity, at } = problem;
  if (problem.code === 'front-matter-yaml' && problem.repaired !== undefined) {
    return { severity, code, at, message: problem.reason, help: problem.repaired };
  }
  const subject = problem.code === 'unknown-component' ? { subject: problem.name } : {};
  return { severity, code, at, message: problemMessage(problem), ...subject };
}

/** Reads the text of a file that a finding names; undefined when it cannot be read any more. */
export type ReadSource = (file: string) => Promise<string | undefined>;

/** `file:line:col: error code: message`: one stable line that editors and CI logs can match. */
export function findingLine(finding: Finding): string {
  const { file, line, column } = finding.at;
  return `${visible(file)}:${line}:${column}: ${finding.severity} ${finding.code}: ${visible(finding.message)}`;
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
 * GitHub workflow commands. The runner shows 10 of a kind per step, so the tenth says how many there are besides
 * and where: a plan lists the first few, `check` all of them.
 * Paths are relative to the workspace, whatever the step's folder is.
 */
export function annotations(
  findings: readonly Finding[],
  paths: { readonly cwd: string; readonly workspace: string | undefined },
): readonly string[] {
  return (['error', 'warning'] as const).flatMap((severity) => {
    const own = findings.filter((finding) => finding.severity === severity);
    const listed = own.length > ANNOTATIONS_MAX ? own.slice(0, ANNOTATIONS_MAX - 1) : own;
    const lines = listed.map((finding) => annotation(finding, paths));
    const rest = own.length - listed.length;
    return rest === 0
      ? lines
      : [...lines, `::${severity}::${counted(rest, `more ${severity}`)}: kbsync check lists all`];
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
  return `::${finding.severity} ${properties.join(',')}::${escaped(visible(finding.message))}`;
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
  const help =
    finding.help === undefined ? [] : [`${gutter} ${paint.cyan('=')} help: ${visible(finding.help)}`];
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
