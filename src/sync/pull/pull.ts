import type { BaseStore, LoadedBase } from '../../base/base.ts';
import type { ContentFolder, Spool } from '../../content/content-folder.ts';
import type { LoadedContent } from '../../content/options.ts';
import type { Emit } from '../../model/event.ts';
import type { Family, Key } from '../../model/key.ts';
import type { DesiredRecord } from '../../model/record.ts';
import type { Remote } from '../../remote/remote.ts';
import { consistentBase } from '../consistent-base.ts';
import { idKey } from '../remote-side.ts';
import { pullAssets } from './assets.ts';
import type { AssetOptions, PulledAssets } from './assets.ts';
import { isWantedLanguage, languagesToRead } from './languages-to-read.ts';
import type { PageLinks } from './page-links.ts';
import { placeRecords } from './place-records.ts';
import type { Places } from './place-records.ts';
import { pulledBase } from './pulled-base.ts';
import type { PulledRecord, PullReport } from './pull-report.ts';
import { readRecords } from './read-records.ts';
import type { Fetched, Reading } from './read-records.ts';
import { settledIn } from './settled-record.ts';
import type { SpooledRecord } from './settled-record.ts';
import { slugName, writeRecord } from './write-record.ts';
import { fileContext, idsOf, targetsOf, willHaveFile } from './pull-context.ts';
import type { FileContext, Layout } from './record-file.ts';

export interface PullOptions {
  readonly remote: Remote;
  readonly base: BaseStore;
  readonly loaded: LoadedBase;
  /** The files as they are. */
  readonly content: LoadedContent;
  /** The files after the pull. */
  readonly reload: () => Promise<LoadedContent>;
  /** The file of a record, relative to the content folder. */
  readonly pathOf: (record: DesiredRecord) => string;
  readonly folder: ContentFolder;
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
  readonly clean: boolean;
  readonly dryRun: boolean;
}

/**
 * The knowledge base as files. Reads everything that is wanted before it writes anything; a file is made, or changed where
 * it is as the last sync left it, and in any other case a copy is put beside it. Files are never deleted.
 */
export async function pull(options: PullOptions): Promise<PullReport> {
  const { remote, now, wanted, signal } = options;
  const startMs = now();
  const base = consistentBase(options.loaded, options.content.state);
  const written = await readAndWrite(options, base);
  if (!wanted.dryRun) await saveBase(written, options);
  return {
    records: written.ends.map(({ end }) => end),
    unread: written.unread,
    incomplete: written.incomplete,
    ...(written.assets === undefined ? {} : { assets: written.assets }),
    requests: remote.requests(),
    durationMs: now() - startMs,
    interrupted: signal?.aborted === true,
  };
}

/** What is left in memory when the files are written: of ten thousand records as little as possible. */
interface WrittenRecords {
  readonly ends: readonly End[];
  readonly unread: number;
  readonly listed: Reading['listed'];
  readonly incomplete: readonly string[];
  readonly assets: PulledAssets | undefined;
  readonly ids: ReadonlyMap<Family, string>;
  readonly familyOf: Places['familyOf'];
}

