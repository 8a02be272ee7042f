import type { Difference, Verification } from '../sync/migrate/verify.ts';
import { counted, grouped } from './numbers.ts';
import { visible } from './plain.ts';
import type { Screen } from './screen.ts';

const LINES_MAX = 20;

/** What the comparison of both sides has shown. */
export function verificationLines(
  {
    verification,
    unverified,
  }: { readonly verification: Verification | undefined; readonly unverified: string | undefined },
  screen: Screen,
): readonly string[] {
  const { green, red } = screen.outPaint;
  if (unverified !== undefined) return [`${red('! not compared')}  ${visible(unverified)}`];
  if (verification === undefined) return [];
  const { compared, differences, rewritten } = verification;
  return [
    ...few(
      differences.map((difference) => `${red('! differs')}   ${differenceText(difference)}`),
      screen,
    ),
    ...(rewritten.length === 0
      ? []
      : [
          `  the target writes the HTML of ${counted(rewritten.length, 'record')} otherwise, with the same words and addresses`,
        ]),
    differences.length === 0
      ? green(`both sides equal: ${counted(compared, 'record')} compared`)
      : `${counted(differences.length, 'difference')} between both sides, ${counted(compared, 'record')} compared`,
  ];
}

function differenceText({ key, kind, id, code, why }: Difference): string {
  return visible(`${key ?? `${kind} ${id}`}  ${code === 'differs' ? '' : `${code}: `}${why}`);
}

/** The first lines, and how many more there are; all with `--verbose`. */
export function few(lines: readonly string[], { isVerbose }: Screen): readonly string[] {
  if (isVerbose || lines.length <= LINES_MAX) return lines;
  return [
    ...lines.slice(0, LINES_MAX),
    `  … ${grouped(lines.length - LINES_MAX)} more (--verbose shows all)`,
  ];
}
