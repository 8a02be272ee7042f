import { digestOfText } from '../../model/digest.ts';
import type { Digest } from '../../model/digest.ts';
import { nameFieldOf } from '../../model/fields.ts';
import type { Kind } from '../../model/key.ts';
import { cutExcerpt, firstParagraph } from './excerpt.ts';
import { foreignDocument } from './foreign-document.ts';
import type { ForeignBody, ForeignDocument } from './foreign-document.ts';
import { frontMatter } from '../front-matter/read.ts';
import { sourceCommitIn } from '../front-matter/source-commit.ts';
import type { FrontMatter } from '../front-matter/front-matter.ts';
import { headingIds } from '../markdown/heading-id.ts';
import { isMuchLost, shownWords, sourceWords } from '../markdown/losses.ts';
import { outlineOf } from '../markdown/outline.ts';
import { mayHoldRawSyntax, rawSyntaxIn } from '../markdown/raw-syntax.ts';
import type { Outline } from '../markdown/outline.ts';
import { readFields } from './fields.ts';
import type { DocumentOptions, DocumentPlace, FieldsReading } from './fields.ts';
import { hasCrossReferences, isCrossReference } from '../presets/preset.ts';
import type { SiteAddress } from '../presets/preset.ts';
import { START, spotAt } from '../source-text.ts';
import type { LocalProblem, Spot } from '../source-text.ts';

/** Something is missing from the page: what it would show is not known either. */
const UNKNOWN_PARTS: ReadonlySet<string> = new Set(['unknown-component', 'include-failed']);

/** What one file says by itself, before other files are known. Plain JSON: it is what the cache keeps. */
export interface SourceDocument extends Omit<FieldsReading, 'needsExcerpt' | 'problems'> {
  /** Nobody may see it yet; of articles the status says so. */
  readonly isDraft?: true;
  /** Of a translation: the commit of the original that it says it was made from. */
  readonly sourceCommit?: string;
  readonly derivedExcerpt?: string;
  /** Addresses of the page in another system, where its front matter names them. */
  readonly addresses?: readonly string[];
  /** Where another system shows the page, if its front matter names the slug. */
  readonly siteAddress?: SiteAddress;
  readonly body?: BodySource;
  /** Texts of other files are in the body: what was read of this file says too little to be kept. */
  readonly hasIncludes?: true;
}

export interface BodySource {
  readonly digest: Digest;
  /** The file's line on which the body starts. */
  readonly line: number;
  readonly outline: Outline;
  /** Of the body as our Markdown, where another system wrote it. */
  readonly translatedDigest?: Digest;
  /** The first heading became the title and is no part of the text: the id that it would have. */
  readonly titleId?: string;
  /** The id that its title would have as a heading, where no heading of the text says it: readers see the title above the text. */
  readonly topId?: string;
}

export interface DocumentReading {
  readonly document?: SourceDocument;
  readonly problems: readonly LocalProblem[];
  /** Its own system makes no page of it: why. */
  readonly leftOut?: string;
}

/** undefined when the file's front matter cannot be trusted: a record made of it could clear what it does not say. */
export function sourceDocument(
  text: string,
  place: DocumentPlace,
  options: DocumentOptions,
): DocumentReading {
  const { dialect } = options;
  const written = frontMatter(text, dialect?.form);
  if (written.problems.length > 0) return { problems: written.problems };
  const foreign =
    dialect === undefined ? undefined : foreignDocument(written, place, { ...options, dialect });
  if (foreign?.leftOut !== undefined) {
    const { leftOut, lockedBy } = foreign;
    return {
      problems: lockedBy === undefined ? [] : [{ code: 'locked-page', lockedBy, spot: START }],
      leftOut,
    };
  }
  const source = foreign?.source ?? written;
  const reading = readFields(
    source,
    place,
    foreign === undefined ? options : { ...options, fields: foreign.fields },
  );
  const body = bodyOf(
    {
      source,
      kind: place.kind,
      needsExcerpt: reading.needsExcerpt,
      title: reading.fields[nameFieldOf(place.kind)],
      foreign: foreign?.body,
      hasUnknownParts: foreign?.problems.some(({ code }) => UNKNOWN_PARTS.has(code)) === true,
    },
    options,
  );
  const known = [...reading.problems, ...(foreign?.problems ?? []), ...(body?.problems ?? [])];
  const problems = [
    ...known,
    ...(body === undefined
      ? []
      : shownProblems(written, {
          foreign,
          rendered: body.rendered,
          known,
          layout: dialect?.version.split(' ')[0] ?? 'kbsync',
        })),
  ];
  const { fields, references, spots, translationKey, movedFrom, aliases, schedule } = reading;
  const sourceCommit = sourceCommitIn(text);
  return {
    problems,
    document: {
      fields,
      references,
      spots,
      ...(translationKey === undefined ? {} : { translationKey }),
      ...(movedFrom === undefined ? {} : { movedFrom }),
      ...(aliases === undefined ? {} : { aliases }),
      ...(schedule === undefined ? {} : { schedule }),
      ...(sourceCommit === undefined ? {} : { sourceCommit }),
      ...(foreign?.isDraft === true ? { isDraft: true } : {}),
      ...(foreign === undefined || foreign.addresses.length === 0 ? {} : { addresses: foreign.addresses }),
      ...(foreign?.siteAddress === undefined ? {} : { siteAddress: foreign.siteAddress }),
      ...(body?.excerpt === undefined ? {} : { derivedExcerpt: body.excerpt }),
      ...(body === undefined ? {} : { body: body.body }),
      ...(foreign?.body.hasIncludes === true ? { hasIncludes: true } : {}),
    },
  };
}

