import { digestOfText } from '../../model/digest.ts';
import type { Digest } from '../../model/digest.ts';
import { keyOf } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import { mapOnDemand } from './map-on-demand.ts';
import { once } from '../../model/once.ts';
import type { Problem } from '../../model/problem.ts';
import type { DesiredRecord, DesiredState, LocalFile } from '../../model/record.ts';
import type { Redirect } from '../../model/address/redirect.ts';
import type { Assembled } from '../assemble.ts';
import { bodyFile, bodyMemo, fileHtml } from '../bodies.ts';
import type { SourceFile } from '../corpus/corpus.ts';
import { fileSystemNowMs, stampIfSeen } from '../files/disk.ts';
import { RENDERER } from '../markdown/markdown.ts';
import { SANITISER } from '../markdown/sanitise.ts';
import { ContentError } from '../options.ts';
import type { ContentOptions, LoadedContent } from '../options.ts';
import { pulledTexts } from '../html-to-markdown/as-pulled.ts';
import { recordRules } from '../record-rules.ts';
import { inputDigest } from '../records.ts';
import { filesSeen, type SeenFile } from './kept-files.ts';
import { isNarrowed } from './left-out.ts';
import { contentRoot } from './listing.ts';
import type { Listing, PlacedFile } from './listing.ts';
import type { Look } from './looks.ts';
import { freshReading } from './read-files.ts';
import { linksFrom, mendedRow, recordFrom, rowsOf } from './record-row.ts';
import type { RenderRow, Row } from './record-row.ts';
import { READER_VERSION, readBoundParts, writeBoundParts } from './readings.ts';
import type { BoundParts } from './readings.ts';
import { parsedRow, readRows, writeRows } from './row-file.ts';
import type { Rows } from './row-file.ts';
import { changesSince, type FileTrace } from './traces.ts';

/**
 * The whole outcome of a run over a tree in which nothing has changed since: no reading, no resolving. Bound to every
 * path of the tree, to what is in each document and to every option; kept beside the cache of single files. A document of the same
 * stamp is not looked into; all bytes of another one are compared, so a fresh checkout needs no more than that. Where only texts
 * changed, the outcome is mended instead of made anew.
 */
export interface ResultCache {
  /** `full` does the whole work; it is only called when more than a few bodies are rendered. */
  readonly load: (full: () => Assembled) => LoadedContent | undefined;
  /** Answers the digest of the outcome. */
  readonly save: (full: Assembled, traces: ReadonlyMap<string, FileTrace>) => string;
}

interface Result {
  /** Of the content of every document. */
  readonly tree: Digest;
  /** Trees before this one of which only texts changed since, the latest first. */
  readonly before: readonly (readonly [since: string, keys: readonly Key[]])[];
  /** What the file of the rows is bound to. */
  readonly rows: string;
  /** Rows that have changed since they were written. */
  readonly edits: readonly Row[];
  readonly problems: readonly Problem[];
  readonly faulty: LoadedContent['faulty'];
  readonly languages: readonly string[];
  readonly fileCount: number;
  readonly scopeDigest: Digest;
  readonly seenFiles: readonly SeenFile[];
  readonly looks: readonly Look[];
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly moved: readonly (readonly [Family, Family])[];
  readonly redirects: readonly Redirect[];
}

/** What is known of the tree at some time. */
interface Known {
  readonly head: Result;
  readonly rows: () => Rows<Key, Row> | undefined;
  /** Images and files, which are all as they were. */
  readonly files: ReadonlyMap<string, LocalFile>;
}

/** More files than this are worth a whole reading. */
const EDITS_MAX = 50;

export function resultCache(listing: Listing, options: ContentOptions, cacheFile: string): ResultCache {
  const file = `${cacheFile}.result`;
  const rowsFile = `${cacheFile}.rows`;
  const binding = bindingOf(listing, options);
  const stamps = listing.placed.map(({ stamp }) => stamp?.text ?? '').join('\n');
  const treeOf = (traces: readonly FileTrace[]): Digest =>
    digestOfText(`${binding} ${digestOfText(traces.map(({ digest }) => digest).join('\n'))}`);
  const write = (head: Result, traces: readonly FileTrace[]): void =>
    writeBoundParts(file, binding, head, [
      traces.map(({ stamp }) => stamp).join('\n'),
      traces.map(({ digest }) => digest).join('\n'),
    ]);
  return {
    load: (full) => {
      // Written by this very version over a tree of these very paths: the binding says so.
      const parts = readBoundParts(file, binding) as BoundParts<Result, string> | undefined;
      if (parts === undefined || !isStill(parts.head, options.nowMs)) return undefined;
      const { head } = parts;
      if (listing.looks?.areStill(head.looks) !== true) return undefined;
      const files = filesSeen(head.seenFiles, contentRoot(options), options.uploaded);
      if (files === undefined) return undefined;
      const known = { head, files, rows: once(() => rowsIn(rowsFile, head)) };
      const before = parts.part(0);
      if (before === stamps) return loadedFrom(known, listing, options, full);
      const changes = changesSince([before, parts.part(1)], listing.placed, {
        startedMs: fileSystemNowMs(cacheFile),
        changesMax: EDITS_MAX,
      });
      if (changes === undefined) return undefined;
      const { traces, changed } = changes;
      const mended =
        changed.size === 0 ? known : mend(known, { changed, tree: treeOf(traces) }, listing, options);
      if (mended === undefined) return undefined;
      write(mended.head, traces);
      return loadedFrom(mended, listing, options, full);
    },
    save: (full, told) => {
      const { state, problems, faulty, seenFiles } = full;
      const { languages, fileCount, scopeDigest, sinceMs, untilMs } = state;
      const moved = [...(state.moved ?? [])];
      const { redirects = [] } = state;
      const looks = listing.looks?.all() ?? [];
      const traces = listing.placed.map(({ file: { path } }) => told.get(path) ?? NO_TRACE);
      const tree = treeOf(traces);
      const about = {
        tree,
        before: [],
        languages,
        fileCount,
        scopeDigest,
        sinceMs,
        untilMs,
        moved,
        redirects,
        seenFiles,
        looks,
      };
      writeRows(rowsFile, tree, rowsOf(full));
      write({ rows: tree, edits: [], problems, faulty, ...about }, traces);
      return outcomeDigest(about);
    },
  };
}

