/** Heading ids as GitHub makes them, numbered where they repeat; one counter per document. */
export function headingIds(): (text: string, explicit?: string) => string {
  const used = new Map<string, number>();
  return (text, explicit) => {
    const wanted = explicit ?? headingSlug(text);
    let id = wanted;
    let count = used.get(wanted) ?? 0;
    while (used.has(id)) {
      count += 1;
      id = `${wanted}-${count}`;
    }
    used.set(wanted, count);
    used.set(id, used.get(id) ?? 0);
    return id;
  };
}

/** Lower case; letters, digits, marks, `_` and `-` stay, blanks become `-`, the rest goes. */
export function headingSlug(text: string): string {
  if (/^[\w -]*$/.test(text)) return text.trim().toLowerCase().replaceAll(' ', '-');
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
