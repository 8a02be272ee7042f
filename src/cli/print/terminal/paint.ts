import type { Env } from '../../../machine/machine.ts';

/** Characters beyond ASCII that we print ourselves, with what stands for them where the locale is not UTF-8. */
export interface Glyphs {
  readonly arrow: string;
  readonly minus: string;
  readonly full: string;
  readonly half: string;
  readonly empty: string;
}

const UNICODE: Glyphs = { arrow: '→', minus: '−', full: '━', half: '╸', empty: '━' };
const ASCII: Glyphs = { arrow: '->', minus: '-', full: '=', half: '>', empty: '.' };

/** The first of LC_ALL, LC_CTYPE and LANG that is set decides, as POSIX has it. */
export function glyphs(env: Env): Glyphs {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (value) => value !== undefined && value !== '',
  );
  return locale !== undefined && /utf-?8/i.test(locale) ? UNICODE : ASCII;
}

/** Colour repeats what `+ ~ - !` and words already say; it never carries meaning of its own. */
export interface Paint {
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

/**
 * Whether one stream gets colour, asked for stdout and stderr apart: `--no-color`, then a non-empty NO_COLOR
 * (no-color.org), then FORCE_COLOR, then a terminal that is not `dumb`. `CI` alone paints nothing.
 */
export function hasColour(isTTY: boolean, env: Env, noColor: boolean): boolean {
  if (noColor || isSet(env['NO_COLOR'])) return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTTY && env['TERM'] !== 'dumb';
}

export function paint(isOn: boolean): Paint {
  const code = (open: number, close: number) => (text: string) =>
    isOn && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    red: code(31, 39),
    green: code(32, 39),
    yellow: code(33, 39),
    cyan: code(36, 39),
    bold: code(1, 22),
    dim: code(2, 22),
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
