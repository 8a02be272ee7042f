/**
 * A language code in its usual spelling: `en-us`, `en_US` → `en-US`, `zh-hans-cn` → `zh-Hans-CN`; undefined for what is none.
 */
export function languageCode(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/** The language that most articles were written in first; of equals the first by name. */
export function mostFrequent(codes: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0];
}
