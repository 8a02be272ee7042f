import type { Env } from './colour.ts';

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
