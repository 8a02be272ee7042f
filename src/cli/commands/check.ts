import { EXIT } from '../exit.ts';
import { annotate, printFindings, readContent } from '../files-run.ts';
import type { CommonFlags } from '../flags.ts';
import { checkDocument } from '../json.ts';
import { counted } from '../numbers.ts';
import { eventPrinter } from '../print-event.ts';
import { findingSum } from '../print-problems.ts';
import { reportText } from '../print-report.ts';
import { screen as screenOf } from '../screen.ts';
import { loadSettings } from '../settings.ts';
import type { World } from '../world.ts';

/** `kbsync check`: problems only, no network. Exit 1 when there is an error, 0 with warnings. */
export async function check(flags: CommonFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  const printer = eventPrinter(screen, world.clock);
  let read;
  try {
    printer.emit({ type: 'phase', phase: 'read files' });
    read = await readContent(await loadSettings(flags, world), flags, world);
  } finally {
    printer.close();
  }
  const { state } = read.content;
  const { findings } = read;
  const exit = read.hasErrors ? EXIT.failed : EXIT.done;
  const document = checkDocument(findings, { files: state.fileCount, languages: state.languages.length });
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
  await printFindings(findings, screen.answer, { screen, world, hasFrames: screen.hasFrames });
  screen.answer(
    findings.length === 0
      ? `${counted(state.fileCount, 'file')}, ${counted(state.languages.length, 'language')}, nothing wrong`
      : findingSum(findings, state.fileCount),
  );
  return exit;
}
