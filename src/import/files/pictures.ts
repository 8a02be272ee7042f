import { posix } from 'node:path';
import { rawTags } from '../../content/markdown/raw-html.ts';
import type { ContentFolder } from '../../content/files/folder.ts';
import { decoded } from '../../model/address/percent.ts';
import { visible } from '../../model/visible.ts';
import {
  type AssetOptions,
  IMAGE_ENDINGS,
  type PulledAssets,
  saveAll,
  saveImage,
} from '../../sync/pull/files/assets.ts';
import type { SourceRecord } from '../record.ts';
import { besideOf, type GivenPath, readPicture } from './input-files.ts';
import { isUrl } from '../../text/url.ts';

/** Images that come along with the texts that show them. */
export interface Pictures {
  /** The file below the folder that is written; undefined: the image stays where it is. */
  readonly fileOf: (url: string, from: SourceRecord) => string | undefined;
  readonly report: PulledAssets;
}

export interface PictureOptions {
  /** What was given; images that lie in these folders come from there. */
  readonly given: readonly GivenPath[];
  readonly download: AssetOptions['download'];
  readonly isAllowed: (address: URL) => boolean;
  readonly folder: ContentFolder;
  /** Of the old site. */
  readonly site: string | undefined;
  readonly dryRun: boolean;
}

/**
 * Brings the images of these records into `assets/`: those of the export from its folders, all others from where they are.
 * One that could not be had is named in the report, and keeps its address.
 */
export async function importPictures(
  records: readonly SourceRecord[],
  options: PictureOptions,
): Promise<Pictures> {
  const local = new Map<string, string>();
  const wanted = new Map<string, URL>();
  const failed = new Map<string, string>();
  const elsewhere: Record<string, number> = {};
  const sums = { saved: 0, kept: 0 };
  const seen = new Set<string>();
  for (const record of records) {
    for (const source of sourcesIn(record.html)) {
      const place = placeOf(source, record, options);
      if (place === undefined || seen.has(keyOf(place))) continue;
      seen.add(keyOf(place));
      if (place.url !== undefined) {
        if (options.isAllowed(place.url)) wanted.set(place.url.href, place.url);
        else elsewhere[place.url.host] = (elsewhere[place.url.host] ?? 0) + 1;
        continue;
      }
      const found = readPicture(options.given, place.path);
      const ending = posix.extname(place.path).slice(1).toLowerCase();
      const end =
        'why' in found
          ? found
          : IMAGE_ENDINGS.has(ending)
            ? options.dryRun
              ? { file: '', isNew: true }
              : saveImage({ name: place.path, ending, bytes: found.bytes }, options.folder)
            : { why: `its name has no ending of an image, such as .png` };
      if ('why' in end) failed.set(place.path, end.why);
      else {
        sums[end.isNew ? 'saved' : 'kept'] += 1;
        if (end.file !== '') local.set(place.path, end.file);
      }
    }
  }
  const fetched = await saveAll(wanted, options);
  return {
    fileOf: (url, from) => {
      const place = placeOf(url, from, options);
      if (place === undefined) return undefined;
      return place.url === undefined ? local.get(place.path) : fetched.files.get(place.url.href);
    },
    report: {
      saved: sums.saved + fetched.saved,
      kept: sums.kept + fetched.kept,
      elsewhere,
      failed: [...[...failed].map(([url, why]) => ({ url: visible(url), why })), ...fetched.failed],
    },
  };
}

/** An image of the export, by its path as the files of the export are shown; or an address. */
type Place = { readonly path: string; readonly url?: undefined } | { readonly url: URL };

function keyOf(place: Place): string {
  return place.url === undefined ? place.path : place.url.href;
}

/** Undefined: what stands there is no address of a file (`data:`, `cid:`). */
function placeOf(source: string, from: SourceRecord, { site, given }: PictureOptions): Place | undefined {
  const text = source.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  const base = from.addresses[0] ?? (site === undefined ? undefined : `${site}/`);
  if (!/^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(text)) {
    const name = decoded(text.replace(/[?#].*$/s, ''));
    const path = posix.join(posix.dirname(from.at.file), name);
    if (base === undefined || besideOf(given, path) !== undefined) return { path };
  }
  if (!isUrl(text, base)) return undefined;
  const url = new URL(text, base);
  url.hash = '';
  url.username = '';
  url.password = '';
  return /^https?:$/.test(url.protocol) ? { url } : undefined;
}

function* sourcesIn(html: string): Iterable<string> {
  if (!/<img/i.test(html)) return;
  for (const { name, attributes } of rawTags(html)) {
    const source = name === 'img' ? attributes['src'] : undefined;
    if (source !== undefined) yield source;
  }
}
