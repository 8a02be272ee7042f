import { digestOfText } from '../../model/digest.ts';
import type { Digest } from '../../model/digest.ts';
import { bodyFieldOf } from '../../model/fields.ts';
import type { Fields } from '../../model/fields.ts';
import { familyOf, kindOf, langOf } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import type { Place, Problem } from '../../model/problem.ts';
import type { DesiredBody, DesiredRecord, DesiredState, Scheduled } from '../../model/record.ts';
import { recordRules } from '../record-rules.ts';
import { isNarrowed } from './left-out.ts';
import type { Listing } from './listing.ts';
import { readBoundParts, writeBoundParts } from './readings.ts';
import type { BoundParts } from './readings.ts';
import { RENDERER } from '../markdown/markdown.ts';
import type { ContentOptions, LoadedContent } from '../options.ts';
import { READER_VERSION } from './read-files.ts';
import { SANITISER } from '../markdown/sanitise.ts';

/**
 * The whole outcome of a run over a tree in which nothing has changed since: no reading, no resolving. Bound to every
 * path and stamp of the tree and to every option; kept beside the cache of single files.
 */
export interface ResultCache {
  /** Of what the outcome stands on: what it is bound to, and the dates that have passed. */
  readonly digestOf: (loaded: LoadedContent) => string;
  /** `full` does the whole work; it is only called when a body is rendered. */
  readonly load: (full: () => LoadedContent) => LoadedContent | undefined;
  readonly save: (loaded: LoadedContent) => void;
}

interface Result {
  readonly problems: readonly Problem[];
  readonly faulty: LoadedContent['faulty'];
  readonly languages: readonly string[];
  readonly fileCount: number;
  readonly scopeDigest: Digest;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly moved: readonly (readonly [Family, Family])[];
}

/** A record without what its key says. `places`: line and column by field; `input`: the body's digest, null without one. */
type Row = readonly [
  key: Key,
  file: string,
  fields: Fields,
  initial: Fields,
  places: Readonly<Record<string, readonly [number, number]>>,
  input: Digest | null,
  scheduled: Scheduled | null,
];

export function resultCache(listing: Listing, options: ContentOptions, cacheFile: string): ResultCache {
  const file = `${cacheFile}.result`;
  const binding = bindingOf(listing, options);
  return {
    digestOf: ({ state: { sinceMs } }) =>
      sinceMs === undefined ? binding : digestOfText(`${binding} ${sinceMs}`),
    load: (full) => {
      // Written by this very version over this very tree: the binding says so.
      const parts = readBoundParts(file, binding) as BoundParts<Result, readonly Row[]> | undefined;
      return parts === undefined || !isStill(parts.head, options.nowMs)
        ? undefined
        : loadedFrom(parts, options, full);
    },
    save: ({ state, problems, faulty }) => {
      const { languages, fileCount, scopeDigest, sinceMs, untilMs } = state;
      const moved = [...(state.moved ?? [])];
      const records = rowsOf(state);
      const head: Result = { problems, faulty, languages, fileCount, scopeDigest, sinceMs, untilMs, moved };
      writeBoundParts(file, binding, head, records);
    },
  };
}

function bindingOf({ tree, placed, shown, preset }: Listing, options: ContentOptions): string {
  const { cwd: _, cacheFile: __, nowMs: ___, allow, ...rest } = options;
  return digestOfText(
    [
      JSON.stringify([READER_VERSION, RENDERER, SANITISER, shown, rest, [...allow].sort()]),
      ...placed.map(({ file, stamp, placeKey }) =>
        stamp === undefined ? file.path : `${file.path} ${stamp.text} ${placeKey}`,
      ),
      JSON.stringify([
        tree.symlinks,
        tree.irregular,
        tree.closed,
        preset.foreign?.sideFiles ?? '',
        preset.foreign?.dialect.version ?? '',
      ]),
    ].join('\n'),
  );
}

/** No date has passed since, and the clock was not put back. */
function isStill({ sinceMs, untilMs }: Result, nowMs: number): boolean {
  return (sinceMs === undefined || sinceMs <= nowMs) && (untilMs === undefined || nowMs < untilMs);
}

function rowOf({ key, at, fields, initial, places, body, scheduled }: DesiredRecord): Row {
  const spots: Record<string, readonly [number, number]> = {};
  for (const [field, { line, column }] of Object.entries(places)) spots[field] = [line, column];
  return [key, at.file, fields, initial, spots, body?.inputDigest ?? null, scheduled ?? null];
}

function loadedFrom(
  { head, body }: BoundParts<Result, readonly Row[]>,
  options: ContentOptions,
  full: () => LoadedContent,
): LoadedContent {
  const { languages, fileCount, scopeDigest, problems, faulty, sinceMs, untilMs, moved } = head;
  const { defaultLanguage } = options;
  let records: Map<Key, DesiredRecord> | undefined;
  const state: DesiredState = {
    // Made when asked for: a run whose outcome is known looks at no record.
    get records() {
      records ??= new Map(
        (body() ?? rowsOf(full().state)).map((row) => [row[0], recordFrom(row, defaultLanguage, full)]),
      );
      return records;
    },
    defaultLanguage,
    languages,
    fileCount,
    scopeDigest,
    sinceMs,
    untilMs,
    ...recordRules(options),
    ...(moved.length === 0 ? {} : { moved: new Map(moved) }),
    ...(isNarrowed(options) ? { excluded: () => full().state.excluded?.() ?? new Set() } : {}),
  };
  return { state, problems, faulty };
}

function rowsOf({ records }: DesiredState): readonly Row[] {
  return [...records.values()].map(rowOf);
}

function recordFrom(row: Row, defaultLanguage: string, full: () => LoadedContent): DesiredRecord {
  const [key, file, fields, initial, spots, inputDigest, scheduled] = row;
  const kind = kindOf(key);
  const lang = langOf(key);
  return {
    key,
    kind,
    family: familyOf(key),
    lang,
    isOriginal: lang === defaultLanguage,
    fields,
    initial,
    ...(scheduled === null ? {} : { scheduled }),
    at: { file, line: 1, column: 1 },
    ...(inputDigest === null ? {} : { body: bodyFrom(key, inputDigest, full) }),
    // Made on demand: there are a hundred thousand places, and a run without findings needs none.
    get places() {
      return placesFrom(file, spots);
    },
  };
}

function bodyFrom(key: Key, inputDigest: Digest, full: () => LoadedContent): DesiredBody {
  const render = (): string => full().state.records.get(key)?.body?.render() ?? gone(key);
  return { field: bodyFieldOf(kindOf(key)), inputDigest, render };
}

function placesFrom(file: string, spots: Row[4]): DesiredRecord['places'] {
  const places: Record<string, Place> = {};
  for (const [field, [line, column]] of Object.entries(spots)) places[field] = { file, line, column };
  return places;
}

function gone(key: Key): never {
  throw new Error(`bug: ${key} is cached, but the files do not make it`);
}
