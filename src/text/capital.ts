/** The word with a capital in front; its other letters stay. */
export function withCapital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
