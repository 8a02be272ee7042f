/**
 * Words added and removed between two HTML texts, tags left out. Counted as multisets: a moved paragraph counts as
 * nothing, which is what "how much changed" should say in one line.
 */
export function wordChange(
  before: string,
  after: string,
): { readonly added: number; readonly removed: number } {
  const counts = new Map<string, number>();
  for (const word of wordsOf(before)) counts.set(word, (counts.get(word) ?? 0) - 1);
  for (const word of wordsOf(after)) counts.set(word, (counts.get(word) ?? 0) + 1);
  let added = 0;
  let removed = 0;
  for (const count of counts.values()) {
    if (count > 0) added += count;
    else removed -= count;
  }
  return { added, removed };
}

function wordsOf(html: string): readonly string[] {
  return html.replaceAll(/<[^>]*>/g, ' ').match(/\S+/g) ?? [];
}
