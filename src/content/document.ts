import { digestOfText } from '../model/digest.ts';
import type { Digest } from '../model/digest.ts';
import type { Fields } from '../model/fields.ts';
import type { Kind } from '../model/key.ts';
import { cutExcerpt, firstParagraph } from './excerpt.ts';
import { foreignDocument } from './foreign-document.ts';
import type { ForeignBody } from './foreign-document.ts';
import { frontMatter } from './front-matter.ts';
import type { FrontMatter } from './front-matter.ts';
import { outlineOf } from './outline.ts';
import type { Outline } from './outline.ts';
import { readFields } from './read-fields.ts';
import type { DocumentOptions, DocumentPlace, Reference, ReferenceField } from './read-fields.ts';
import type { LocalProblem, Spot } from './source-text.ts';

/** What one file says by itself, before other files are known. Plain JSON: it is what the cache keeps. */
export interface SourceDocument {
  /** Fields the author owns, references left out. */
  readonly fields: Fields;
  /** References as written; null clears. */
  readonly references: Readonly<Partial<Record<ReferenceField, readonly Reference[] | null>>>;
  readonly spots: Readonly<Record<string, Spot>>;
  readonly translationKey?: string;
  readonly derivedExcerpt?: string;
  /** Addresses of the page in another system, where its front matter names them. */
  readonly addresses?: readonly string[];
  readonly body?: BodySource;
}

export interface BodySource {
  readonly digest: Digest;
  /** The file's line on which the body starts. */
  readonly line: number;
  readonly outline: Outline;
  /** Of the body as our Markdown, where another system wrote it. */
  readonly translatedDigest?: Digest;
  /** The first heading became the title and is no part of the text. */
  readonly hasHeadingTitle?: boolean;
}

/** undefined when the file's front matter cannot be trusted: a record made of it could clear what it does not say. */
export function sourceDocument(
  text: string,
  place: DocumentPlace,
  options: DocumentOptions,
): { readonly document?: SourceDocument; readonly problems: readonly LocalProblem[] } {
  const { dialect } = options;
  const written = frontMatter(text, dialect?.form);
  if (written.problems.length > 0) return { problems: written.problems };
  const foreign =
    dialect === undefined ? undefined : foreignDocument(written, place, { ...options, dialect });
  const source = foreign?.source ?? written;
  const reading = readFields(
    source,
    place,
    foreign === undefined ? options : { ...options, fields: foreign.fields },
  );
  const body = bodyOf(
    { source, kind: place.kind, needsExcerpt: reading.needsExcerpt, foreign: foreign?.body },
    options,
  );
  const problems = [...reading.problems, ...(foreign?.problems ?? []), ...(body?.problems ?? [])];
  const { fields, references, spots, translationKey } = reading;
  return {
    problems,
    document: {
      fields,
      references,
      spots,
      ...(translationKey === undefined ? {} : { translationKey }),
      ...(foreign === undefined || foreign.addresses.length === 0 ? {} : { addresses: foreign.addresses }),
      ...(body?.excerpt === undefined ? {} : { derivedExcerpt: body.excerpt }),
      ...(body === undefined ? {} : { body: body.body }),
    },
  };
}

interface BodyInput {
  readonly source: FrontMatter;
  readonly kind: Kind;
  readonly needsExcerpt: boolean;
  readonly foreign: ForeignBody | undefined;
}

/** An article's body is always the author's; a category's or tag's only when there is one. */
function bodyOf({ source, kind, needsExcerpt, foreign }: BodyInput, options: DocumentOptions) {
  const text = foreign?.text ?? source.body;
  if (kind !== 'article' && text.trim() === '') return undefined;
  const read = outlineOf(text, {
    html: options.html,
    firstLine: source.bodyLine,
    ...(foreign === undefined ? {} : { sourceSpot: foreign.sourceSpot }),
  });
  const excerpt = needsExcerpt ? cutExcerpt(firstParagraph(read.rendered)) : '';
  return {
    problems: read.problems,
    ...(excerpt === '' ? {} : { excerpt }),
    body: {
      digest: digestOfText(source.body),
      line: source.bodyLine,
      outline: read.outline,
      ...(foreign === undefined ? {} : { translatedDigest: digestOfText(text) }),
      ...(foreign?.hasHeadingTitle === true ? { hasHeadingTitle: true } : {}),
    },
  };
}
