/** A glob that people write: as a regular expression, others may take longer than anybody waits. */
export function isTameGlob(pattern: string): boolean {
  const count = (sign: RegExp, text = pattern): number => text.match(sign)?.length ?? 0;
  return (
    pattern.length <= GLOB_CHARS_MAX &&
    count(/\{/g) <= 6 &&
    count(/[@!+?*]\(/g) <= 2 &&
    count(/\*\*/g) <= 4 &&
    !/\d{4}\.\.|\.\.\d{4}/.test(pattern) &&
    pattern.split('/').every((name) => count(/\*+/g, name) <= 4)
  );
}

/** Longer than any path. */
export const GLOB_CHARS_MAX = 4096;
