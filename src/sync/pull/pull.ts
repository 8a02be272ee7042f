import type { Family, Key } from '../../model/key.ts';
import { familyOf, idKey, isOriginal, keyIn, kindOf, langOf } from '../../model/key.ts';
import { idToCome } from '../../plan/compare.ts';
import { findMoves } from '../../plan/moves.ts';
import type { Learnt } from '../../plan/plan.ts';
import { consistentBase, resentFamilies } from '../survey/consistent-base.ts';
import { stillPulled, withPulledPages } from '../survey/pulled-pages.ts';
import { pullAssets } from './assets.ts';
import { deletedThere } from './deleted-there.ts';
import type { PulledAssets } from './assets.ts';
import { placeRecords } from './places/place-records.ts';
import type { Places } from './places/place-records.ts';
import { fromSpool, inSyncRecord, pulledBase, toSpool } from './pulled-base.ts';
import type { PulledRecord, PullReport } from './report.ts';
import { isWantedLanguage, languagesToRead, readRecords } from './read-records.ts';
import type { Fetched, Reading } from './read-records.ts';
import type { SpooledRecord } from './pulled-base.ts';
import { enterPages } from './enter-pages.ts';
import { draftRecord, GONE, isPageMade, refuseProposal, slugName, writeProposal } from './write-record.ts';
import type { RecordEnd } from './write-record.ts';
import { acceptedOf } from './accepted.ts';
import { judgedPage } from './conversion.ts';
import { placePages } from './places/place-pages.ts';
import { isProposal } from './proposal.ts';
import type { Proposal } from './proposal.ts';
import { deletedKeys, fileContext, idsOf, renamedPages, targetsOf, willHaveFile } from './context.ts';
import type { LoadedContent } from '../../content/options.ts';
import type { PullOptions, PullRun, PullWishes } from './context.ts';
import type { BaseRecord, DesiredState } from '../../model/record.ts';
import { NAMELESS } from '../../model/repository.ts';
import type { Repository } from '../../model/repository.ts';
import { otherOwner } from '../../model/stamp.ts';
import { repositoryOf } from '../repository.ts';

/**
 * The knowledge base as files. Reads everything that is wanted before it writes anything; a file is made, or changed where
 * it is as the last sync left it, and in any other case a copy is put beside it. Files are never deleted.
 */
export async function pull(options: PullOptions): Promise<PullReport> {
  const { remote, now, wanted, signal } = options;
  const startMs = now();
  const { state } = options.content;
  // A file that was moved since the last sync is its record's, also before the next sync says so.
  const known = withPulledPages(consistentBase(options.loaded, state), state, {
    resent: resentFamilies(options.loaded),
  });
  const { base, moves } = findMoves(state, known.base);
  const repository = repositoryOf(options.repository ?? NAMELESS, options.loaded.state);
  const written = await readAndWrite(options, { base, repository });
  if (!wanted.dryRun) {
    if (options.remember !== undefined) await options.remember(pulledPages(written, options));
    else await saveBase(written, { repository, moves }, options);
  }
  return {
    records: [...written.ends.map(({ end }) => end), ...written.deleted],
    unread: written.unread,
    incomplete: written.incomplete,
    others: countedBy(written.others),
    ...(written.assets === undefined ? {} : { assets: written.assets }),
    requests: remote.requests(),
    durationMs: now() - startMs,
    interrupted: signal?.aborted === true,
  };
}

/**
 * Articles whose stamps name another repository, by kind and id: a file here would be blocked by every sync. Categories and tags come along,
 * because articles of ours may be in them. A folder that nothing names has no other to tell apart.
 */
function articlesOfOthers(
  records: readonly Fetched[],
  { repository, desired }: { readonly repository: Repository; readonly desired: DesiredState },
): ReadonlyMap<string, string> {
  const others = new Map<string, string>();
  if (repository.known.length === 0) return others;
  for (const { kind, id, lang, stamp } of records) {
    const owner =
      kind === 'article' && lang === desired.defaultLanguage ? otherOwner(stamp, repository) : undefined;
    if (owner !== undefined) others.set(idKey(kind, id), owner);
  }
  return others;
}

function countedBy(names: readonly string[]): PullReport['others'] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([repository, articles]) => ({ repository, articles }));
}

/** What is left in memory when the files are written: of ten thousand records as little as possible. */
interface WrittenRecords {
  readonly ends: readonly End[];
  readonly deleted: readonly PulledRecord[];
  readonly unread: number;
  readonly listed: Reading['listed'];
  readonly incomplete: readonly string[];
  /** The repository of each article that belongs to another one. */
  readonly others: readonly string[];
  readonly assets: PulledAssets | undefined;
  readonly ids: ReadonlyMap<Family, string>;
  readonly familyOf: Places['familyOf'];
  readonly renamed: PullRun['links']['renamed'];
}

