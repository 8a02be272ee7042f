import { once } from '../model/once.ts';
import { posix } from 'node:path';
import { digestOfText } from '../model/digest.ts';
import type { Key } from '../model/key.ts';
import { NEVER_ALLOWED, PROBLEM_SEVERITY } from '../model/problem.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import type { DesiredState } from '../model/record.ts';
import { checkLimits } from './corpus/limits.ts';
import { checkOrphans, checkReleased, checkSlugs, filesByKey, slugAt } from './corpus/checks.ts';
import type { Report } from './corpus/checks.ts';
import { IGNORED_NAMES } from './files/tree.ts';
import { foreignBody } from './document/foreign-document.ts';
import { bodyFile, bodyHtml, bodyRenderer, fileMarkdown } from './bodies.ts';
import { sourceDocument } from './document/document.ts';
import type { SourceDocument } from './document/document.ts';
import { bodyOf } from './front-matter/front-matter.ts';
import { withImplied } from './corpus/implied.ts';
import { movedFamilies } from './corpus/moved.ts';
import { redirectsOf } from './corpus/redirects.ts';
import { slugsApart } from './corpus/slugs-apart.ts';
import { linkResolver } from './links/resolve-links.ts';
import { filePlaces, linkWriter, siteTargets } from './links/write-links.ts';
import type { BodyDraft, ContentOptions, FaultyFile, LeftOut, LoadedContent } from './options.ts';
import { readFiles } from './reading/read-files.ts';
import type { ReadOptions } from './reading/read-files.ts';
import { groupedBy } from '../text/grouped.ts';
import { pulledTexts } from './html-to-markdown/as-pulled.ts';
import { recordRules } from './record-rules.ts';
import { isNarrowed, wholeFolder } from './reading/left-out.ts';
import { contentRoot, listingOf } from './reading/listing.ts';
import type { Listing } from './reading/listing.ts';
import { keptFiles, type SeenFile } from './reading/kept-files.ts';
import type { ReadingMemory } from './reading/readings.ts';
import type { FileTrace } from './reading/traces.ts';
import type { Layout } from './presets/load-layout.ts';
import { addressesIn, datesAround, desiredRecords } from './records.ts';
import { referenceIndex } from './corpus/references.ts';
import { isImplied, slugOf } from './corpus/corpus.ts';
import type { Corpus, SourceFile, UnreadFile } from './corpus/corpus.ts';
import type { Spot } from './source-text.ts';

export interface Assembled extends LoadedContent {
  /** Images and files that the service is to keep. */
  readonly seenFiles: readonly SeenFile[];
  /** What tells of each document, by path, that it is as it was; undefined if something cannot be told. */
  readonly traces: ReadonlyMap<string, FileTrace> | undefined;
  readonly corpus: Corpus;
  /** What the files say, by key; of two with one key, the record is of the first. */
  readonly sources: () => ReadonlyMap<Key, SourceDocument>;
  /** Address as written → address to write, of each body that a record shows. */
  readonly bodyLinks: ReadonlyMap<Key, ReadonlyMap<string, string>>;
  /** Pages that their own generator would not publish either, as their front matter says. */
  readonly silent: readonly LeftOut[];
  /** A file's body as our Markdown, links as written; undefined without a body. Throws as a record's `render` does. */
  readonly markdown: (file: SourceFile) => string | undefined;
  /** See ContentEditing. */
  readonly draft: (key: Key, text: string) => BodyDraft | undefined;
}

/** Reads what is not cached and puts all files together. */
export function assemble(listing: Listing, options: ContentOptions, memory?: ReadingMemory): Assembled {
  const found: Problem[] = [];
  const report: Report = (at, problem) => {
    found.push({ ...problem, at, severity: severityOf(problem.code, options.allow) });
  };
  reportStrays(listing, report);
  const reading = { ...options, dialect: listing.preset.foreign?.dialect };
  const { corpus, files, traces, leftOut } = readCorpus(listing, { ...reading, memory }, options, report);
  const rules = recordRules(options);
  checkReleased(corpus, rules.releases, report);
  const moved = movedFamilies(corpus, options.moved ?? [], report);
  const kept =
    options.keepsFiles === true
      ? keptFiles(
          { root: contentRoot(options), exists: listing.exists, uploaded: options.uploaded },
          options.cacheFile,
          memory,
        )
      : undefined;
  const links = linkResolver(corpus);
  const addresses = linkWriter({ ...options, kept: kept && filePlaces(kept, corpus.preset) });
  const redirects = redirectsOf(corpus, options, report, siteTargets(corpus, links, addresses));
  const bodyLinks = new Map<Key, ReadonlyMap<string, string>>();
  const records = desiredRecords({
    corpus,
    references: referenceIndex(corpus),
    links,
    addresses,
    files: kept?.files,
    html: options.html,
    nowMs: options.nowMs,
    report,
    render: bodyRenderer(reading),
    onLinks: (key, written) => bodyLinks.set(key, written),
  });
  // It holds nothing of the corpus: a run keeps it to its end, and all else only if the caller does.
  const state: DesiredState = {
    ...frameOf(corpus, listing, options),
    records,
    ...rules,
    ...pulledTexts(options),
    ...(moved.size === 0 ? {} : { moved }),
    ...(redirects.length === 0 ? {} : { redirects }),
    ...(kept === undefined ? {} : { files: kept.files }),
    ...(isNarrowed(options) ? { excluded: excludedFrom(records, options, listing.layout) } : {}),
  };
  const problems = found.sort(byPlace);
  const markdown = (file: SourceFile): string | undefined => {
    const { body } = file.document;
    return body === undefined ? undefined : fileMarkdown(bodyFile(file, body), reading);
  };
  return {
    state,
    seenFiles: kept?.seen() ?? [],
    problems,
    faulty: problems.some(isError) ? faultyFiles(problems, corpus) : [],
    traces: listing.looks?.areStable() === true && (kept?.save() ?? true) ? traces : undefined,
    corpus,
    sources: () => new Map(files.toReversed().map(({ key, document }) => [key, document])),
    bodyLinks,
    markdown,
    draft: (key, text) => {
      const file = corpus.byKey.get(key);
      if (file === undefined || isImplied(file)) return undefined;
      return draftOf(file, text, {
        reading,
        context: { links, addresses, html: options.html, report: () => undefined },
      });
    },
    silent: leftOut,
  };
}

