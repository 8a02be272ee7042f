import { structuredPatch } from 'diff';
import type { PastChange } from '../../../base/history/history.ts';
import type { FieldValue } from '../../../model/fields.ts';

/** What each changed field said before and after: short values on one line, texts as the lines that differ. */
export function diffLinesOf({ before, after = {} }: PastChange): readonly string[] {
  return Object.entries(after).flatMap(([field, now]) => {
    if (before === undefined) return [`${field}: the service did not show what it said before`];
    const old = before.fields[field];
    const labels = { ...before.labels };
    const [was, is] = [textOf(old, labels), textOf(now, labels)];
    if (!was.includes('\n') && !is.includes('\n')) return [`${field}: ${was} → ${is}`];
    const { hunks } = structuredPatch('', '', `${was}\n`, `${is}\n`, '', '', { context: 1 });
    return [`${field}:`, ...hunks.flatMap(({ lines }) => lines)];
  });
}

/** A body has a line for each block; an id is shown with its name. */
function textOf(value: FieldValue | undefined, labels: Readonly<Record<string, string>>): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'object') return value.map((id) => labels[id] ?? id).join(', ') || 'none';
  return String(value)
    .replaceAll(/(<\/(?:p|h[1-6]|li|ul|ol|pre|table|tr|blockquote|details)>)\s*/g, '$1\n')
    .trim();
}
