import type { ContentFolder } from '../../content/files/folder.ts';
import { csvCell } from '../../model/csv.ts';
import type { Redirect } from '../report.ts';

/** `old,new` with a head, sorted; a spreadsheet does not take a cell for a formula. */
export function redirectsCsv(redirects: readonly Redirect[]): string {
  const rows = redirects.map(({ from, to }) => `${cell(from)},${cell(to)}`);
  return `${['old address,new address', ...rows].join('\n')}\n`;
}

function cell(text: string): string {
  const safe = /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return csvCell(safe);
}

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