/** All files, read and put together, with what is wrong between them. */
function readCorpus(
  listing: Listing,
  reading: ReadOptions & { readonly memory: ReadingMemory | undefined },
  options: ContentOptions,
  report: Report,
): {
  readonly corpus: Corpus;
  /** Those that are there; the corpus holds pages besides that only the layout implies. */
  readonly files: readonly SourceFile[];
  readonly traces: Assembled['traces'];
  readonly leftOut: readonly LeftOut[];
} {
  const { placed, shown, looks, preset } = listing;
  const read = readFiles(placed, { ...reading, looks }, shown, report);
  const { unread, traces, leftOut } = read;
  const files = slugsApart(read.files, unread, report);
  const { foreign } = preset;
  const all = foreign === undefined ? files : withImplied(files, options, foreign);
  const corpus = corpusOf({ files: all, unread, leftOut }, listing, options, report);
  checkSlugs(corpus, report);
  checkLimits(corpus, report);
  checkOrphans(corpus, report);
  return { corpus, files, traces, leftOut };
}

/** What the desired state says of the folder as a whole. */
function frameOf(corpus: Corpus, { placed }: Listing, options: ContentOptions) {
  const languages = languagesOf(corpus);
  return {
    defaultLanguage: options.defaultLanguage,
    languages,
    fileCount: placed.filter(({ place }) => place.role === 'document').length,
    scopeDigest: scopeDigest(options, languages),
    ...datesAround(corpus.files, options.nowMs),
  };
}

