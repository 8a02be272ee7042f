import type { PulledText } from '../../sync/pull/report.ts';
import { counted, grouped } from './terminal/numbers.ts';

interface WithText {
  readonly text?: PulledText;
}

/** How well texts came across as Markdown, in words. */
export function textLines(
  records: readonly WithText[],
  { html }: { readonly html: 'sanitize' | 'trust' },
): readonly string[] {
  const { texts, clean, raw, cleaned, dropped, inexact } = textCounts(records);
  if (texts === 0) return [];
  return [
    `text: ${grouped(clean)} of ${grouped(texts)} clean Markdown${listed(', HTML kept for', raw)}${listed('; cleaned of', cleaned)}`,
    ...(Object.keys(dropped).length === 0 || html === 'trust'
      ? []
      : [`a sync would leave out${listed('', dropped)}; \`html: trust\` in kbsync.yaml keeps it`]),
    ...(inexact === 0
      ? []
      : [`${counted(inexact, 'text')} would not come back as it is on the site; --json names them`]),
  ];
}

/** The same in numbers; names with the number of texts. */
export function textCounts(records: readonly WithText[]) {
  const texts = records.flatMap(({ text }) => (text === undefined ? [] : [text]));
  return {
    texts: texts.length,
    clean: texts.filter(({ raw, isExact }) => isExact && raw.length === 0).length,
    inexact: texts.filter(({ isExact }) => !isExact).length,
    raw: tally(texts.flatMap(({ raw }) => raw)),
    cleaned: tally(texts.flatMap(({ cleaned }) => cleaned)),
    dropped: tally(texts.flatMap(({ dropped }) => dropped)),
  };
}

/** The most frequent first, with the number of texts. */
export function listed(before: string, names: Readonly<Record<string, number>>): string {
  const entries = Object.entries(names).sort(([, a], [, b]) => b - a);
  return entries.length === 0
    ? ''
    : `${before} ${entries.map(([name, count]) => `${name} (${grouped(count)})`).join(', ')}`;
}

export function tally(names: readonly string[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const name of names) sums[name] = (sums[name] ?? 0) + 1;
  return sums;
}
