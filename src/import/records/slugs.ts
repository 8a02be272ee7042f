import { oneLine } from '../text/plain-text.ts';

const CHARS_MAX = 80;

/** A title as one part of an address: lower case, letters and digits of any script, `-` for the rest; may be empty. */
export function slugOf(title: string): string {
  const slug = oneLine(title)
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  const letters = Array.from(slug);
  if (letters.length <= CHARS_MAX) return slug;
  const cut = letters.slice(0, CHARS_MAX).join('');
  return (cut.lastIndexOf('-') > CHARS_MAX / 2 ? cut.slice(0, cut.lastIndexOf('-')) : cut).replace(/-+$/, '');
}

interface Named {
  readonly kind: string;
  readonly id: string;
  readonly mark: string;
  readonly lang: string;
  readonly title: string;
  readonly slug?: string | undefined;
}

/**
 * Gives each record a slug that no other of its kind and language has. All that would share one take the mark of their
 * source's id, so the order of reading plays no part.
 */
export function freeSlugs<R extends Named>(records: readonly R[]): ReadonlyMap<R, string> {
  const wanted = new Map(records.map((record) => [record, wantedSlug(record)]));
  const sharers = new Map<string, Set<string>>();
  const place = (record: R, slug: string): string => `${record.kind} ${record.lang} ${slug.toLowerCase()}`;
  for (const [record, slug] of wanted) {
    const at = place(record, slug);
    sharers.set(at, (sharers.get(at) ?? new Set()).add(record.id));
  }
  const slugs = new Map<R, string>();
  const used = new Map<string, string>();
  for (const record of [...records].sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)))) {
    const slug = wanted.get(record) ?? record.mark;
    const isShared = (sharers.get(place(record, slug))?.size ?? 0) > 1;
    let free = isShared ? `${slug}-${slugOf(record.mark)}` : slug;
    for (let count = 2; !isFree(free, record); count += 1) free = `${slug}-${slugOf(record.mark)}-${count}`;
    used.set(place(record, free), record.id);
    slugs.set(record, free);
  }
  return slugs;

  function isFree(slug: string, record: R): boolean {
    const holder = used.get(place(record, slug));
    if (holder !== undefined) return holder === record.id;
    const wish = sharers.get(place(record, slug));
    return wish === undefined || wish.size > 1 || wish.has(record.id);
  }
}

/** The source's own where it can stand in an address. */
function wantedSlug({ slug, title, mark }: Named): string {
  const own = slugOf(slug ?? '');
  if (own !== '') return own;
  const made = slugOf(title);
  return made === '' ? slugOf(mark) || 'untitled' : made;
}