async function readAndWrite(
  asked: PullOptions,
  { base, repository }: { readonly base: PullRun['base']; readonly repository: Repository },
): Promise<WrittenRecords> {
  const { remote, content, spool, emit, wanted, signal } = asked;
  const desired = content.state;
  emit({ type: 'phase', phase: 'read service' });
  const unread: Key[] = [];
  const whole = await readRecords({
    remote,
    spool,
    defaultLanguage: desired.defaultLanguage,
    isKnown:
      wanted.languages?.includes(desired.defaultLanguage) === true ||
      [...base.records.keys()].some((key) => kindOf(key) === 'article' && isOriginal(key, desired)),
    atOnce: asked.atOnce,
    languagesOf: languagesToRead({
      defaultLanguage: desired.defaultLanguage,
      wanted,
      records: base.records,
      // A tag that no page names may be named again, and then the pages have to call it as the site does.
      isNeeded: (key) => isPageMade(kindOf(key), asked.layout) && !desired.records.has(key),
      onUnread: (key) => unread.push(key),
    }),
    onRead: (done, total, failed) => emit({ type: 'progress', done, total, failed }),
  });
  const others = articlesOfOthers(whole.records, { repository, desired });
  const reading = {
    ...whole,
    records: whole.records.filter((record) => !others.has(idKey(record.kind, record.id))),
  };
  const files = new Map([...desired.records].map(([key, record]) => [key, asked.pathOf(record)]));
  const { places, layout } = placesOf(reading.records, { base, files, options: asked });
  const options: PullOptions = { ...asked, layout };
  const chosen = reading.records.filter((record) => isChosen(record, places, wanted));
  const present = chosen.filter((record) => willHaveFile(record, places, options));
  const assets = await assetsOf(present, options);
  const byKey = new Map<Key, Fetched>();
  for (const record of reading.records) {
    const family = places.familyOf.get(idKey(record.kind, record.id));
    if (family !== undefined) byKey.set(keyIn(family, record.lang), record);
  }
  const isUnread = new Set(unread);
  const deleted = await deletedThere({
    options,
    known: base.records,
    reading,
    isShown: (key) => byKey.has(key) || isUnread.has(key),
  });
  emit({ type: 'phase', phase: 'write' });
  const run: PullRun = {
    options,
    base,
    places,
    context: fileContext(reading.records, present, places, options),
    links: {
      origin: options.origin,
      renamed: renamedPages(reading.records, places, options),
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
  const ends: End[] = [];
  const end = (record: Fetched, { end: told, isInSync }: RecordEnd): void => {
    // Another repository's category or tag comes along as a file and stays theirs: a sync of that file says so.
    const isOurs = otherOwner(record.stamp, repository) === undefined;
    ends.push({ end: told, inSync: isInSync && isOurs ? toSpool(spool, record) : undefined });
  };
  const written: Proposal[] = [];
  for (const [record, told] of toldOf(chosen, run)) {
    if (signal?.aborted === true) break;
    const done = isProposal(told) ? writeProposal(told, run) : told;
    if (isProposal(told) && done.end.action !== 'left') written.push(told);
    end(record, done);
  }
  const entered = enterPages(written, run);
  for (const key of unread) ends.push(...untoldGone(key, run));
  const { listed, incomplete } = reading;
  return {
    ends: ends.map((each) => {
      const said = entered.get(each.end.file ?? '');
      if (said === undefined) return each;
      const end = { ...each.end, ...said };
      return said.why === undefined ? { ...each, end } : { end, inSync: undefined };
    }),
    deleted,
    unread: unread.filter((key) => wanted.isAskedFor(files.get(key) ?? '') && files.has(key)).length,
    listed,
    incomplete,
    others: [...others.values()],
    assets: assets?.report,
    ids: run.ids,
    familyOf: places.familyOf,
    renamed: run.links.renamed,
  };
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

/** A record that nobody edited on the site, and whose file is gone. */
function untoldGone(key: Key, { base, places, options }: PullRun): readonly End[] {
  const known = base.records.get(key);
  const { records, withheld } = options.content.state;
  if (known === undefined || records.has(key) || withheld?.has(key) === true) return [];
  const lang = langOf(key);
  const file = places.fileOf(familyOf(key), lang);
  if (file === undefined || !options.wanted.isAskedFor(file)) return [];
  const end = {
    kind: kindOf(key),
    id: known.id,
    lang,
    key,
    file,
    action: 'gone',
    fields: [],
    why: GONE,
  } as const;
  return [{ end, inSync: undefined }];
}

/** Each record with what becomes of it; the proposals among them are judged together. */
function toldOf(
  records: readonly Fetched[],
  run: PullRun,
): readonly (readonly [Fetched, RecordEnd | Proposal])[] {
  const { content, spool } = run.options;
  const told = records.map((record) => [record, draftRecord(record, run)] as const);
  const proposals = told.flatMap(([, made]) => (isProposal(made) ? [made] : []));
  const editing = content.editing?.();
  if (proposals.length === 0 || editing === undefined) return told;
  const { refused, unentered, made } = acceptedOf(proposals, {
    editing,
    before: content,
    idOf: (family) => run.ids.get(family) ?? idToCome(family),
    shown: run.shown,
    bodyOf: ({ body }) => spool.get(body),
    pageOf: (record, file) => judgedPage(record, file, run),
  });
  return told.map(([record, one]) => {
    if (isProposal(one)) {
      const why = refused.get(one);
      return [record, why === undefined ? (unentered.get(one) ?? one) : refuseProposal(one, why, run)];
    }
    // A tag or category that a new page makes by naming it.
    const { key, action } = one.end;
    const isMade = action === 'onSite' && key !== undefined && made.has(key);
    const { why: _, ...told } = one.end;
    return [record, isMade ? { end: { ...told, action: 'unchanged' as const }, isInSync: true } : one];
  });
}

/** Where records have their files; of another system's layout with the pages that are to come. */
function placesOf(
  records: readonly Fetched[],
  {
    base,
    files,
    options: { content, layout, spool },
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
    bodyOf: ({ body }: Fetched) => spool.get(body),
    fileOf: (key: Key) => files.get(key),
  };
  const editing = content.editing?.();
  if (preset.foreign === undefined || editing === undefined) return { places: placeRecords(input), layout };
  const { preset: next, ...places } = placePages({ ...input, editing });
  return { places, layout: { ...layout, preset: next } };
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
  readonly inSync: SpooledRecord | undefined;
}

async function saveBase(
  written: WrittenRecords,
  { repository: { id }, moves }: { readonly repository: Repository; readonly moves: readonly Learnt[] },
  options: PullOptions,
): Promise<void> {
  const { ends, ids, familyOf, listed, renamed } = written;
  const { state } = await options.reload();
  const inSync = new Map<Key, SpooledRecord>();
  const differing = new Set<Key>();
  for (const { end, inSync: shown } of ends) {
    if (end.key === undefined) continue;
    if (shown !== undefined) inSync.set(end.key, shown);
    else if (end.action !== 'unchanged') differing.add(end.key);
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
    stillPulled(
      pulledBase({
        before: {
          ...loaded.state,
          records: withMoves(loaded.state.records, moves),
          ...(id === undefined ? {} : { repository: id }),
        },
        desired: state,
        ids,
        renamed,
        inSync,
        read,
        differing,
        seen,
        capabilities: remote.capabilities(),
        spool,
      }),
      state,
    ),
  );
}

/** What the new files of a proposal say, so a sync that finds them knows their pages, whatever the site says then. */
function pulledPages({ ends, ids, renamed }: WrittenRecords, options: PullOptions): readonly BaseRecord[] {
  const { content, folder, loaded, spool } = options;
  const made = ends.filter(({ end }) => end.action === 'created');
  const editing = content.editing?.();
  if (made.length === 0 || editing === undefined) return [];
  const files = ends.flatMap(({ end: { action, file, navigations = [] } }) =>
    file === undefined || (action !== 'created' && action !== 'updated') ? [] : [file, ...navigations],
  );
  const drafts = [...new Set(files)].flatMap((file) => {
    const text = folder.read(file);
    return text === undefined ? [] : [[file, text] as const];
  });
  const { state: desired } = editing.readWith(new Map(drafts));
  return made.flatMap(({ end: { key }, inSync }) => {
    if (key === undefined || inSync === undefined) return [];
    const record = inSyncRecord(key, fromSpool(spool, inSync), {
      before: loaded.state,
      desired,
      ids,
      renamed,
      spool,
    });
    return record ?? [];
  });
}

function withMoves(
  records: PullRun['base']['records'],
  moves: readonly Learnt[],
): PullRun['base']['records'] {
  const moved = new Map(records);
  // Two of them may have changed names.
  for (const move of moves) if (move.how === 'moved' && move.from !== undefined) moved.delete(move.from);
  for (const move of moves)
    if (move.how === 'moved' && move.from !== undefined) moved.set(move.record.key, move.record);
  return moved;
}
