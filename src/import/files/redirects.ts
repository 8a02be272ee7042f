import type { ContentFolder } from '../../content/files/folder.ts';
import { redirectsCsv } from '../../model/address/redirect.ts';
import type { Redirect } from '../report.ts';

/** Writes the file under the first name that is free or says the same already. @returns the name, or why there is none */
export function writeRedirects(
  folder: ContentFolder,
  redirects: readonly Redirect[],
): { readonly file: string } | { readonly why: string } {
  const csv = redirectsCsv(redirects);
  for (let count = 1; ; count += 1) {
    const file = count === 1 ? 'redirects.csv' : `redirects-${count}.csv`;
    const before = folder.read(file);
    if (before === csv) return { file };
    if (before !== undefined) continue;
    const why = folder.create(file, csv);
    return why === undefined ? { file } : { why };
  }
}
