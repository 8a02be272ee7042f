import { foreignFields } from './foreign-fields.ts';
import type { FrontMatter } from './front-matter.ts';
import { labelsFor } from './labels.ts';
import { editedText } from './presets/edits.ts';
import type { Dialect, Edit, EditedText, Translation } from './presets/preset.ts';
import { headingTitle } from './presets/heading-title.ts';
import type { DocumentOptions, DocumentPlace } from './read-fields.ts';
import { START } from './source-text.ts';
import type { LocalProblem } from './source-text.ts';

export interface ForeignBody extends EditedText {
  readonly hasHeadingTitle: boolean;
}

export interface ForeignDocument {
  /** The front matter with our meanings; its body is still the author's. */
  readonly source: FrontMatter;
  /** Our field → the key it was found under. */
  readonly fields: Readonly<Record<string, string>>;
  /** Addresses of the page in its own system, besides the one of its path. */
  readonly addresses: readonly string[];
  readonly body: ForeignBody;
  readonly problems: readonly LocalProblem[];
}

type ForeignOptions = DocumentOptions & { readonly dialect: Dialect };

/** What another system's file says, in our words. */
export function foreignDocument(
  written: FrontMatter,
  place: DocumentPlace,
  options: ForeignOptions,
): ForeignDocument {
  const { source, fields, addresses } = foreignFields(written, place, options.dialect, options.fields);
  const translation = translated(written.body, place, options);
  const plain = editedText(written.body, translation.edits);
  const name = place.kind === 'article' ? 'title' : 'name';
  const key = fields[name] ?? name;
  const said = source.values.get(key);
  const isNamed = said !== undefined && said !== null && said !== '';
  const heading = isNamed || !options.dialect.hasHeadingTitles ? undefined : headingTitle(plain.text);
  const title = isNamed ? undefined : (place.title ?? heading?.title);
  const hasHeadingTitle = heading !== undefined && place.title === undefined;
  const values = new Map(source.values);
  if (title !== undefined) values.set(key, title);
  if (place.isDraft === true && place.kind === 'article') values.set(fields['status'] ?? 'status', 'draft');
  const line = (heading?.line ?? 1) + written.bodyLine - 1;
  return {
    source: {
      ...source,
      values,
      typed: () => (title === undefined ? source.typed() : new Map([...source.typed(), [key, title]])),
      spotOf: (wanted) => {
        if (wanted !== key || title === undefined) return source.spotOf(wanted);
        return hasHeadingTitle ? { line, column: 1 } : START;
      },
    },
    fields,
    addresses,
    body: { ...bodyText(written.body, translation, hasHeadingTitle), hasHeadingTitle },
    problems: translation.problems.map((problem) => ({
      ...problem,
      spot: { line: problem.spot.line + written.bodyLine - 1, column: problem.spot.column },
    })),
  };
}

/** A body as our Markdown, when it is rendered again. */
export function foreignBodyText(
  body: string,
  place: DocumentPlace,
  options: ForeignOptions,
  hasHeadingTitle: boolean,
): string {
  return bodyText(body, translated(body, place, options), hasHeadingTitle).text;
}

function translated(
  body: string,
  place: DocumentPlace,
  { dialect, components }: ForeignOptions,
): Translation {
  return dialect.translate(body, {
    rules: components ?? {},
    labels: labelsFor(place.lang),
    isMdx: place.isMdx === true,
  });
}

function bodyText(body: string, { edits }: Translation, hasHeadingTitle: boolean): EditedText {
  const plain = editedText(body, edits);
  if (!hasHeadingTitle) return plain;
  const heading = headingTitle(plain.text);
  if (heading === undefined) return plain;
  const cut: Edit = { start: heading.start, end: heading.end, text: '' };
  const without = editedText(plain.text, [cut]);
  return { text: without.text, sourceSpot: (spot) => plain.sourceSpot(without.sourceSpot(spot)) };
}
