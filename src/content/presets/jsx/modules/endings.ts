import { posix } from 'node:path';

const ENDINGS = ['', '.tsx', '.ts', '.jsx', '.js', '.mjs', '.astro', '.json'];

/** The files that an address without an ending may mean. */
export function withEndings(path: string): readonly string[] {
  const whole = posix.normalize(path);
  const bare = /\.(?:[cm]?tsx?|jsx?|mjs|mdx|astro|vue|json)$/.test(whole) ? [whole] : [];
  // TypeScript writes the ending of the file that it becomes.
  const written = whole.replace(/\.(m?)js(x?)$/, '.$1ts$2');
  return [
    ...bare,
    ...(written === whole ? [] : [written]),
    ...ENDINGS.slice(1).map((ending) => whole + ending),
    ...ENDINGS.slice(1, 5).map((ending) => posix.join(whole, `index${ending}`)),
  ];
}