async function readAndWrite(options: PullOptions, base: PullRun['base']): Promise<WrittenRecords> {
  const { remote, content, spool, emit, wanted, signal } = options;
  const desired = content.state;
  emit({ type: 'phase', phase: 'read service' });
  const unread: Key[] = [];
  const reading = await readRecords({
    remote,
    spool,
    defaultLanguage: desired.defaultLanguage,
    atOnce: options.atOnce,
    languagesOf: languagesToRead({
      defaultLanguage: desired.defaultLanguage,
      wanted,
      records: base.records,
      onUnread: (key) => unread.push(key),
    }),
    onRead: (done, total, failed) => emit({ type: 'progress', done, total, failed }),
  });
  const files = new Map([...desired.records].map(([key, record]) => [key, options.pathOf(record)]));
  const places = placeRecords({
    records: reading.records,
    desired,
    base,
    preset: options.layout.preset,
    fileOf: (key) => files.get(key),
  });
  emit({ type: 'phase', phase: 'write' });
  const chosen = reading.records.filter((record) => isChosen(record, places, wanted));
  const present = chosen.filter((record) => willHaveFile(record, places, options));
  const assets = await assetsOf(present, options);
  const run: PullRun = {
    options,
    base,
    places,
    context: fileContext(reading.records, present, places, options),
    links: {
      origin: options.origin,
      targets: targetsOf(present, places, options),
      assetsBaseUrl: options.layout.assetsBaseUrl,
      hasFile: (path: string) => options.folder.has(path),
      assets: assets?.files ?? new Map(),
    },
    ids: idsOf(places),
    slugs: new Set(
      [...desired.records.values()].map(({ kind, lang, fields }) => slugName(kind, lang, fields)),
    ),
  };
  const ends: End[] = [];
  for (const record of chosen) {
    if (signal?.aborted === true) break;
    const { end, isSettled } = writeRecord(record, run);
    ends.push({ end, settled: isSettled ? settledIn(spool, record) : undefined });
  }
  const { listed, incomplete } = reading;
  return {
    ends,
    unread: unread.filter((key) => wanted.isAskedFor(files.get(key) ?? '') && files.has(key)).length,
    listed,
    incomplete,
    assets: assets?.report,
    ids: run.ids,
    familyOf: places.familyOf,
  };
}

async function assetsOf(
  records: readonly Fetched[],
  { assets, folder, spool, layout, origin, wanted }: PullOptions,
): Promise<Awaited<ReturnType<typeof pullAssets>> | undefined> {
  if (assets === undefined) return undefined;
  const { urls, assetsBaseUrl } = layout;
  return pullAssets(records, {
    ...assets,
    folder,
    spool,
    urls,
    origin,
    assetsBaseUrl,
    dryRun: wanted.dryRun,
  });
}

export interface PullRun {
  readonly options: PullOptions;
  readonly base: LoadedBase['state'];
  readonly places: Places;
  readonly context: FileContext;
  readonly links: PageLinks;
  readonly ids: ReadonlyMap<Family, string>;
  /** Slugs that have their file; content refuses a second one. */
  readonly slugs: Set<string>;
}

function isChosen(record: Fetched, places: Places, wanted: PullWishes): boolean {
  if (!isWantedLanguage(record.lang, wanted)) return false;
  if (record.kind === 'article' && wanted.status !== undefined && record.fields['status'] !== wanted.status)
    return false;
  const family = places.familyOf.get(idKey(record.kind, record.id));
  const file = family === undefined ? undefined : places.fileOf(family, record.lang);
  return file === undefined || wanted.isAskedFor(file);
}

interface End {
  readonly end: PulledRecord;
  /** What the service showed, where file and service say the same from now on. */
  readonly settled: SpooledRecord | undefined;
}

async function saveBase(written: WrittenRecords, options: PullOptions): Promise<void> {
  const { ends, ids, familyOf, listed } = written;
  const { state } = await options.reload();
  const settled = new Map<Key, SpooledRecord>();
  const unsettled = new Set<Key>();
  for (const { end, settled: shown } of ends) {
    if (end.key === undefined) continue;
    if (shown !== undefined) settled.set(end.key, shown);
    else if (end.action !== 'unchanged') unsettled.add(end.key);
  }
  const seen = new Map(
    listed.flatMap((item) => {
      const family = familyOf.get(idKey(item.kind, item.id));
      return family === undefined ? [] : [[family, item.seen] as const];
    }),
  );
  const read = new Set(ends.flatMap(({ end }) => (end.key === undefined ? [] : [end.key])));
  const { remote, base, loaded, spool } = options;
  await base.save(
    pulledBase({
      before: loaded.state,
      desired: state,
      ids,
      settled,
      read,
      unsettled,
      seen,
      capabilities: remote.capabilities(),
      spool,
    }),
  );
}