interface BodyInput {
  readonly source: FrontMatter;
  readonly kind: Kind;
  readonly needsExcerpt: boolean;
  readonly title: unknown;
  readonly foreign: ForeignBody | undefined;
  readonly hasUnknownParts: boolean;
}

/** An article's body is always the author's; a category's or tag's only when there is one. */
function bodyOf(
  { source, kind, needsExcerpt, title, foreign, hasUnknownParts }: BodyInput,
  options: DocumentOptions,
) {
  const text = foreign?.text ?? source.body;
  if (kind !== 'article' && text.trim() === '') return undefined;
  const style = options.dialect?.headingIds;
  const titleId =
    foreign?.title === undefined ? undefined : headingIds(style)(foreign.title.text, foreign.title.id);
  const topId =
    foreign === undefined || titleId !== undefined || typeof title !== 'string'
      ? undefined
      : headingIds(style)(title);
  const read = outlineOf(text, {
    headingIds: headingIds(style, titleId === undefined ? [] : [titleId]),
    extensions: options.dialect?.extensions,
    html: options.html,
    firstLine: source.bodyLine,
    ...(foreign === undefined ? {} : { sourceSpot: foreign.sourceSpot }),
    ...(options.dialect !== undefined && hasCrossReferences(options.dialect)
      ? { isName: isCrossReference }
      : {}),
  });
  const excerpt = needsExcerpt ? cutExcerpt(firstParagraph(read.rendered)) : '';
  return {
    rendered: read.rendered,
    problems: read.problems,
    ...(excerpt === '' ? {} : { excerpt }),
    body: {
      digest: digestOfText(source.body),
      line: source.bodyLine,
      outline: { ...read.outline, ...(hasUnknownParts ? { hasUnknownParts: true as const } : {}) },
      ...(foreign === undefined ? {} : { translatedDigest: digestOfText(text) }),
      ...(titleId === undefined ? {} : { titleId }),
      ...(topId === undefined ? {} : { topId }),
    },
  };
}

interface Shown {
  readonly foreign: ForeignDocument | undefined;
  /** As HTML, before it is made safe. */
  readonly rendered: string;
  readonly known: readonly LocalProblem[];
  readonly layout: string;
}

/** What a reader would see that nobody meant, and what a reader would miss. */
function shownProblems(
  { body, bodyLine }: FrontMatter,
  { foreign, rendered, known, layout }: Shown,
): readonly LocalProblem[] {
  const inFile = (spot: Spot): Spot => ({ line: spot.line + bodyLine - 1, column: spot.column });
  const problems: LocalProblem[] = [];
  if (mayHoldRawSyntax(body)) {
    const said = new Set(known.flatMap((problem) => ('shown' in problem ? [problem.shown] : [])));
    for (const raw of rawSyntaxIn(rendered, said, layout)) {
      const at = body.indexOf(raw.shown);
      problems.push({ code: 'raw-syntax', ...raw, spot: inFile(spotAt(body, Math.max(0, at))) });
    }
  }
  const removed = foreign?.body.removed;
  // Counting words costs; a page that loses few characters loses few words.
  if (removed !== undefined && removed.chars * REMOVED_SHARE > body.length) {
    const all = sourceWords(body) - removed.wordsByRule;
    const words = all - shownWords(rendered);
    if (isMuchLost(words, all)) {
      const most = body.slice(removed.most.start, removed.most.end).split('\n')[0]?.trim().slice(0, 60) ?? '';
      problems.push({ code: 'text-lost', words, all, most, spot: inFile(spotAt(body, removed.most.start)) });
    }
  }
  return problems;
}

const REMOVED_SHARE = 5;
