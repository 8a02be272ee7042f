import { isAbsolute, join, relative, sep } from 'node:path';
import { digestOfText } from '../model/digest.ts';
import { keyOf } from '../model/key.ts';
import { NEVER_ALLOWED, PROBLEM_SEVERITY } from '../model/problem.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import type { DesiredState } from '../model/record.ts';
import { openCache } from './cache.ts';
import type { ContentCache, FileReading } from './cache.ts';
import { checkOrphans, checkSlugs, filesByKey } from './checks.ts';
import type { Report } from './checks.ts';
import { FILE_BYTES_MAX, IGNORED_NAMES, fileSystemNowNs, listTree, readStable, stampOf } from './disk.ts';
import type { FileStamp, Tree, TreeFile } from './disk.ts';
import { sourceDocument } from './document.ts';
import { frontMatter } from './front-matter.ts';
import { linkResolver } from './links.ts';
import { RENDERER } from './markdown.ts';
import { ContentError } from './options.ts';
import type { ContentOptions, LoadedContent } from './options.ts';
import { kbsyncPreset } from './presets/kbsync.ts';
import type { Placement, Preset } from './presets/preset.ts';
import { desiredRecords } from './records.ts';
import { referenceIndex } from './references.ts';
import { renderedBody } from './render.ts';
import { SANITISER } from './sanitize.ts';
import type { Site, SourceFile } from './source-file.ts';
import { START, sourceText } from './source-text.ts';

/** Changes whenever the reading of one file may give another result. */
const READER_VERSION = 1;

export { ContentError } from './options.ts';
export type { ContentOptions, LoadedContent } from './options.ts';

/**
 * All files of the content folder as the records they want, and everything that is wrong with them, in one pass. Bodies
 * are rendered on demand: a run that finds nothing changed reads no unchanged file and renders nothing.
 *
 * Throws ContentError `no-content` when the folder is missing. A record's `render` throws ContentError `changed` when
 * its file is no longer what was read.
 */
export async function loadDesired(options: ContentOptions): Promise<LoadedContent> {
  const root = isAbsolute(options.contentDir) ? options.contentDir : join(options.cwd, options.contentDir);
  const shown = shownPrefix(options.cwd, root);
  const found: Problem[] = [];
  const report: Report = (at, problem) => {
    found.push({ ...problem, at, severity: severityOf(problem.code, options.allow) });
  };
  const preset = presetOf(options);
  const tree = listTree(root);
  const placed = tree.files.map((file) => ({ file, place: preset.place(file.path) }));
  reportStrays(tree, placed, (path, reason, suggestion) => {
    report(
      { file: `${shown}${path}`, line: 1, column: 1 },
      { code: 'unexpected-file', reason, ...(suggestion === undefined ? {} : { suggestion }) },
    );
  });
  for (const { path, reason } of tree.closed) {
    report(
      { file: `${shown}${path}`, line: 1, column: 1 },
      { code: 'unreadable-file', reason: `the folder cannot be listed: ${reason}` },
    );
  }
  const files = readFiles(placed, options, shown, report);
  const site = siteOf(files, placed, preset, options, report);
  checkSlugs(site, report);
  checkOrphans(site, report);
  const records = desiredRecords({
    site,
    references: referenceIndex(site),
    links: linkResolver(site, options),
    html: options.html,
    report,
    render: (file, links) => render(file, links, options.html),
  });
  const languages = languagesOf(site);
  const state: DesiredState = {
    records,
    defaultLanguage: options.defaultLanguage,
    languages,
    fileCount: placed.filter(({ place }) => place.role === 'document').length,
    scopeDigest: scopeDigest(options, languages),
  };
  return { state, problems: found.sort(byPlace) };
}

type Placed = readonly { readonly file: TreeFile; readonly place: Placement }[];

function presetOf(options: ContentOptions): Preset {
  switch (options.preset) {
    case 'kbsync':
      return kbsyncPreset(options.languages);
  }
}

function reportStrays(
  tree: Tree,
  placed: Placed,
  stray: (path: string, reason: string, suggestion?: string) => void,
): void {
  for (const { file, place } of placed) {
    if (place.role === 'unexpected') stray(file.path, place.reason, place.suggestion);
  }
  for (const path of tree.symlinks) stray(path, 'this is a symbolic link; links are not followed');
  for (const path of tree.irregular) stray(path, 'this is not a regular file');
}

