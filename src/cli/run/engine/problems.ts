import type { LoadedContent } from '../../../content/options.ts';
import { visible } from '../../../model/visible.ts';
import { annotate, printFindings, writeFindings, type FilesRead } from '../read-files.ts';
import { EXIT } from '../exit.ts';
import { stoppedDocument } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { findingSum } from '../../print/problems.ts';
import { reportText } from '../../print/report.ts';
import { errorOfMore, isPartlyPublishable } from '../../../sync/publishable.ts';
import type { EngineOptions, CommandRun } from './prepare.ts';

/** Errors of single files hold up their own records, in a run over all records; saved plans want the files as they were. */
export function mayRun(
  { hasErrors, content }: FilesRead,
  { command, ignoresProblems }: EngineOptions,
): boolean {
  if (!hasErrors || ignoresProblems === true) return true;
  return (command === 'plan' || command === 'sync') && isPartlyPublishable(content);
}

/** Errors come before what the run does without their files; reports and documents hold them themselves. */
export async function showErrors(
  { findings, content }: FilesRead,
  { flags, screen, world, options }: CommandRun,
): Promise<void> {
  const isText = !screen.isJson && (flags.format === undefined || flags.format === 'text');
  if (!isText || options.ignoresProblems === true) return;
  const errors = findings.filter(({ severity }) => severity === 'error');
  await writeFindings(errors, screen.complain, { screen, world, hasFrames: screen.stderr.isTTY });
  const held = counted(content.faulty.length, 'record waits', 'records wait');
  const them = errors.length === 1 ? 'it is' : 'they are';
  screen.complain(`${findingSum(errors, content.state.fileCount)}; ${held} until ${them} fixed\n`);
}

export async function stopForProblems(
  { findings, content }: FilesRead,
  { flags, screen, world, options }: CommandRun,
): Promise<number> {
  const command = options.command === 'plan' ? 'plan' : 'sync';
  const document = stoppedDocument(command, findings);
  const report = reportText(flags.format, { command, findings, notices: [], document }, world);
  const end = `${findingSum(findings, content.state.fileCount)}; nothing was sent${stoppingWords(content)}`;
  if (report !== undefined) {
    screen.answer(report);
    if (flags.format !== 'github') annotate(findings, screen, world);
    screen.complain(end);
    return EXIT.failed;
  }
  if (screen.isJson) {
    screen.document(document);
    annotate(findings, screen, world);
  } else {
    const hasFrames = screen.stderr.isTTY;
    await printFindings(findings, screen.complain, { screen, world, hasFrames });
  }
  screen.complain(end);
  return EXIT.failed;
}

/** Errors of single files hold up their own records only; one of another kind, among them, is what stops the run. */
function stoppingWords(content: LoadedContent): string {
  const wider = content.faulty.length === 0 ? undefined : errorOfMore(content);
  if (wider === undefined) return '';
  return `: the error at ${visible(wider.at.file)} may concern any record, so the other files wait for it`;
}
