import type { LoadedContent } from '../../../content/options.ts';
import type { Key } from '../../../model/key.ts';
import { idKey, kindOf, langOf } from '../../../model/key.ts';
import type { Repository } from '../../../model/repository.ts';
import { deletedKeys, fileContext, idsOf, renamedPages, targetsOf, willHaveFile } from '../context.ts';
import type { PullOptions, PullRun, PullWishes } from '../context.ts';
import { placePages } from '../places/place-pages.ts';
import { placeRecords } from '../places/place-records.ts';
import type { Places } from '../places/place-records.ts';
import { isWantedLanguage } from '../reading/read-records.ts';
import type { Fetched } from '../reading/read-records.ts';
import { recordsByKey } from '../reading/read-site.ts';
import type { SiteRecords } from '../reading/read-site.ts';
import { pullAssets } from './assets.ts';
import type { PulledAssets } from './assets.ts';
import { slugName } from './write-record.ts';

export interface OpenedRun {
  readonly run: PullRun;
  /** The records that are asked for. */
  readonly chosen: readonly Fetched[];
  readonly assets: PulledAssets | undefined;
}

/** Gives every record its file, brings the images along, and puts together what the writing of a file needs to know. */
export async function openRun(
  site: SiteRecords,
  asked: PullOptions,
  { base, repository }: { readonly base: PullRun['base']; readonly repository: Repository },
): Promise<OpenedRun> {
  const { content, wanted } = asked;
  const desired = content.state;
  const files = new Map([...desired.records].map(([key, record]) => [key, asked.pathOf(record)]));
  const { places, layout } = placesOf(site.records, { base, files, options: asked });
  const options: PullOptions = { ...asked, layout };
  const chosen = site.records.filter((record) => isChosen(record, places, wanted));
  const present = chosen.filter((record) => willHaveFile(record, places, options));
  const assets = await assetsOf(present, options);
  const byKey = recordsByKey(site.records, places.familyOf);
  const run: PullRun = {
    options,
    base,
    places,
    context: fileContext(site.records, present, places, options),
    links: {
      origin: options.origin,
      renamed: renamedPages(site.records, places, options),
      targets: targetsOf(present, places, options),
      assetsBaseUrl: options.layout.assetsBaseUrl,
      kept: desired.files ?? new Map(),
      hasFile: (path: string) => options.folder.has(path),
      assets: assets?.files ?? new Map(),
    },
    ids: idsOf(places),
    shown: (key) => byKey.get(key),
    deleted: await deletedKeys(chosen, { places, base, options, known: repository.known }),
    waitingSlugs: waitingSlugs(content),
    lostFiles: lostFiles(content, chosen, base),
    slugs: new Set(
      [...desired.records.values()].map(({ kind, lang, fields }) => slugName(kind, lang, fields)),
    ),
  };
  return { run, chosen, assets: assets?.report };
}

/** Where records have their files; of another system's layout with the pages that are to come. */
function placesOf(
  records: readonly Fetched[],
  {
    base,
    files,
    options: { content, layout, spool, loaded },
  }: {
    readonly base: PullRun['base'];
    readonly files: ReadonlyMap<Key, string>;
    readonly options: PullOptions;
  },
): { readonly places: Places; readonly layout: PullOptions['layout'] } {
  const { preset } = layout;
  const input = {
    records,
    desired: content.state,
    base,
    preset,
    open: loaded.open,
    bodyOf: ({ body }: Fetched) => spool.get(body),
    fileOf: (key: Key) => files.get(key),
  };
  const editing = content.editing?.();
  if (preset.foreign === undefined || editing === undefined) return { places: placeRecords(input), layout };
  const { preset: next, ...places } = placePages({ ...input, editing });
  return { places, layout: { ...layout, preset: next } };
}

function isChosen(record: Fetched, places: Places, wanted: PullWishes): boolean {
  if (!isWantedLanguage(record.lang, wanted)) return false;
  if (record.kind === 'article' && wanted.status !== undefined && record.fields['status'] !== wanted.status)
    return false;
  const family = places.familyOf.get(idKey(record.kind, record.id));
  const file = family === undefined ? undefined : places.fileOf(family, record.lang);
  return file === undefined || wanted.isAskedFor(file);
}

async function assetsOf(
  records: readonly Fetched[],
  { assets, content, folder, spool, layout, origin, wanted }: PullOptions,
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
    kept: content.state.files ?? new Map(),
    dryRun: wanted.dryRun,
  });
}

function waitingSlugs({ faulty, state }: LoadedContent): ReadonlyMap<string, string> {
  return new Map(
    faulty.flatMap(({ key, slug }) => {
      const why = state.withheld?.get(key)?.message;
      if (slug === undefined || why === undefined) return [];
      return [[slugName(kindOf(key), langOf(key), { slug }), why] as const];
    }),
  );
}

function lostFiles(
  { faulty }: LoadedContent,
  records: readonly Fetched[],
  base: PullRun['base'],
): ReadonlyMap<string, string> {
  if (base.records.size > 0 || records.some(({ stamp }) => stamp !== undefined)) return new Map();
  const slugs = new Set(records.map(({ kind, lang, fields }) => slugName(kind, lang, fields)));
  return new Map(
    faulty.flatMap(({ key, slug, file }) => {
      const [kind, lang] = [kindOf(key), langOf(key)];
      const isTold = slug !== undefined && slugs.has(slugName(kind, lang, { slug }));
      return isTold ? [] : [[`${kind} ${lang}`, file] as const];
    }),
  );
}