function readFiles(
  placed: Placed,
  options: ContentOptions,
  shown: string,
  report: Report,
): readonly SourceFile[] {
  const cache = cacheOf(options);
  const files: SourceFile[] = [];
  const paths = new Set<string>();
  for (const { file, place } of placed) {
    if (place.role !== 'document') continue;
    paths.add(file.path);
    const { document, problems } = readingOf(file, place, options, cache);
    const shownPath = `${shown}${file.path}`;
    for (const { spot, ...problem } of problems) report({ file: shownPath, ...spot }, problem);
    if (document === undefined) continue;
    const key = keyOf(place.kind, document.translationKey ?? place.path, place.lang);
    files.push({ path: file.path, diskPath: file.diskPath, shown: shownPath, place, document, key });
  }
  cache?.save(paths);
  return files;
}

function readingOf(
  file: TreeFile,
  place: SourceFile['place'],
  options: ContentOptions,
  cache: ContentCache | undefined,
): FileReading {
  const stamp = cache === undefined ? undefined : stampOf(file.diskPath);
  const known = stamp === undefined ? undefined : cache?.get(file.path, stamp);
  if (known !== undefined) return known;
  const { reading, stamp: readStamp } = freshReading(file, place, options);
  if (readStamp !== undefined) cache?.put(file.path, readStamp, reading);
  return reading;
}

function freshReading(
  file: TreeFile,
  place: SourceFile['place'],
  options: ContentOptions,
): { readonly reading: FileReading; readonly stamp?: FileStamp } {
  const read = readStable(file.diskPath);
  switch (read.state) {
    case 'unreadable':
      return { reading: { problems: [{ code: 'unreadable-file', reason: read.reason, spot: START }] } };
    case 'too-large':
      return {
        reading: {
          problems: [
            { code: 'too-large', unit: 'bytes', size: read.bytes, sizeMax: FILE_BYTES_MAX, spot: START },
          ],
        },
      };
    case 'read': {
      const { text, problems } = sourceText(read.bytes);
      if (text === undefined) return { reading: { problems }, stamp: read.stamp };
      const reading = sourceDocument(text, place, options);
      return { reading: { ...reading, problems: [...problems, ...reading.problems] }, stamp: read.stamp };
    }
  }
}

function cacheOf(options: ContentOptions): ContentCache | undefined {
  const { cacheFile, fields, defaults, ignoreKeys, html, preset, languages } = options;
  if (cacheFile === undefined) return undefined;
  const binding = digestOfText(
    JSON.stringify([
      READER_VERSION,
      RENDERER,
      SANITISER,
      { fields, defaults, ignoreKeys, html, preset, languages },
    ]),
  );
  return openCache(cacheFile, binding, () => fileSystemNowNs(cacheFile));
}

function siteOf(
  files: readonly SourceFile[],
  placed: Placed,
  preset: Preset,
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
    defaultLanguage: options.defaultLanguage,
    defaultFolder: folder ?? options.defaultLanguage,
  };
}

/** Reads the body again: keeping every source in memory would cost more than reading the few that are rendered. */
function render(file: SourceFile, links: ReadonlyMap<string, string>, html: ContentOptions['html']): string {
  const source = file.document.body;
  if (source === undefined) throw new Error(`bug: ${file.key} has no body to render`);
  const read = readStable(file.diskPath);
  const text = read.state === 'read' ? sourceText(read.bytes).text : undefined;
  const { body } = frontMatter(text ?? '');
  if (text === undefined || digestOfText(body) !== source.digest) {
    throw new ContentError('changed', `${file.shown} changed while the run was under way; run again`);
  }
  return renderedBody(body, {
    links,
    html,
    needsSanitiser: source.outline.needsSanitiser,
    lang: file.place.lang,
  });
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

function shownPrefix(cwd: string, root: string): string {
  const path = relative(cwd, root).split(sep).join('/');
  return path === '' ? '' : `${path}/`;
}

function byPlace(a: Problem, b: Problem): number {
  if (a.at.file !== b.at.file) return a.at.file < b.at.file ? -1 : 1;
  return a.at.line - b.at.line || a.at.column - b.at.column;
}
