import { resolve } from 'node:path';
import { SetupError } from '../../../config/setup-error.ts';
import { baselineFrom, baselineText, newFindings } from './baseline.ts';
import { chosenFrom, narrowed, wantedBy } from '../../run/choice.ts';
import type { Choice } from '../../../sync/choice.ts';
import { EXIT } from '../../run/exit.ts';
import { annotate, printFindings, readContent } from '../../run/read-files.ts';
import type { CheckFlags } from './command.ts';
import { checkDocument, partialJson } from '../../print/json.ts';
import { counted } from '../../print/numbers.ts';
import { eventPrinter } from '../../print/events.ts';
import { findingSum, type Finding } from '../../print/problems.ts';
import { reportText } from '../../print/report.ts';
import { otherFormatsLine } from '../../print/other-formats.ts';
import { screen as screenOf } from '../../print/screen.ts';
import { loadSettings, shown } from '../../../config/settings.ts';
import type { LeftOut } from '../../../content/options.ts';
import { visible } from '../../../model/visible.ts';
import type { World } from '../../world.ts';

/** `kbsync check`: problems only, no network. Exit 1 when there is an error, 0 with warnings. */
export async function check(flags: CheckFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  let read;
  let folder = '';
  let hasUpload = false;
  let choice: Choice | undefined;
  try {
    printer.emit({ type: 'phase', phase: 'read files' });
    const settings = await loadSettings(flags, world);
    folder = shown(settings.contentDir, world);
    hasUpload = settings.file.assets?.upload !== undefined;
    const wanted = await wantedBy(flags, settings, world);
    const all = await readContent(settings, flags, world, { keepsFiles: true });
    if (wanted !== undefined) choice = chosenFrom(wanted, all.content.state, { records: new Map() });
    read = wanted === undefined ? all : narrowed(all, wanted);
  } finally {
    printer.close();
  }
  const { state } = read.content;
  const { findings, known } = await withoutKnown(read.findings, flags, world);
  const isFailed = findings.some(({ severity }) => flags.strict || severity === 'error');
  const exit = isFailed ? EXIT.failed : EXIT.done;
  const counts = { files: state.fileCount, languages: state.languages.length };
  // Whether they have a home is the service's to say, and it is not asked here.
  const awaiting = state.files?.size ?? 0;
  const document = {
    ...checkDocument(findings, counts),
    ...(awaiting === 0 ? {} : { awaiting: { files: awaiting } }),
    ...(known === undefined ? {} : { known }),
    ...partialJson({ partial: choice }),
  };
  const report = reportText(flags.format, { command: 'check', findings, notices: [], document }, world);
  if (report !== undefined) {
    if (flags.format !== 'github') annotate(findings, screen, world);
    screen.answer(report);
    return exit;
  }
  if (screen.isJson) {
    annotate(findings, screen, world);
    screen.document(document);
    return exit;
  }
  const isEmpty = findings.length === 0 && state.fileCount === 0;
  if (flags.verbose || isEmpty)
    for (const line of leftOutLines(read.content.leftOut?.() ?? [])) screen.answer(line);
  await printFindings(findings, screen.answer, { screen, world, hasFrames: screen.hasFrames });
  screen.answer(
    isEmpty
      ? `no page found in ${visible(folder)}: nothing was checked, and a sync would send nothing`
      : findings.length === 0
        ? `${counted(state.fileCount, 'file')}, ${counted(state.languages.length, 'language')}, nothing wrong`
        : findingSum(findings, state.fileCount),
  );
  const formats = read.content.otherFormats?.() ?? [];
  if (formats.length > 0) screen.answer(otherFormatsLine(formats));
  const elsewhere = hasUpload
    ? 'the command of `assets.upload` runs for each'
    : 'set `assets` in kbsync.yaml';
  if (awaiting > 0)
    screen.answer(
      `${counted(awaiting, 'image or file', 'images and files')} will be sent to the service if it keeps files (kbsync serve does); for one that does not, ${elsewhere}`,
    );
  if (known !== undefined)
    screen.answer(`${counted(known, 'finding')} known by ${visible(flags.baseline ?? '')}`);
  if (choice !== undefined)
    screen.answer(`partial: ${choice.keys.size} of ${counted(choice.of, 'record')}, with what they need`);
  return exit;
}

/** Findings that the baseline does not know; `known` undefined: there is none. @throws SetupError */
async function withoutKnown(
  findings: readonly Finding[],
  { baseline: file, updateBaseline }: CheckFlags,
  world: World,
): Promise<{ readonly findings: readonly Finding[]; readonly known?: number }> {
  if (file === undefined) {
    if (!updateBaseline) return { findings };
    throw new SetupError('usage', '--update-baseline needs --baseline FILE, which says where');
  }
  const path = resolve(world.cwd, file);
  if (updateBaseline) await world.files.writeText(path, baselineText(findings));
  const text = await world.files.readText(path);
  if (text === undefined)
    throw new SetupError('usage', `there is no file \`${visible(file)}\``, {
      help: `kbsync check --baseline ${visible(file)} --update-baseline writes it`,
    });
  const { fresh, known } = newFindings(findings, baselineFrom(text, file));
  return { findings: fresh, known };
}

/** Pages that make no record, counted by the rule that leaves them out, with three of each. */
function leftOutLines(pages: readonly LeftOut[]): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { file, reason } of pages) {
    const files = byReason.get(reason);
    if (files === undefined) byReason.set(reason, [file]);
    else files.push(file);
  }
  return [...byReason].map(([reason, files]) => {
    const rest = files.length - LISTED_MAX;
    const names = files.slice(0, LISTED_MAX).map(visible).join(', ');
    return `${counted(files.length, 'page')} left out (${visible(reason)}): ${names}${rest > 0 ? ` and ${counted(rest, 'more', 'more')}` : ''}`;
  });
}

const LISTED_MAX = 3;
