import type { Recognised } from './recognised.ts';

/** `0.7`, `v2.1.x`, `v3`: a folder of one version. A number alone may be a chapter. */
const VERSION = /^(?:v\d+|v?\d+(?:\.(?:\d+|x))+)$/i;

/** Of a version with a smaller part of the pages somebody has only begun to write. */
const BEGUN = 1 / 4;

/** Of sites that differ in the version in their path alone, the newest goes before the one with most pages; the others keep their order. */
export function newestFirst(ranked: readonly Recognised[]): readonly Recognised[] {
  const [first] = ranked;
  const own = first === undefined ? undefined : versionIn(first.because);
  if (first === undefined || own === undefined) return ranked;
  let newest = { site: first, numbers: own.numbers };
  for (const site of ranked) {
    const isWritten = site.pages >= first.pages * BEGUN;
    const version = isWritten && site.preset === first.preset ? versionIn(site.because) : undefined;
    if (version?.around === own.around && isNewer(version.numbers, newest.numbers))
      newest = { site, numbers: version.numbers };
  }
  return [newest.site, ...ranked.filter((site) => site !== newest.site)];
}

function versionIn(
  path: string,
): { readonly around: string; readonly numbers: readonly number[] } | undefined {
  const parts = path.split('/');
  const at = parts.findIndex((part) => VERSION.test(part));
  const part = parts[at];
  if (part === undefined) return undefined;
  const numbers = part.match(/\d+|x/gi)?.map((word) => (/x/i.test(word) ? Infinity : Number(word))) ?? [];
  return { around: parts.with(at, '*').join('/'), numbers };
}

function isNewer(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((number, index) => number !== (b[index] ?? -1));
  return at >= 0 && (a[at] ?? -1) > (b[at] ?? -1);
}
