import { posix } from 'node:path';
import { digestOfText } from '../model/digest.ts';
import { NEVER_ALLOWED, PROBLEM_SEVERITY } from '../model/problem.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import type { DesiredState } from '../model/record.ts';
import { checkOrphans, checkSlugs, filesByKey } from './checks.ts';
import type { Report } from './checks.ts';
import { IGNORED_NAMES, readStable } from './disk.ts';
import type { Tree } from './disk.ts';
import { foreignBodyText } from './foreign-document.ts';
import { bodyOf } from './front-matter-fence.ts';
import { withImplied } from './implied.ts';
import { linkResolver } from './links.ts';
import { ContentError } from './options.ts';
import type { ContentOptions, LoadedContent } from './options.ts';
import type { Preset } from './presets/preset.ts';
import { readFiles } from './read-files.ts';
import type { PlacedFile, ReadOptions } from './read-files.ts';
import { desiredRecords } from './records.ts';
import { referenceIndex } from './references.ts';
import { renderedBody } from './render.ts';
import type { Site, SourceFile } from './source-file.ts';
import { sourceText } from './source-text.ts';

/** A listed content folder, before any file is read. */
export interface Listing {
  readonly tree: Tree;
  readonly placed: readonly PlacedFile[];
  readonly preset: Preset;
  /** What comes before a path of the tree when it is shown; ends with a slash unless empty. */
  readonly shown: string;
}

export interface Assembled extends LoadedContent {
  /** The cache holds every file. */
  readonly isSettled: boolean;
  readonly site: Site;
  /** A file's body as our Markdown, links as written; undefined without a body. Throws as a record's `render` does. */
  readonly markdown: (file: SourceFile) => string | undefined;
}

/** Reads what is not cached and puts all files together. */
export function assemble(listing: Listing, options: ContentOptions): Assembled {
  const { placed, shown } = listing;
  const found: Problem[] = [];
  const report: Report = (at, problem) => {
    found.push({ ...problem, at, severity: severityOf(problem.code, options.allow) });
  };
  reportStrays(listing, report);
  const { foreign } = listing.preset;
  const reading = { ...options, dialect: foreign?.dialect };
  const { files, isSettled } = readFiles(placed, reading, shown, report);
  const site = siteOf(
    foreign === undefined ? files : withImplied(files, options, foreign),
    listing,
    options,
    report,
  );
  checkSlugs(site, report);
  checkOrphans(site, report);
  const records = desiredRecords({
    site,
    references: referenceIndex(site),
    links: linkResolver(site, options),
    html: options.html,
    report,
    render: (file, links) => render(file, links, reading),
  });
  const languages = languagesOf(site);
  const state: DesiredState = {
    records,
    defaultLanguage: options.defaultLanguage,
    languages,
    fileCount: placed.filter(({ place }) => place.role === 'document').length,
    scopeDigest: scopeDigest(options, languages),
  };
  const markdown = (file: SourceFile): string | undefined =>
    file.document.body === undefined ? undefined : markdownOf(file, reading);
  return { state, problems: found.sort(byPlace), isSettled, site, markdown };
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
    report(at(path), { code: 'unexpected-file', reason: 'this is a symbolic link; links are not followed' });
  }
  for (const path of tree.irregular) {
    report(at(path), { code: 'unexpected-file', reason: 'this is not a regular file' });
  }
  for (const { path, reason } of tree.closed) {
    report(at(path), { code: 'unreadable-file', reason: `the folder cannot be listed: ${reason}` });
  }
}

function siteOf(
  files: readonly SourceFile[],
  { placed, preset, shown }: Listing,
  options: ContentOptions,
  report: Report,
): Site {
  const byKey = filesByKey(files, report);
  const kept = [...byKey.values()];
  const folder = Object.entries(options.languages).find(([, code]) => code === options.defaultLanguage)?.[0];
  return {
    files: kept,
    byKey,
    byPath: new Map(kept.map((file) => [file.path, file])),
    assets: new Set(placed.filter(({ place }) => place.role === 'asset').map(({ file }) => file.path)),
    preset,
    shown,
    defaultLanguage: options.defaultLanguage,
    defaultFolder: folder ?? options.defaultLanguage,
  };
}

function render(file: SourceFile, links: ReadonlyMap<string, string>, options: ReadOptions): string {
  return renderedBody(markdownOf(file, options), {
    links,
    html: options.html,
    needsSanitiser: file.document.body?.outline.needsSanitiser ?? true,
    lang: file.place.lang,
  });
}

/** Reads the body again: keeping every source in memory would cost more than reading the few that are rendered. */
function markdownOf(file: SourceFile, options: ReadOptions): string {
  const source = file.document.body;
  if (source === undefined) throw new Error(`bug: ${file.key} has no body to render`);
  const read = readStable(file.diskPath);
  const text = read.state === 'read' ? sourceText(read.bytes).text : undefined;
  // The digest proves that this is the body that was read: the front matter need not be parsed again.
  const body = bodyOf(text ?? '');
  if (text === undefined || digestOfText(body) !== source.digest) {
    throw new ContentError('changed', `${file.shown} changed while the run was under way; run again`);
  }
  const { dialect } = options;
  if (dialect === undefined) return body;
  return foreignBodyText(body, file.place, { ...options, dialect }, source.hasHeadingTitle === true);
}

/** The default language first, the others in order. */
function languagesOf(site: Site): readonly string[] {
  const found = new Set(site.files.map(({ place }) => place.lang));
  found.delete(site.defaultLanguage);
  return [site.defaultLanguage, ...[...found].sort()];
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
