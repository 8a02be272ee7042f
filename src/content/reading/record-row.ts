import { digestOfText } from '../../model/digest.ts';
import type { Digest } from '../../model/digest.ts';
import { bodyFieldOf } from '../../model/fields.ts';
import type { Fields } from '../../model/fields.ts';
import { familyOf, kindOf, langOf } from '../../model/key.ts';
import type { Key } from '../../model/key.ts';
import type { Place } from '../../model/problem.ts';
import type { DesiredRecord, Scheduled } from '../../model/record.ts';
import type { Assembled } from '../assemble.ts';
import type { SourceFile } from '../corpus/corpus.ts';
import type { SourceDocument } from '../document/document.ts';
import type { ContentOptions } from '../options.ts';
import { inputDigest } from '../records.ts';
import type { Spot } from '../source-text.ts';
import type { Listing } from './listing.ts';

/**
 * A record without what its key says. `places`: line and column by field; `input`: the body's digest, null without one;
 * `links` of the body: address as written, address to write, and so on; `outward`: null without a file of its own.
 */
export type Row = readonly [
  key: Key,
  file: string,
  fields: Fields,
  initial: Fields,
  places: Readonly<Record<string, readonly [number, number]>>,
  input: Digest | null,
  scheduled: Scheduled | null,
  links: readonly string[] | null,
  outward: Digest | null,
  files: readonly string[],
  sourceCommit: string | null,
];

/** Renders the body of a row; `last`: nobody asks for it again. */
export type RenderRow = (row: Row, asked?: 'last') => string;

export function recordFrom(row: Row, defaultLanguage: string, render: RenderRow): DesiredRecord {
  const [key, file, fields, initial, spots, digest, scheduled, , , files, commit] = row;
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
    ...(files.length === 0 ? {} : { files }),
    ...(commit === null ? {} : { sourceCommit: commit }),
    at: { file, line: 1, column: 1 },
    ...(digest === null
      ? {}
      : { body: { field: bodyFieldOf(kind), inputDigest: digest, render: (asked) => render(row, asked) } }),
    // Made on demand: there are a hundred thousand places, and a run without findings needs none.
    places: () => placesFrom(file, spots),
  };
}

function placesFrom(file: string, spots: Row[4]): ReturnType<DesiredRecord['places']> {
  const places: Record<string, Place> = {};
  for (const [field, [line, column]] of Object.entries(spots)) places[field] = { file, line, column };
  return places;
}

/** The row of a file of which only the text changed. */
export function mendedRow(
  row: Row,
  { key, shown, place, document }: SourceFile,
  { preset }: Listing,
  { html }: ContentOptions,
): Row | undefined {
  const [, file, fields, initial, , , scheduled, links, outward, shows] = row;
  if (file !== shown || links === null || document.body === undefined) return undefined;
  if (outward !== outwardDigest(document)) return undefined;
  const dialect = preset.foreign?.dialect;
  const { derivedExcerpt: excerpt = '', spots, body } = document;
  return [
    key,
    file,
    fields,
    'excerpt' in initial ? { ...initial, excerpt } : initial,
    spotsOf(spots),
    inputDigest(body, linksFrom(links), { html, lang: place.lang, dialect }),
    scheduled,
    links,
    outward,
    shows,
    document.sourceCommit ?? null,
  ];
}

/** Of what a file says but its own text and the commit it names, and where it says it: what other files, and its own fields and links, stand on. */
function outwardDigest(document: SourceDocument): Digest {
  const { spots: _, derivedExcerpt: __, sourceCommit: ___, body, ...rest } = document;
  if (body === undefined) return digestOfText(JSON.stringify(rest));
  const { anchors, hasUnknownParts = false, links } = body.outline;
  const addresses = links.map(({ url, isImage, isUnused = false }) => [url, isImage, isUnused]);
  return digestOfText(
    JSON.stringify([rest, body.titleId ?? null, body.topId ?? null, anchors, hasUnknownParts, addresses]),
  );
}

export function linksFrom(flat: readonly string[]): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (let at = 0; at + 1 < flat.length; at += 2) links.set(flat[at] ?? '', flat[at + 1] ?? '');
  return links;
}

function spotsOf(places: Readonly<Record<string, Spot>>): Row[4] {
  const spots: Record<string, readonly [number, number]> = {};
  for (const [field, { line, column }] of Object.entries(places)) spots[field] = [line, column];
  return spots;
}

export function rowsOf({ state, sources, bodyLinks }: Assembled): readonly Row[] {
  const documents = sources();
  return [...state.records.values()].map((record): Row => {
    const { key, at, fields, initial, places, body, scheduled, files = [], sourceCommit } = record;
    const document = documents.get(key);
    const links = bodyLinks.get(key);
    return [
      key,
      at.file,
      fields,
      initial,
      spotsOf(places()),
      body?.inputDigest ?? null,
      scheduled ?? null,
      links === undefined ? null : [...links].flat(),
      document === undefined ? null : outwardDigest(document),
      files,
      sourceCommit ?? null,
    ];
  });
}