/** Of a file that is no document. */
const NO_TRACE: FileTrace = { stamp: '', digest: '' };

/** Of a tree, and of the dates in it that have passed. */
function outcomeDigest({
  tree,
  sinceMs,
  seenFiles,
  looks,
}: Pick<Result, 'tree' | 'sinceMs' | 'seenFiles' | 'looks'>): string {
  const more = [
    ...(sinceMs === undefined ? [] : [sinceMs]),
    ...seenFiles.map(({ path, file }) => [path, file?.digest]),
    ...looks.map(([path, seen, digest]) => [path, digest ?? seen]),
  ];
  return more.length === 0 ? tree : digestOfText(JSON.stringify([tree, ...more]));
}

function bindingOf({ tree, placed, shown, preset, repository }: Listing, options: ContentOptions): string {
  const { cwd: _, cacheFile: __, nowMs: ___, allow, ...rest } = options;
  return digestOfText(
    [
      JSON.stringify(['contents', READER_VERSION, RENDERER, SANITISER, shown, rest, [...allow].sort()]),
      ...placed.map(({ file, placeKey }) => `${file.path} ${placeKey}`),
      JSON.stringify([
        tree.symlinks,
        tree.irregular,
        tree.closed,
        preset.foreign?.sideFiles ?? '',
        preset.foreign?.dialect.version ?? '',
        repository,
      ]),
    ].join('\n'),
  );
}

/** No date has passed since, and the clock was not put back. */
function isStill({ sinceMs, untilMs }: Result, nowMs: number): boolean {
  return (sinceMs === undefined || sinceMs <= nowMs) && (untilMs === undefined || nowMs < untilMs);
}

/** The rows as they were written, with those that have changed since; undefined where they are gone. */
function rowsIn(file: string, { rows, edits }: Result): Rows<Key, Row> | undefined {
  const written = readRows<Key, Row>(file, rows);
  return written === undefined ? undefined : withEdits(written, edits);
}

function withEdits(rows: Rows<Key, Row>, edits: readonly Row[]): Rows<Key, Row> {
  const all = new Map(rows);
  for (const row of edits) all.set(row[0], row);
  return all;
}

/**
 * The outcome now that some files changed since. Only where they look to all other files as they did before: then these
 * files' own texts are all that can have changed. A file of which there was or is something to say needs the whole reading.
 */
function mend(
  { head, rows, files }: Known,
  { changed, tree }: { readonly changed: ReadonlyMap<PlacedFile, string>; readonly tree: Digest },
  listing: Listing,
  options: ContentOptions,
): Known | undefined {
  const known = rows();
  if (known === undefined) return undefined;
  const said = new Set(head.problems.flatMap(filesIn));
  const edits = new Map(head.edits.map((row) => [row[0], row]));
  const keys = new Set<Key>();
  for (const [placed, digest] of changed) {
    const file = sourceFile(placed, listing, options, digest);
    if (file === undefined || said.has(file.shown)) return undefined;
    const before = parsedRow(known.get(file.key) ?? '');
    const row = before === undefined ? undefined : mendedRow(before, file, listing, options);
    if (row === undefined) return undefined;
    edits.set(file.key, row);
    keys.add(file.key);
  }
  if (edits.size > EDITS_MAX) return undefined;
  const mended = { ...head, tree, before: withKeys(head, keys), edits: [...edits.values()] };
  return { head: mended, files, rows: () => withEdits(known, mended.edits) };
}

/** One run may look at an edit (`plan`), and only a later one sends it: what is known of the trees before still tells all but the keys. */
function withKeys(head: Result, keys: ReadonlySet<Key>): Result['before'] {
  const trees = [[outcomeDigest(head), []] as const, ...head.before].slice(0, TREES_MAX);
  return trees.map(([since, earlier]) => [since, [...new Set([...earlier, ...keys])]]);
}

