import { bodyOfFile } from '../../../content/front-matter/write.ts';
import type { MatterValue } from '../../../content/front-matter/write.ts';
import type { DesiredFields } from '../../../model/fields.ts';
import { bodyFieldOf, fieldsOf } from '../../../model/fields.ts';
import type { DesiredRecord } from '../../../model/record.ts';
import type { FileContext } from './record-file.ts';
import { writtenField } from './record-file.ts';
import type { PulledChange } from '../report.ts';
import type { Fetched } from '../reading/read-records.ts';

export interface ChangesInput {
  readonly record: Fetched;
  /** What the file says; undefined: there is none yet. */
  readonly desired: DesiredRecord | undefined;
  readonly fields: readonly string[];
  /** The texts of the file, with front matter. */
  readonly before: string;
  readonly after: string;
  readonly context: FileContext;
}

/** What the file says and what the site says, field by field; of a text the part that differs. */
export function changesOf({
  record,
  desired,
  fields,
  before,
  after,
  context,
}: ChangesInput): readonly PulledChange[] {
  const bodyField = bodyFieldOf(record.kind);
  return fields.map((field) => {
    if (field === bodyField) return { field, ...differingPart(bodyOfFile(before), bodyOfFile(after)) };
    const isReference = fieldsOf(record.kind).get(field)?.of !== undefined;
    return {
      field,
      before: shortened(shown(desired?.fields[field], isReference)),
      after: shortened(shown(writtenField(record, field, context), false)),
    };
  });
}

function shown(value: DesiredFields[string] | MatterValue | undefined, isReference: boolean): string {
  if (value === undefined || value === null) return '';
  const texts = (Array.isArray(value) ? value : [value]).map(String);
  return texts.map((text) => (isReference ? text.slice(text.indexOf('/') + 1) : text)).join(', ');
}

const CHARS_MAX = 200;

/** Two texts without the words that both begin with, and that both end with. */
function differingPart(before: string, after: string): { readonly before: string; readonly after: string } {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const part = (words: readonly string[]): string =>
    shortened(
      words
        .slice(start, words.length - end)
        .join('')
        .trim(),
    );
  return { before: part(a), after: part(b) };
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}

function shortened(text: string): string {
  return text.length > CHARS_MAX ? `${text.slice(0, CHARS_MAX).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
}
