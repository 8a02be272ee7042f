import type { Spooled } from '../../content/files/folder.ts';
import { idKey, keyIn } from '../../model/key.ts';
import type { Family, Key } from '../../model/key.ts';
import type { DesiredState } from '../../model/record.ts';
import { digestOfText } from '../../model/digest.ts';
import { pageAddress } from '../../model/address/page-address.ts';
import { placeRecords } from '../../sync/pull/places/place-records.ts';
import type { Fetched } from '../../sync/pull/reading/read-records.ts';
import { unwritable } from '../../sync/pull/files/record-file.ts';
import type { FileContext, Layout } from '../../sync/pull/files/record-file.ts';
import type { Arranged } from '../records/arrange.ts';
import type { Placed } from './page-book.ts';
import { NOTHING_SYNCED } from '../../model/record.ts';

export interface Places {
  readonly placed: readonly (Placed & { readonly key: Key; readonly fetched: Fetched })[];
  readonly left: readonly { readonly record: Arranged; readonly why: string }[];
  readonly context: FileContext;
}

/** Files as a pull of the same records into an empty folder would name them. */
export function placeFiles(records: readonly Arranged[], layout: Layout): Places {
  const { defaultLanguage, preset, urls } = layout;
  const all = records.map((record) => ({ record, fetched: fetchedOf(record) }));
  const placeable = all.filter(({ fetched }) => unwritable(fetched) === undefined);
  const places = placeRecords({
    records: representatives(
      placeable.map(({ fetched }) => fetched),
      defaultLanguage,
    ),
    desired: nothingDesired(defaultLanguage),
    base: NOTHING_SYNCED,
    preset,
    fileOf: () => undefined,
  });
  const placed: (Placed & { readonly key: Key; readonly fetched: Fetched })[] = [];
  const left: { readonly record: Arranged; readonly why: string }[] = [];
  for (const { record, fetched } of all) {
    const { kind, id, lang, fields } = record;
    const family = places.familyOf.get(idKey(kind, id));
    const file = family === undefined ? undefined : places.fileOf(family, lang);
    const why = unwritable(fetched);
    if (why !== undefined || family === undefined || file === undefined) {
      left.push({ record, why: why ?? 'its path cannot be a file name' });
      continue;
    }
    const address = pageAddress(urls, kind, lang, String(fields['slug']));
    const anchors = anchorsIn(record.source?.html ?? '');
    placed.push({ record, fetched, file, address, anchors, key: keyIn(family, lang) });
  }
  return { placed, left, context: contextOf(placed, places.familyOf, layout) };
}

/** Where the default language has no text, another one names the folders and files. */
function representatives(records: readonly Fetched[], defaultLanguage: string): readonly Fetched[] {
  const chosen = new Map<string, Fetched>();
  for (const record of records) {
    const id = idKey(record.kind, record.id);
    if (!chosen.has(id) || record.lang === defaultLanguage)
      chosen.set(id, { ...record, lang: defaultLanguage });
  }
  return [...chosen.values()];
}

function contextOf(
  placed: Places['placed'],
  familyOf: ReadonlyMap<string, Family>,
  layout: Layout,
): FileContext {
  const originals = new Map(
    placed
      .filter(({ record }) => record.lang === layout.defaultLanguage)
      .map(({ fetched }) => [idKey(fetched.kind, fetched.id), fetched]),
  );
  const categories = [...originals.keys()].flatMap((id) => familyOf.get(id) ?? []);
  return {
    layout,
    familyOf: new Map([...familyOf].filter(([id]) => originals.has(id) || id.startsWith('article '))),
    categories: new Set(categories.filter((family) => family.startsWith('category/'))),
    originalOf: ({ kind, id }) => originals.get(idKey(kind, id)),
  };
}

const NO_BODY: Spooled = { offset: 0, size: 0 };

/** The record as a pull knows it; its text does not take the way over the spool. */
function fetchedOf({ kind, id, lang, fields }: Arranged): Fetched {
  return { kind, id, lang, fields, body: NO_BODY, bodyValue: '', anchors: new Set(), stamp: undefined };
}

function nothingDesired(defaultLanguage: string): DesiredState {
  return { records: new Map(), defaultLanguage, languages: [], fileCount: 0, scopeDigest: digestOfText('') };
}

function anchorsIn(html: string): ReadonlySet<string> {
  const found = html.matchAll(/\s(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi);
  return new Set([...found].map(([, double, single, bare]) => double ?? single ?? bare ?? ''));
}
