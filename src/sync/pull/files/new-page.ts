import { fieldEntry, neighbourIn, saysField } from '../../../content/document/written-fields.ts';
import { newFrontMatter } from '../../../content/front-matter/write.ts';
import type { MatterEntry } from '../../../content/front-matter/write.ts';
import { headingTitle } from '../../../content/presets/syntax/heading-title.ts';
import { unsaid } from '../../../content/splicing/constructs.ts';
import { nameFieldOf } from '../../../model/fields.ts';
import type { Key } from '../../../model/key.ts';
import type { PullRun } from '../context.ts';
import { spellingOf, termName } from './edit-file.ts';
import { markdownOf } from './markdown-of.ts';
import type { Proposal } from '../proposals/proposal.ts';
import type { Fetched } from '../reading/read-records.ts';
import { newValues } from './record-file.ts';

/** A page of another system's layout, with the keys that the page beside it uses. */
export function newPage(
  record: Fetched,
  at: { readonly key: Key; readonly file: string },
  run: PullRun,
): Proposal | { readonly why: string } {
  const { layout, folder } = run.options;
  const place = layout.preset.place(at.file);
  if (place.role !== 'document') return { why: 'this layout would not read a file in that place' };
  const spelling = spellingOf(run);
  const beside = run.places.besideOf?.(at.file);
  const text = beside === undefined ? undefined : folder.read(beside);
  const neighbour = neighbourIn(text ?? '', spelling);
  const { markdown, text: kept } = markdownOf(record, at.file, run);
  const construct = unsaid(markdown, '', layout.preset.name);
  if (construct !== undefined) return { why: `this layout cannot write ${construct}` };
  const name = nameFieldOf(record.kind);
  const isHeading =
    spelling.dialect?.hasHeadingTitles === true &&
    text !== undefined &&
    !saysField(name, spelling, neighbour);
  // A heading that its text begins with would be read as its title.
  const isBelowHeading =
    spelling.dialect?.showsOwnHeading === true && headingTitle(markdown)?.isLeading === true;
  const entries: MatterEntry[] = [];
  for (const [field, value] of newValues(record, markdown, place, run.context)) {
    if (field === name && isHeading) continue;
    const isTerms = field === 'tags' || field === 'categories';
    const names =
      isTerms && Array.isArray(value)
        ? value.map((path) => termName(field === 'tags' ? 'tag' : 'category', String(path), record, run))
        : value;
    const entry = fieldEntry(field, names, spelling, {
      values: new Map([...neighbour.values].map(([key]) => [key, undefined])),
    });
    // Its navigation says the order, and the page is in it already.
    if (entry === undefined && field === 'ordering') continue;
    if (entry === undefined) return { why: `this layout has no key for \`${field}\`` };
    entries.push(entry);
  }
  const head = entries.length === 0 ? '' : nested(newFrontMatter(entries));
  const title =
    isHeading || isBelowHeading ? `${head === '' ? '' : '\n'}# ${String(record.fields[name])}\n` : '';
  const gap = head + title === '' || markdown === '' ? '' : '\n';
  return {
    key: at.key,
    record,
    file: at.file,
    before: undefined,
    after: `${head}${title}${gap}${markdown}`,
    fields: [],
    ...kept,
    entry: run.places.entryOf?.(at.file),
  };
}

/** `sidebar.order: 1` as a key inside of one. */
function nested(matter: string): string {
  return matter.replaceAll(/^([\w-]+)\.([\w-]+): (.*)$/gm, '$1:\n  $2: $3');
}
