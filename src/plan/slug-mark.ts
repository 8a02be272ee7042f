/**
 * The slug a record bears while another takes its own: a run that exchanges slugs, or that deletes a record whose slug
 * is wanted, moves it out of the way. A run that dies in between leaves it behind, and the next one knows it as ours.
 */
export function freeSlug(slug: string, random: () => number): string {
  const mark = Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
  return `${slug}--kbsync-${mark}`;
}

export function withoutMark(slug: string): string {
  return slug.replace(/--kbsync-[0-9a-f]{8}$/, '');
}
