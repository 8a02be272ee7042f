import type { Env } from '../../../machine/machine.ts';
import { hasColour, paint, type Paint } from './paint.ts';
import { glyphs, type Glyphs } from './paint.ts';
import { visibleJson } from './text.ts';
import type { Output, World } from '../../world.ts';

/** How much is said: `--quiet` only the answer and errors, `--verbose` each request and each field. */
export interface Screen {
  /** The answer, on stdout. With `--json` that is one document and nothing else. */
  readonly answer: (text: string) => void;
  /** Errors and questions, on stderr, always. */
  readonly complain: (text: string) => void;
  /** Talk, on stderr; silent with `--quiet`. */
  readonly talk: (text: string) => void;
  /** The one JSON document. */
  readonly document: (value: object) => void;
  readonly outPaint: Paint;
  readonly errPaint: Paint;
  readonly glyphs: Glyphs;
  readonly stderr: Output;
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  readonly isVerbose: boolean;
  /** stderr is a terminal that can redraw a line. */
  readonly canRedraw: boolean;
  readonly hasAnnotations: boolean;
  /** stdout is a terminal: code frames instead of one line per problem, and no annotations. */
  readonly hasFrames: boolean;
}

export interface ScreenFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

export function screen(world: World, flags: ScreenFlags): Screen {
  const onGitHub = world.env['GITHUB_ACTIONS'] === 'true';
  const guard = (text: string): string => safeForLogs(text, keysIn(world.env), onGitHub);
  const out = (text: string): void => world.stdout.write(`${guard(text)}\n`);
  const err = (text: string): void => world.stderr.write(`${guard(text)}\n`);
  return {
    answer: out,
    complain: err,
    talk: (text) => {
      if (!flags.quiet) err(text);
    },
    document: (value) => {
      for (const piece of visibleJson(value)) world.stdout.write(guard(piece));
      world.stdout.write('\n');
    },
    outPaint: paint(hasColour(world.stdout.isTTY, world.env, !flags.color)),
    errPaint: paint(hasColour(world.stderr.isTTY, world.env, !flags.color)),
    glyphs: glyphs(world.env),
    stderr: {
      write: (text) => world.stderr.write(guard(text)),
      isTTY: world.stderr.isTTY,
      get columns() {
        return world.stderr.columns;
      },
    },
    isJson: flags.json,
    isQuiet: flags.quiet,
    isVerbose: flags.verbose,
    canRedraw: world.stderr.isTTY && world.env['TERM'] !== 'dumb' && !onGitHub,
    hasAnnotations: onGitHub,
    hasFrames: world.stdout.isTTY,
  };
}

/**
 * The last gate: no key ever leaves by this way even when a service echoes it, and `##[…]`, which GitHub's runner
 * obeys anywhere in a line, loses its bracket.
 */
export function safeForLogs(text: string, keys: readonly string[], onGitHub: boolean): string {
  const hidden = keys
    .filter((key) => key.length >= 8)
    .reduce((safe, key) => safe.replaceAll(key, '***'), text);
  return onGitHub ? hidden.replaceAll('##[', '## [') : hidden;
}

/** Every key that the environment holds. */
export function keysIn(env: Env): readonly string[] {
  return KEY_NAMES.flatMap((name) => env[name] ?? []);
}

const KEY_NAMES = [
  'KBSYNC_API_KEY',
  'KBSYNC_FROM_KEY',
  'KBSYNC_TO_KEY',
  'KBSYNC_STATE_PASSWORD',
  'KBSYNC_STATE_TOKEN',
  'PGPASSWORD',
  'KBSYNC_FORGE_TOKEN',
  'GITHUB_TOKEN',
];