/** What a file's body would be if the file said `text`. */
function draftOf(
  file: SourceFile,
  text: string,
  {
    reading,
    context,
  }: { readonly reading: ReadOptions; readonly context: Parameters<typeof addressesIn>[0] },
): BodyDraft | undefined {
  const { document } = sourceDocument(text, file.place, reading);
  const source = document?.body;
  if (document === undefined || source === undefined) return undefined;
  const drafted: SourceFile = { ...file, document };
  const links = addressesIn(context, drafted, source);
  const { dialect } = reading;
  const body = bodyOf(text, dialect?.form);
  const own =
    dialect === undefined
      ? { text: body, sourceSpot: (spot: Spot) => spot }
      : foreignBody(body, file.place, { ...reading, dialect }, source.titleId !== undefined);
  const whole = bodyFile(drafted, source);
  return {
    body,
    markdown: own.text,
    sourceSpot: own.sourceSpot,
    links,
    render: (markdown) => bodyHtml(whole, markdown, links, reading),
    renderAll: (markdown) =>
      bodyHtml({ ...whole, needsSanitiser: false }, markdown, links, { ...reading, html: 'trust' }),
  };
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

/** The errors' files with the records that they are about. An implied record is not of the file that first names it. */
function faultyFiles(problems: readonly Problem[], { files, unread }: Corpus): readonly FaultyFile[] {
  const keys = new Set<Key>();
  const doubled: FaultyFile[] = [];
  const slugs = new Set<string>();
  const errors = problems.filter(isError);
  const named = groupedBy(errors, ({ at }) => [at.file]);
  for (const problem of errors) {
    // Which of the two files is the right one is not known.
    if (problem.code === 'duplicate-key') {
      keys.add(problem.key);
      doubled.push({ file: problem.at.file, key: problem.key });
    }
    if (problem.code === 'duplicate-slug') slugs.add(slugAt(problem, problem.slug));
  }
  const made = files.filter(
    (file) =>
      (named.has(file.shown) && !isImplied(file)) ||
      keys.has(file.key) ||
      slugs.has(slugAt(file.place, slugOf(file))),
  );
  return [
    ...made.map((file) => ({
      file: file.shown,
      key: file.key,
      ...(isOnlyText(named.get(file.shown), file) ? { isOnlyText: true as const } : {}),
    })),
    ...[...unread.values()].map(({ shown: file, key, slug }) => ({ file, key, slug })),
    // The second file of a key made no record.
    ...doubled,
  ];
}

/** Errors that a text alone can have: its fields do not depend on it. */
const OF_TEXTS: ReadonlySet<Problem['code']> = new Set([
  'dead-link',
  'dead-anchor',
  'missing-image',
  'image-not-hosted',
  'unknown-component',
  'html-swallows',
  'text-lost',
  'include-failed',
]);

/** Errors in a line of a field, such as a picture or a title that is a heading, are errors of the field too. */
function isOnlyText(errors: readonly Problem[] | undefined, { document }: SourceFile): boolean {
  if (errors === undefined) return false;
  const lines = new Set(Object.values(document.spots).map(({ line }) => line));
  return errors.every(({ code, at }) => OF_TEXTS.has(code) && at.line > 1 && !lines.has(at.line));
}

function reportStrays({ tree, placed, preset, shown }: Listing, report: Report): void {
  const at = (path: string) => ({ file: `${shown}${path}`, line: 1, column: 1 });
  for (const { file, place } of placed) {
    if (place.role !== 'unexpected') continue;
    const { reason, suggestion } = place;
    report(at(file.path), {
      code: 'unexpected-file',
      reason,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }
  for (const { path, problem } of preset.foreign?.problems ?? []) {
    const { spot, ...what } = problem;
    report({ file: posix.normalize(`${shown}${path}`), ...spot }, what);
  }
  for (const path of tree.symlinks) {
    report(at(path), {
      code: 'unexpected-file',
      reason: 'this is a symbolic link; kbsync does not follow links',
    });
  }
  for (const path of tree.irregular) {
    report(at(path), { code: 'unexpected-file', reason: 'this is not a regular file' });
  }
  for (const { path, reason } of tree.closed) {
    report(at(path), { code: 'unreadable-file', reason });
  }
}

function corpusOf(
  {
    files,
    unread,
    leftOut,
  }: {
    readonly files: readonly SourceFile[];
    readonly unread: readonly UnreadFile[];
    readonly leftOut: readonly LeftOut[];
  },
  listing: Listing,
  options: ContentOptions,
  report: Report,
): Corpus {
  const { placed, preset, shown } = listing;
  const byKey = filesByKey(files, report);
  const kept = [...byKey.values()];
  const folder = Object.entries(options.languages).find(([, code]) => code === options.defaultLanguage)?.[0];
  return {
    files: kept,
    byKey,
    byPath: new Map(kept.map((file) => [file.path, file])),
    unread: new Map(unread.map((file) => [file.path, file])),
    leftOut: new Map(leftOut.map(({ file, reason }) => [file.slice(shown.length), reason])),
    assets: new Set(placed.filter(({ place }) => place.role === 'asset').map(({ file }) => file.path)),
    exists: listing.exists,
    inRepository: listing.inRepository,
    isMade: listing.isMade,
    preset,
    shown,
    defaultLanguage: options.defaultLanguage,
    defaultFolder: folder ?? options.defaultLanguage,
  };
}

/** What the whole folder would make besides these, when asked for. */
function excludedFrom(
  records: DesiredState['records'],
  options: ContentOptions,
  layout: Layout,
): NonNullable<DesiredState['excluded']> {
  return once(() => {
    const whole = wholeFolder(options);
    const { state } = assemble(listingOf(whole, layout), whole);
    return new Set([...state.records.keys()].filter((key) => !records.has(key)));
  });
}

/** The default language first, the others in order. */
function languagesOf(corpus: Corpus): readonly string[] {
  const found = new Set(corpus.files.map(({ place }) => place.lang));
  found.delete(corpus.defaultLanguage);
  return [corpus.defaultLanguage, ...[...found].sort()];
}

function scopeDigest(options: ContentOptions, languages: readonly string[]): DesiredState['scopeDigest'] {
  const folders = Object.entries(options.languages)
    .map(([folder, code]) => `${folder}=${code}`)
    .sort();
  return digestOfText(
    JSON.stringify([
      options.preset,
      options.defaultLanguage,
      folders,
      [...languages].sort(),
      IGNORED_NAMES.source,
      ...(isNarrowed(options) ? [options.include ?? [], options.exclude ?? []] : []),
    ]),
  );
}

function severityOf(code: ProblemCode, allow: ReadonlySet<ProblemCode>): Problem['severity'] {
  return allow.has(code) && !NEVER_ALLOWED.has(code) ? 'warning' : PROBLEM_SEVERITY[code];
}

function byPlace(a: Problem, b: Problem): number {
  if (a.at.file !== b.at.file) return a.at.file < b.at.file ? -1 : 1;
  return a.at.line - b.at.line || a.at.column - b.at.column;
}
