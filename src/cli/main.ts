import { CommanderError } from '@commander-js/extra-typings';
import { EXIT } from './run/exit.ts';
import { failureOf, type Failure } from './run/failure.ts';
import { failureDocument } from './print/json.ts';
import { visible } from '../model/visible.ts';
import { plainChoice } from './help.ts';
import { createProgram } from './program.ts';
import { findingFrames, findingLine, annotations, type Finding } from './print/problems.ts';
import { screen, type Screen } from './print/terminal/screen.ts';
import { ConfigError } from '../config/settings.ts';
import type { World } from './world.ts';

/**
 * Runs one command line, without the program's name. Resolves to the exit code; prints every known failure.
 * Throws bugs only.
 */
export async function main(argv: readonly string[], world: World): Promise<number> {
  let exit: number = EXIT.done;
  const program = createProgram(world, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync(asked(argv, new Set(program.commands.map((command) => command.name()))), {
      from: 'user',
    });
    return exit;
  } catch (error) {
    const failure = error instanceof CommanderError ? usageFailure(error) : failureOf(error);
    if (failure === undefined) throw error;
    if (failure.exit === EXIT.done) return EXIT.done; // --help and --version
    const view = screen(world, {
      json: wantsJson(argv),
      quiet: false,
      verbose: false,
      color: !argv.includes('--no-color'),
    });
    if (error instanceof ConfigError) await printConfigProblems(error, view, world);
    else if (!(error instanceof CommanderError)) printFailure(failure, view); // commander has printed its own
    if (view.isJson) {
      view.document(failureDocument(failure, error instanceof ConfigError ? configFindings(error) : []));
    }
    return failure.exit;
  }
}

/** `kbsync help sync` is `kbsync sync --help`; a command that does not exist has no help, and is told as such. */
function asked(argv: readonly string[], commands: ReadonlySet<string>): string[] {
  const words = argv[0] === 'help' ? [...argv.slice(argv[1] === 'help' ? 2 : 1), '--help'] : [...argv];
  const [name] = words;
  return name === undefined || name.startsWith('-') || commands.has(name) ? words : [name];
}

/** Whether `--json` or `--format json` was asked for, on a command line that may not be understood. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  return flags.some(
    (word, index) =>
      word === '--json' || word === '--format=json' || (word === 'json' && flags[index - 1] === '--format'),
  );
}

function usageFailure(error: CommanderError): Failure {
  const exit = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  return { code: 'usage', exit, message: plainChoice(error.message).replace(/^error: /, '') };
}

function printFailure(failure: Failure, view: Screen): void {
  const { red, bold } = view.errPaint;
  view.complain(`${bold(red(`error[${failure.code}]`))}${bold(`: ${shownMessage(failure.message)}`)}`);
  if (failure.help !== undefined) view.complain(`  = help: ${visible(failure.help)}`);
}

/** Some failures list records below their first line; every line is shown for itself. */
function shownMessage(message: string): string {
  return message.split('\n').map(visible).join('\n');
}

async function printConfigProblems(error: ConfigError, view: Screen, world: World): Promise<void> {
  const findings = configFindings(error);
  const frames = await findingFrames(findings, async () => error.source, view.errPaint);
  for (const [index, finding] of findings.entries()) {
    view.complain(view.stderr.isTTY ? `${frames[index] ?? ''}\n` : findingLine(finding));
  }
  if (view.hasAnnotations) {
    const paths = { cwd: world.cwd, workspace: world.env['GITHUB_WORKSPACE'] };
    for (const line of annotations(findings, paths)) view.complain(line);
  }
  view.complain(`${error.message}; nothing was sent`);
}

function configFindings(error: ConfigError): readonly Finding[] {
  return error.problems.map((problem) => ({
    severity: 'error',
    code: 'config',
    message: problem.message,
    at: problem.at,
    width: problem.width,
    ...(problem.help === undefined ? {} : { help: problem.help }),
  }));
}
