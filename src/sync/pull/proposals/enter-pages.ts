import type { PullRun } from '../context.ts';
import { entriesOf } from './proposal.ts';
import type { Proposal } from './proposal.ts';
import type { PulledRecord } from '../report.ts';

/**
 * Writes the entries of new pages, and titles, into navigations; after the pages, because a navigation that names no file stops the build
 * of a site. What it gives belongs to the record of each file; `why`: its navigation does not say it.
 */
export function enterPages(
  written: readonly Proposal[],
  { options: { content, folder, wanted } }: PullRun,
): ReadonlyMap<string, Pick<PulledRecord, 'why' | 'navigations'>> {
  const entries = entriesOf(written);
  const ends = new Map<string, { why?: string; navigations?: readonly string[] }>();
  if (entries.pages.length + entries.titles.length + entries.labels.length === 0) return ends;
  const texts = new Map<string, string>();
  // As the file stands there, with its line ends.
  const read = (path: string): string | undefined => {
    const text = folder.read(path);
    if (text !== undefined) texts.set(path, text);
    return text;
  };
  const entered = content.editing?.().entered(entries, read);
  for (const [path, { text, pages }] of entered ?? []) {
    const why = wanted.dryRun ? undefined : folder.replace(path, texts.get(path) ?? '', text);
    for (const page of pages) {
      const end = ends.get(page);
      if (why === undefined && page === path) continue;
      if (why === undefined) ends.set(page, { ...end, navigations: [...(end?.navigations ?? []), path] });
      else ends.set(page, { ...end, why: `${path} does not say it: ${why}` });
    }
  }
  for (const { page } of entries.pages)
    if (!ends.has(page)) ends.set(page, { why: 'its navigation changed meanwhile, and does not name it' });
  return ends;
}
