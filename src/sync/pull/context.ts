import { keyIn, kindOf, idKey } from '../../model/key.ts';
import type { Family, Key, Kind } from '../../model/key.ts';
import { pageAddress, recordAddress } from '../../model/address/page-address.ts';
import { parseStamp } from '../../model/stamp.ts';
import type { LinkTarget, PageLinks } from './files/page-links.ts';
import type { Places } from './places/place-records.ts';
import type { Fetched } from './reading/read-records.ts';
import { unwritable } from './files/record-file.ts';
import type { FileContext, Layout } from './files/record-file.ts';
import type { AssetOptions } from './files/assets.ts';
import type { BaseStore, LoadedBase } from '../../base/base.ts';
import type { ContentFolder, Spool } from '../../content/files/folder.ts';
import type { BaseRecord, DesiredRecord } from '../../model/record.ts';
import type { Emit } from '../../model/event.ts';
import type { LoadedContent } from '../../content/options.ts';
import type { Remote } from '../../remote/remote.ts';
import type { RepositoryNames } from '../../model/repository.ts';

/** What has no file cannot be named by another one, nor linked to. */
export function willHaveFile(record: Fetched, { familyOf }: Places, { content }: PullOptions): boolean {
  const family = familyOf.get(idKey(record.kind, record.id));
  if (family === undefined) return false;
  return content.state.records.has(keyIn(family, record.lang)) || unwritable(record) === undefined;
}

/** Pages make tags and categories by naming them, or by their folder. */
export function isPageMade(kind: Kind, { preset }: Layout): boolean {
  return preset.foreign !== undefined && kind !== 'article';
}

export function fileContext(
  records: readonly Fetched[],
  present: readonly Fetched[],
  places: Places,
  { layout, content }: PullOptions,
): FileContext {
  const { defaultLanguage } = content.state;
  const isOriginal = ({ lang }: Fetched): boolean => lang === defaultLanguage;
  const idOf = ({ kind, id }: Fetched): string => idKey(kind, id);
  const originals = new Map(records.filter(isOriginal).map((record) => [idOf(record), record]));
  const known = [...content.state.records.values()].filter((record) => record.isOriginal);
  const coming = present.filter(isOriginal).flatMap((record) => places.familyOf.get(idOf(record)) ?? []);
  const families = new Set<Family>([...known.map(({ family }) => family), ...coming]);
  return {
    layout,
    familyOf: new Map([...places.familyOf].filter(([, family]) => families.has(family))),
    categories: new Set([...families].filter((family) => kindOf(family) === 'category')),
    originalOf: (record) => originals.get(idOf(record)),
  };
}

export function idsOf({ familyOf }: Places): ReadonlyMap<Family, string> {
  return new Map([...familyOf].map(([id, family]) => [family, id.slice(id.indexOf(' ') + 1)]));
}

/** Pages with their files: those that were read, and those that have a file already. */
export function targetsOf(
  records: readonly Fetched[],
  places: Places,
  options: PullOptions,
): ReadonlyMap<string, LinkTarget> {
  const { urls } = options.layout;
  const targets = new Map<string, LinkTarget>();
  for (const record of options.content.state.records.values()) {
    const address = recordAddress(urls, record);
    targets.set(address, { file: options.pathOf(record), anchors: undefined });
  }
  for (const record of records) {
    const { kind, id, lang, anchors } = record;
    const family = places.familyOf.get(idKey(kind, id));
    const file = family === undefined ? undefined : places.fileOf(family, lang);
    if (file !== undefined) targets.set(recordAddress(urls, record), { file, anchors });
  }
  return targets;
}

/**
 * Records that the author gave up, though no base tells it: their stamp names this repository and a key that has no file now.
 * Elsewhere than in a proposal the history has to know the file too, because a folder may be filled anew from the site.
 * Without any stamps the history alone tells it.
 */
