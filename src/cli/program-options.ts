import { InvalidArgumentError } from 'commander';

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
