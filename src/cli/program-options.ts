import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommonFlags } from './flags.ts';
import { REPORT_FORMATS } from './report-format.ts';

/** The block below a command's help. */
export function examples(...commands: readonly string[]): string {
  return `\n${commands.length === 1 ? 'Example' : 'Examples'}:\n${commands.map((line) => `  $ ${line}`).join('\n')}`;
}

/** A parser for a number flag; what is no number in the range is a usage error. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
    throw new InvalidArgumentError(`It takes a whole number ${range}.`);
  };
}

/** For flags that may be repeated. */
export function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** `--format`, for the commands whose findings other programs read. */
export function withFormat(command: Command): Command {
  return command.addOption(
    new Option('--format <name>', 'how stdout is written').choices(REPORT_FORMATS).conflicts('json'),
  );
}

/** `--format json` is `--json`. */
export function reporting<F extends CommonFlags>(flags: F): F {
  return flags.format === 'json' ? { ...flags, json: true } : flags;
}
