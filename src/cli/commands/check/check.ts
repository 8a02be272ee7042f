import { EXIT } from '../../run/exit.ts';
import { annotate, printFindings, readContent } from '../../run/read-files.ts';
import type { CheckFlags } from './command.ts';
import { checkDocument } from '../../print/json.ts';
import { counted } from '../../print/numbers.ts';
import { eventPrinter } from '../../print/events.ts';
import { findingSum } from '../../print/problems.ts';
import { reportText } from '../../print/report.ts';
import { screen as screenOf } from '../../print/screen.ts';
import { loadSettings } from '../../../config/settings.ts';
import type { LeftOut } from '../../../content/options.ts';
import { visible } from '../../../model/visible.ts';
import type { World } from '../../world.ts';

/** `kbsync check`: problems only, no network. Exit 1 when there is an error, 0 with warnings. */
export async function check(flags: CheckFlags, world: World): Promise<number> {
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
  if (flags.verbose) for (const line of leftOutLines(read.content.leftOut?.() ?? [])) screen.answer(line);
  await printFindings(findings, screen.answer, { screen, world, hasFrames: screen.hasFrames });
  screen.answer(
    findings.length === 0
      ? `${counted(state.fileCount, 'file')}, ${counted(state.languages.length, 'language')}, nothing wrong`
      : findingSum(findings, state.fileCount),
  );
  return exit;
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
