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

/** How many `**` a line may have: with each more, the library needs a hundred times as long for a deep path. */
const STARS_MAX = 3;

/**
 * Lines as in `.gitignore` that end soon. Nobody writes one with more than three `**`: it leaves out all below its third, so never less than it says, and one that would
 * bring files back (`!`) says nothing.
 */
export function tameIgnoreLines(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const plain = line.replaceAll(/(?:\*\*\/){2,}/g, '**/');
      const stars = [...plain.matchAll(/\*\*/g)];
      const third = stars[STARS_MAX - 1]?.index ?? 0;
      if (stars.length <= STARS_MAX) return [plain];
      return plain.startsWith('!') ? [] : [plain.slice(0, third + 2)];
    })
    .join('\n');
}
