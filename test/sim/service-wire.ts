import type { Row, SimKind } from './service-words.ts';

/** `{value: id}` objects become ids. */
export function wireFields(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((ref: { value: string }) => ref.value) : value,
    ]),
  );
}

export function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}

export function pathOf(kind: SimKind): string {
  return kind === 'category' ? 'categories' : `${kind}s`;
}

export function etagOf(row: Row | undefined): string {
  return row === undefined ? '"none"' : `"${row.id}.${row.version}"`;
}

export function dated(row: Row, before?: Row): Readonly<Record<string, string>> {
  return {
    'kb-last-edited': listDate(row.editedMs),
    ...(before === undefined ? {} : { 'kb-previous-edited': listDate(before.editedMs) }),
  };
}

/** Micros in text: only equality and order matter to anybody. */
export function listDate(ms: number): string {
  return ms.toFixed(4);
}