/** Of which an outcome may still be kept. */
const TREES_MAX = 4;

/** The files that a problem names, where they stand and others. */
function filesIn(problem: Problem): readonly string[] {
  const { at } = problem;
  const others = [
    ...('first' in problem ? [problem.first.file] : []),
    ...('target' in problem ? [problem.target] : []),
    ...('other' in problem && problem.other !== undefined ? [problem.other] : []),
  ];
  return [at.file, ...others];
}

/** A file as it is now, if there is nothing to say of it and it did not change since it was listed. `content`: its digest, if that is known. */
function sourceFile(
  { file, place, stamp }: PlacedFile,
  { shown, preset, looks }: Listing,
  options: ContentOptions,
  content?: string,
): SourceFile | undefined {
  if (place.role !== 'document') return undefined;
  const rules = { ...options, dialect: preset.foreign?.dialect };
  const { reading, stamp: now, digest } = freshReading(file, place, rules, looks, () => undefined);
  const { document, problems } = reading;
  if (document === undefined || problems.length > 0 || now === undefined || now.text !== stamp?.text)
    return undefined;
  if (content !== undefined && digest !== content) return undefined;
  const key = keyOf(place.kind, document.translationKey ?? place.path, place.lang);
  return { path: file.path, diskPath: file.diskPath, shown: `${shown}${file.path}`, place, document, key };
}

function loadedFrom(
  { head, rows, files }: Known,
  listing: Listing,
  options: ContentOptions,
  full: () => Assembled,
): LoadedContent {
  const { languages, fileCount, scopeDigest, problems, faulty, sinceMs, untilMs, moved, redirects } = head;
  const { defaultLanguage } = options;
  // The records alone are kept, and not what they were made of.
  const whole = once(() => full().state);
  const render = rendererOf(listing, options, whole);
  const state: DesiredState = {
    // Made when asked for: a run whose outcome is known looks at no record.
    get records() {
      return records();
    },
    defaultLanguage,
    languages,
    fileCount,
    scopeDigest,
    sinceMs,
    untilMs,
    ...recordRules(options),
    ...pulledTexts(options),
    ...(moved.length === 0 ? {} : { moved: new Map(moved) }),
    ...(redirects.length === 0 ? {} : { redirects }),
    ...(options.keepsFiles === true ? { files } : {}),
    ...(isNarrowed(options) ? { excluded: () => whole().excluded?.() ?? new Set() } : {}),
  };
  const inFull = (key: Key): DesiredRecord => whole().records.get(key) ?? gone(key);
  const records = once(() =>
    mapOnDemand(rows() ?? withEdits(new Map(), rowsOf(full())), (source, key) => {
      const row = parsedRow(source);
      return row === undefined ? inFull(key) : recordFrom(row, defaultLanguage, render);
    }),
  );
  const edited = head.before.map(([since, keys]) => ({ since, keys: new Set(keys) }));
  const digest = outcomeDigest(head);
  return { state, problems, faulty, digest, ...(edited.length === 0 ? {} : { edited }) };
}

/** More bodies than this are worth a whole reading. */
const SINGLE_MAX = 50;

/** Renders single bodies from their files alone. */
function rendererOf(listing: Listing, options: ContentOptions, whole: () => DesiredState): RenderRow {
  const reading = { ...options, dialect: listing.preset.foreign?.dialect };
  const placed = once(() => new Map(listing.placed.map((one) => [`${listing.shown}${one.file.path}`, one])));
  const bodies = bodyMemo<Key>();
  const asked = new Set<Key>();
  const alone = (row: Row): string => {
    const [, shown, , , , input, , links] = row;
    const one = placed().get(shown);
    const file = one === undefined ? undefined : sourceFile(one, listing, options);
    const source = file?.document.body;
    if (file === undefined || source === undefined || links === null) return inFull(row);
    const rules = { html: options.html, lang: file.place.lang, dialect: reading.dialect };
    const written = linksFrom(links);
    if (inputDigest(source, written, rules) !== input) return changed(shown);
    return fileHtml(bodyFile(file, source), written, reading);
  };
  const isAsListed = (shown: string): boolean => {
    const one = placed().get(shown);
    return one !== undefined && stampIfSeen(one.file.diskPath)?.text === one.stamp?.text;
  };
  // All files are read anew, and the record is still the one that was read before.
  const inFull = ([key, shown, , , , input]: Row, last?: 'last'): string => {
    const body = whole().records.get(key)?.body;
    if (body?.inputDigest === input) return body.render(last);
    return body === undefined && isAsListed(shown) ? gone(key) : changed(shown);
  };
  return (row, last) => {
    const [key] = row;
    asked.add(key);
    return asked.size > SINGLE_MAX ? inFull(row, last) : bodies.html(key, () => alone(row), last);
  };
}

function changed(shown: string): never {
  throw new ContentError('changed', `${shown} changed while the run was under way; run again`);
}

function gone(key: Key): never {
  throw new Error(`bug: ${key} is cached, but the files do not make it`);
}
