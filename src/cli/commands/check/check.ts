import { resolve } from 'node:path';
import { SetupError } from '../../../config/setup-error.ts';
import { baselineFrom, baselineText, newFindings } from './baseline.ts';
import { chosenFrom, narrowed, wantedBy } from '../../run/choice.ts';
import { EXIT } from '../../run/exit.ts';
import { annotate, printFindings, readContent } from '../../run/read-files.ts';
import type { CheckFlags } from './command.ts';
import { checkDocument, partialJson } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { eventPrinter } from '../../print/terminal/events.ts';
import { findingSum, type Finding } from '../../print/problems.ts';
import { reportText } from '../../print/report.ts';
import { otherFormatsLine } from '../../print/other-formats.ts';
import { type Screen, screen as screenOf } from '../../print/terminal/screen.ts';
import { loadSettings, shown, type Settings } from '../../../config/settings.ts';
import type { LeftOut, LoadedContent } from '../../../content/options.ts';
import { visible } from '../../../model/visible.ts';
import type { World } from '../../world.ts';

/** `kbsync check`: problems only, no network. Exit 1 when there is an error, 0 with warnings. */
export async function check(flags: CheckFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const { settings, content, choice, findings: all } = await readChosen(flags, screen, world);
  const { state } = content;
  const { findings, known } = await withoutKnown(all, flags, world);
  const isFailed = findings.some(({ severity }) => flags.strict || severity === 'error');
  const exit = isFailed ? EXIT.failed : EXIT.done;
  const counts = { files: state.fileCount, languages: state.languages.length };
  const awaiting = awaitingIn(content);
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
    for (const line of leftOutLines(content.leftOut?.() ?? [])) screen.answer(line);
  await printFindings(findings, screen.answer, { screen, world, hasFrames: screen.hasFrames });
  screen.answer(
    isEmpty
      ? `no page found in ${visible(shown(settings.contentDir, world))}: nothing was checked, and a sync would send nothing`
      : findings.length === 0
        ? `${counted(state.fileCount, 'file')}, ${counted(state.languages.length, 'language')}, nothing wrong`
        : findingSum(findings, state.fileCount),
  );
  const formats = content.otherFormats?.() ?? [];
  if (formats.length > 0) screen.answer(otherFormatsLine(formats));
  if (awaiting > 0) screen.answer(awaitingLine(awaiting, settings));
  if (known !== undefined)
    screen.answer(`${counted(known, 'finding')} already in ${visible(flags.baseline ?? '')}`);
  if (choice !== undefined)
    screen.answer(`partial: ${choice.keys.size} of ${counted(choice.of, 'record')}, with what they need`);
  return exit;
}

/** The files, and of a partial check only what concerns it. */
async function readChosen(flags: CheckFlags, screen: Screen, world: World) {
  const printer = eventPrinter(screen, world.clock);
  try {
    printer.emit({ type: 'phase', phase: 'read files' });
    const settings = await loadSettings(flags, world);
    const wanted = await wantedBy(flags, settings, world);
    const all = await readContent(settings, flags, world, { keepsFiles: true });
    if (wanted === undefined) return { settings, ...all, choice: undefined };
    const choice = chosenFrom(wanted, all.content.state, { records: new Map() });
    return { settings, ...narrowed(all, wanted), choice };
  } finally {
    printer.close();
  }
}

/** Whether they have a home is the service's to say, and it is not asked here. */
function awaitingIn({ state }: LoadedContent): number {
  return state.files?.size ?? 0;
}

function awaitingLine(count: number, { file }: Settings): string {
  const elsewhere =
    file.assets?.upload === undefined
      ? 'set `assets` in kbsync.yaml'
      : 'the command of `assets.upload` runs for each';
  return `${counted(count, 'image or file', 'images and files')} will be sent to the service if it keeps files (kbsync serve does); for one that does not, ${elsewhere}`;
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