export async function deletedKeys(
  records: readonly Fetched[],
  {
    places,
    base,
    known,
    options,
  }: Pick<PullRun, 'places' | 'base' | 'options'> & { readonly known: readonly string[] },
): Promise<ReadonlySet<Key>> {
  const { content, formerFiles, remember } = options;
  const ownKey = ({ stamp: text }: Fetched): string | undefined => {
    const stamp = text === undefined ? undefined : parseStamp(text);
    return stamp?.repository !== undefined && known.includes(stamp.repository) ? stamp.key : undefined;
  };
  const areStamped = records.some((record) => ownKey(record) !== undefined);
  const deleted = new Set<Key>();
  const asked = new Map<string, Key>();
  for (const record of records) {
    const family = places.familyOf.get(idKey(record.kind, record.id));
    const key = family === undefined ? undefined : keyIn(family, record.lang);
    if (family === undefined || key === undefined) continue;
    if (content.state.records.has(key) || base.records.has(key)) continue;
    const isOurs = ownKey(record) === key;
    const file = places.fileOf(family, record.lang);
    if (isOurs && (remember !== undefined || file === undefined)) deleted.add(key);
    else if (file !== undefined && (isOurs || !areStamped)) asked.set(file, key);
  }
  if (asked.size === 0 || formerFiles === undefined) return deleted;
  const former = await formerFiles([...asked.keys()]);
  for (const [file, key] of asked) if (former.has(file)) deleted.add(key);
  return deleted;
}

export interface PullOptions {
  readonly remote: Remote;
  readonly base: BaseStore;
  readonly loaded: LoadedBase;
  /** Whose files these are; undefined: of a folder that nothing names. */
  readonly repository?: RepositoryNames;
  /** The files as they are. */
  readonly content: LoadedContent;
  /** The files after the pull. */
  readonly reload: () => Promise<LoadedContent>;
  /** The file that a record comes from, relative to the content folder. */
  readonly pathOf: (record: DesiredRecord) => string;
  readonly folder: ContentFolder;
  /** Which of these files, relative to the content folder and not there now, were in the repository once. */
  readonly formerFiles?: (files: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * What is written goes into a branch, made from a whole checkout, and the state stays as it is: it learns only what the new
   * files say, because somebody may merge them. undefined: files and state are written.
   */
  readonly remember?: (pages: readonly BaseRecord[]) => Promise<void>;
  readonly spool: Spool;
  readonly layout: Layout;
  /** `https://help.example.com` */
  readonly origin: string;
  readonly wanted: PullWishes;
  readonly emit: Emit;
  readonly now: () => number;
  readonly signal?: AbortSignal;
  readonly atOnce: number;
  /** Brings images along; undefined: they stay where they are. */
  readonly assets?: Pick<AssetOptions, 'download' | 'isAllowed'>;
}

export interface PullWishes {
  /** undefined: all. */
  readonly languages: readonly string[] | undefined;
  readonly status: 'published' | 'draft' | undefined;
  /** Whether a file, relative to the content folder, is asked for. */
  readonly isAskedFor: (file: string) => boolean;
  /** Files that are asked for by their own names: their records are read, whatever the lists show. */
  readonly named: ReadonlySet<string>;
  readonly clean: boolean;
  readonly dryRun: boolean;
}

export interface PullRun {
  readonly options: PullOptions;
  readonly base: LoadedBase['state'];
  readonly places: Places;
  readonly context: FileContext;
  readonly links: PageLinks;
  readonly ids: ReadonlyMap<Family, string>;
  /** What the site shows under a key. */
  readonly shown: (key: Key) => Fetched | undefined;
  /** Records whose file the author deleted, though no base tells it. */
  readonly deleted: ReadonlySet<Key>;
  /** Slugs of files with errors, and why their records wait. */
  readonly waitingSlugs: ReadonlyMap<string, string>;
  /** Files with errors whose records nothing tells, by kind and language: neither a state nor stamps nor their slugs. */
  readonly lostFiles: ReadonlyMap<string, string>;
  /** Slugs that have their file; content refuses a second one. */
  readonly slugs: Set<string>;
}

/** Pages that got another address on the site: what their files say → what the site says. */
export function renamedPages(
  records: readonly Fetched[],
  places: Places,
  { layout: { urls }, content }: PullOptions,
): ReadonlyMap<string, string> {
  const moves: (readonly [string, string])[] = [];
  const taken = new Set<string>();
  for (const { kind, id, lang, fields } of records) {
    const family = places.familyOf.get(idKey(kind, id));
    const file = family === undefined ? undefined : content.state.records.get(keyIn(family, lang));
    const now = recordAddress(urls, { kind, lang, fields });
    taken.add(now);
    const before = file?.fields['slug'];
    if (typeof before === 'string' && before !== fields['slug'])
      moves.push([pageAddress(urls, kind, lang, before), now]);
  }
  // Where two pages have changed places, an address says nothing of which of them is meant.
  return new Map(moves.filter(([before]) => !taken.has(before)));
}
