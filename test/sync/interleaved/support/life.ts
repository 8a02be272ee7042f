import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { ContentOptions, LoadedContent } from '../../../../src/content/options.ts';
import { contentFolder, openSpool } from '../../../../src/content/files/folder.ts';
import { overlayFolder } from '../../../../src/content/files/overlay.ts';
import { loadDesired } from '../../../../src/content/load-content.ts';
import { movedFiles } from '../../../../src/content/moving/move-files.ts';
import { loadLayout } from '../../../../src/content/presets/load-layout.ts';
import type { Layout } from '../../../../src/content/presets/load-layout.ts';
import { familyOf, keyIn } from '../../../../src/model/key.ts';
import type { Key } from '../../../../src/model/key.ts';
import { ADDRESS_TEMPLATES } from '../../../../src/model/address/page-address.ts';
import type { BaseRecord } from '../../../../src/model/record.ts';
import { morePulled } from '../../../../src/sync/survey/pulled-pages.ts';
import { pull } from '../../../../src/sync/pull/pull.ts';
import type { PullReport } from '../../../../src/sync/pull/report.ts';
import type { SyncPolicy, SyncReport } from '../../../../src/sync/report.ts';
import { knowledgeOf } from '../../../support/knowledge.ts';
import { MEMORY_ORIGIN } from '../../../support/memory-base.ts';
import { createRig, type Rig } from '../../../support/rig.ts';
import { chanceFrom } from '../../../sim/random.ts';
import { layoutOf } from './layouts.ts';
import { mergedTree, MOVES, type Tree } from './merge.ts';
import {
  authorActs,
  editorActs,
  familyIn,
  moveSilently,
  newText,
  pagesIn,
  pagesOf,
  rowText,
  wordsIn,
  type People,
} from './people.ts';

/** `twoFiles`: pages that got a second file, which each sync names · `excused`: pages that a known limit made anew. */
type Count = 'edits' | 'syncs' | 'pulls' | 'merges' | 'home' | 'twoFiles' | 'excused';

export interface Lived {
  readonly wrong: readonly string[];
  readonly trace: readonly string[];
  readonly counts: Readonly<Record<Count, number>>;
}

/** A branch that began at some commit of main. */
interface Branch {
  readonly from: Tree;
  tree: Map<string, string>;
  /** Somebody besides kbsync committed to it. */
  isTouched: boolean;
}

interface Life extends People {
  readonly rig: Rig;
  readonly folder: string;
  main: Tree;
  /** As the last sync in which nothing was open read it. */
  synced: Tree;
  readonly commits: Tree[];
  /** Every path that some commit of main had. */
  readonly former: Set<string>;
  feature: Branch | undefined;
  request: Branch | undefined;
  readonly words: Set<string>;
  /** Pages that were in the files of a sync. */
  readonly known: Set<string>;
  /** Pages that an editor deleted. */
  readonly goneOnSite: Set<string>;
  /** Pages whose earlier name a merge lost: nothing tells that they are the same. */
  readonly untold: Set<string>;
  /** Records that the service refused an address that another record has, and said so. */
  refusedAddress: Set<Key>;
  /** Files that pulls have made, by their page. */
  readonly pulledFiles: Map<string, Set<string>>;
  /** Pages that a job made a file for which worked on an earlier commit. */
  readonly pulledLate: Set<string>;
  /** Pages with two files, each by another pull, or one by a late job and one that an author has renamed meanwhile. */
  readonly twoFiles: Set<string>;
  /** Files of records that the last run did not find on the site any more. */
  deletedThere: readonly string[];
  /** Words in what the runs since the last settling have named. */
  named: Set<string>;
  readonly prune: boolean;
  readonly trace: string[];
  readonly wrong: string[];
  readonly counts: Record<Count, number>;
}

/** A knowledge base from its first sync on: people at both ends, pull requests, merges, and syncs between them. */
export async function live(seed: number): Promise<Lived> {
  const life = await begin(seed);
  try {
    await step(life, 'sync', () => sync(life));
    const steps = 6 + life.chance.below(10);
    for (let index = 0; index < steps && life.wrong.length === 0; index += 1) await oneStep(life);
    if (life.wrong.length === 0) await settle(life);
  } finally {
    await life.rig.close();
    rmSync(life.folder, { recursive: true, force: true });
  }
  return life;
}

async function begin(seed: number): Promise<Life> {
  const chance = chanceFrom(seed ^ 0x17ea);
  const layout = layoutOf(chance);
  const reader = await loadLayout(layout.preset);
  const rig = await createRig({ seed, languages: ['en', 'fr'] });
  const folder = mkdtempSync(join(tmpdir(), 'kbsync-interleaved-'));
  const words = new Set<string>();
  let pages = 0;
  const isStateless = chance.happens(0.3);
  const keepsStamps = chance.happens(0.5);
  const people: People = {
    chance,
    layout,
    keepsStamps,
    isStateless,
    takenOut: new Set(),
    newWord: () => {
      const word = `e${words.size + 1}`;
      words.add(word);
      return word;
    },
    newPage: () => {
      pages += 1;
      return `u${pages}`;
    },
    move: (tree, from, to) => movedTree({ folder, layout, rig, reader }, tree, from, to),
  };
  const names = ['alpha', 'beta', 'gamma'].slice(0, 1 + chance.below(3));
  const main = new Map(Object.entries(layout.beside(names)));
  for (const name of names) {
    const page = people.newPage();
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    for (const lang of layout.languages)
      if (lang === 'en' || chance.happens(0.5))
        main.set(layout.page(name, lang), newText(people, title, page));
  }
  return {
    ...people,
    rig,
    folder,
    main,
    synced: new Map(),
    commits: [main],
    former: new Set(main.keys()),
    feature: undefined,
    request: undefined,
    words,
    known: new Set(),
    goneOnSite: new Set(),
    untold: new Set(),
    refusedAddress: new Set(),
    pulledFiles: new Map(),
    pulledLate: new Set(),
    twoFiles: new Set(),
    deletedThere: [],
    named: new Set(),
    prune: chance.happens(0.5),
    trace: [layout.preset],
    wrong: [],
    counts: { edits: 0, syncs: 0, pulls: 0, merges: 0, home: 0, twoFiles: 0, excused: 0 },
  };
}

async function oneStep(life: Life): Promise<void> {
  const { chance } = life;
  life.rig.clock.advance(chance.oneOf(1000, 60_000, 3_600_000));
  const roll = chance.below(20);
  if (roll < 6) return step(life, 'editor', () => edit(life));
  if (roll < 9) return step(life, 'author', () => commit(life, authored(life, new Map(life.main))));
  if (roll < 11) return step(life, 'author on a branch', () => branchOff(life));
  if (roll === 11) return step(life, 'the branch is merged', () => mergeFeature(life));
  if (roll < 14) return step(life, 'pull request', () => proposePull(life));
  if (roll === 14) return step(life, 'reviewer', () => review(life));
  if (roll < 17) return step(life, 'the request is merged', () => mergeRequest(life));
  if (roll === 19 && chance.happens(0.3) && !life.isStateless) return moveAndSync(life);
  if (roll === 17 && chance.happens(0.5)) return step(life, 'pull', () => pullHere(life));
  return step(life, 'sync', () => sync(life));
}

/** Does something, and then looks whether any edit is nowhere, and any page twice. */
async function step(life: Life, what: string, act: () => Promise<string> | string): Promise<void> {
  const before = await wordsThere(life);
  const told = await act();
  life.trace.push(`${what}: ${told}`);
  const now = await wordsThere(life);
  noteTwoFiles(life);
  for (const word of before)
    if (!now.has(word) && !life.takenOut.has(word)) life.wrong.push(`${what} lost ${word}`);
  for (const [where, texts] of [
    ['on the site', await originals(life)],
    [
      'in the files',
      pagesOf(life.main)
        .filter((path) => isEnglish(path))
        .map((path) => life.main.get(path) ?? ''),
    ],
  ] as const) {
    const seen = new Set<string>();
    for (const page of texts.flatMap(pagesIn)) {
      const isOnePage = where === 'in the files' && life.twoFiles.has(page);
      if (seen.has(page) && !life.untold.has(page) && !isOnePage)
        life.wrong.push(`${what}: ${page} is there twice ${where}`);
      seen.add(page);
    }
  }
}

/**
 * A pull calls a page by its address, so a page that gets another address while a pull request waits may get two files. A state
 * remembers both, and each sync names the second; without one it is another page (known limit 15).
 */
function noteTwoFiles(life: Life): void {
  for (const [page, files] of life.pulledFiles) {
    if (life.twoFiles.has(page) || life.untold.has(page)) continue;
    if (files.size < 2 && !life.pulledLate.has(page)) continue;
    if (filesOf(life.main, page).length < 2) continue;
    life.counts[life.isStateless ? 'excused' : 'twoFiles'] += 1;
    (life.isStateless ? life.untold : life.twoFiles).add(page);
  }
}

function filesOf(tree: Tree, page: string): readonly string[] {
  return pagesOf(tree).filter((path) => isEnglish(path) && pagesIn(tree.get(path) ?? '').includes(page));
}

function isEnglish(path: string): boolean {
  return !path.startsWith('fr/') && !path.endsWith('.fr.md');
}

async function originals({ rig }: Life): Promise<readonly string[]> {
  return (await knowledgeOf(rig.store))
    .filter(({ kind, original }) => kind === 'article' && original === undefined)
    .map(({ text }) => text);
}

async function wordsThere({ rig, main, feature, request }: Life): Promise<ReadonlySet<string>> {
  const trees = [
    main,
    feature?.tree ?? new Map<string, string>(),
    request?.tree ?? new Map<string, string>(),
  ];
  const texts = trees.flatMap((tree) => [...tree].map(([path, text]) => `${path} ${text}`));
  return new Set([...texts, ...(await knowledgeOf(rig.store)).map(rowText)].flatMap(wordsIn));
}

async function edit(life: Life): Promise<string> {
  life.counts.edits += 1;
  const { told, gone } = await editorActs(life.rig, life);
  // Of a page that no sync has seen beside its file, nobody knows: who merges that file asks for the page.
  for (const page of gone) if (life.known.has(page)) life.goneOnSite.add(page);
  return told;
}

function authored(life: Life, tree: Map<string, string>): Map<string, string> {
  for (let count = 1 + life.chance.below(2); count > 0; count -= 1) {
    life.counts.edits += 1;
    life.trace.push(`  ${authorActs(tree, life)}`);
  }
  return tree;
}

function commit(life: Life, tree: Tree): string {
  life.main = tree;
  life.commits.push(tree);
  for (const path of tree.keys()) life.former.add(path);
  return `commit ${life.commits.length}`;
}

/** Without a word of `kbsync mv`, only a page that says what the last sync sent is known again. */
async function moveAndSync(life: Life): Promise<void> {
  const isSent = (path: string): boolean => life.main.get(path) === life.synced.get(path);
  const path = life.chance.pick(
    pagesOf(life.main).filter((file) => isEnglish(file) && familyIn(life.main, file, life).every(isSent)),
  );
  if (path === undefined) return;
  const tree = new Map(life.main);
  await step(life, 'author', () => `${moveSilently(tree, path, life)}, ${commit(life, tree)}`);
  await step(life, 'sync', () => sync(life));
}

function branchOff(life: Life): string {
  life.feature ??= { from: life.main, tree: new Map(life.main), isTouched: true };
  authored(life, life.feature.tree);
  return 'committed';
}

function mergeFeature(life: Life): string {
  const { feature } = life;
  if (feature === undefined) return 'there is none';
  life.feature = undefined;
  return merge(life, feature);
}

function mergeRequest(life: Life): string {
  const { request } = life;
  if (request === undefined) return 'there is none';
  life.request = undefined;
  return merge(life, request);
}

/** Whoever merges sees both sides of a conflict, and takes one. */
function merge(life: Life, { from, tree }: Branch): string {
  life.counts.merges += 1;
  const merged = mergedTree(from, life.main, tree, life.chance.oneOf('ours', 'theirs'));
  for (const [before, after] of merged.alike)
    if (pagesIn(before).join() !== pagesIn(after).join())
      for (const page of pagesIn(`${before} ${after}`)) life.untold.add(page);
  for (const [path, texts] of merged.conflicts) {
    const text = merged.tree.get(path);
    const chosen = text === undefined ? '' : `${path} ${text}`;
    const left = new Set(wordsIn(chosen));
    for (const word of texts.flatMap(wordsIn)) if (!left.has(word)) life.takenOut.add(word);
    const told = (text: string): readonly string[] =>
      /^moved_?from:(.*(?:\n +- .*)*)/im.exec(text)?.[1]?.match(/[^\s[\],'"-][^\s[\],'"]*/g) ?? [];
    const address = (text: string): string => /^(?:kbS|s)lug: .*$/m.exec(text)?.[0] ?? '';
    const isUntold =
      // Without a state, a page whose address a merge took out of its file is another page (known limit 15).
      (life.isStateless && texts.some((text) => address(text) !== address(chosen))) ||
      pagesIn(texts[0]).join() !== pagesIn(texts[1]).join() ||
      texts.some((text) => !text.includes(' ') || text.endsWith(' ')) ||
      texts.some((text) => told(text).some((name) => !told(chosen).includes(name))) ||
      texts[0].split(' ')[0] !== texts[1].split(' ')[0];
    for (const page of isUntold ? texts.flatMap(pagesIn) : []) life.untold.add(page);
  }
  return `${commit(life, merged.tree)}${merged.conflicts.size > 0 ? `, conflicts in ${[...merged.conflicts.keys()].join()}` : ''}`;
}

function review(life: Life): string {
  const { request } = life;
  if (request === undefined) return 'nothing to review';
  request.isTouched = true;
  authored(life, request.tree);
  return 'committed to the request';
}

type Place = Pick<Life, 'folder' | 'layout' | 'rig'>;

function movedTree(
  place: Place & { readonly reader: Layout },
  tree: Tree,
  from: string,
  to: string,
): Map<string, string> | undefined {
  checkOut(place, tree);
  const moved = movedFiles({
    names: { from, to },
    options: optionsOf(place, tree),
    layout: place.reader,
    read: (path) => tree.get(path),
  });
  if ('why' in moved) return undefined;
  const after = new Map(tree);
  for (const [old, now] of moved.files) {
    const text = after.get(old);
    after.delete(old);
    if (text !== undefined) after.set(now, text);
  }
  for (const [path, text] of moved.texts) after.set(path, text);
  const lines = (after.get(MOVES) ?? '').split('\n').filter((line) => line !== '');
  const { line, takenBack } = moved;
  if (takenBack !== undefined) lines.splice(lines.indexOf(`${takenBack.from} ${takenBack.to}`), 1);
  if (line !== undefined) lines.push(`${line.from} ${line.to}`);
  if (lines.length > 0) after.set(MOVES, lines.join('\n'));
  return after;
}

function checkOut({ folder }: Pick<Life, 'folder'>, tree: Tree): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [path, text] of tree) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function optionsOf({ folder, layout, rig }: Place, tree: Tree): ContentOptions {
  const lines = (tree.get(MOVES) ?? '').split('\n').filter((line) => line !== '');
  return {
    contentDir: folder,
    cwd: folder,
    nowMs: rig.clock.now(),
    defaultLanguage: 'en',
    languages: {},
    preset: layout.preset,
    moved: lines.map((text, index) => {
      const [from = '', to = ''] = text.split(' ');
      return { from, to, at: { file: 'kbsync.yaml', line: index + 1, column: 1 } };
    }),
    fields: layout.fields ?? {},
    defaults: {},
    urls: ADDRESS_TEMPLATES,
    html: 'sanitize',
    ignoreKeys: [],
    allow: new Set(),
  };
}

/** What is checked out. */
function read(life: Life, tree: Tree): Promise<LoadedContent> {
  return loadDesired(optionsOf(life, tree));
}

function faultsIn({ problems }: LoadedContent): string | undefined {
  const faults = problems.filter(({ severity }) => severity === 'error');
  return faults.length === 0 ? undefined : faults.map(({ code, at }) => `${code} ${at.file}`).join(', ');
}

async function sync(life: Life, policy: Partial<SyncPolicy> = {}): Promise<string> {
  life.counts.syncs += 1;
  checkOut(life, life.main);
  const content = await read(life, life.main);
  const faults = faultsIn(content);
  if (faults !== undefined) {
    life.named.add('faults');
    return `faults: ${faults}`;
  }
  if (life.isStateless) life.rig.forget();
  const allow = new Set(['vanished', 'scope-change', 'empty-remote'] as const);
  const report = await life.rig.sync(content.state, { prune: life.prune, maxDelete: 100, allow, ...policy });
  for (const page of pagesOf(life.main).flatMap((path) => pagesIn(life.main.get(path) ?? '')))
    life.known.add(page);
  await noteNamed(life, report, content);
  for (const { key, outcome, message } of report.results)
    if (outcome === 'failed' && / is the slug of /.test(message)) life.refusedAddress.add(key);
  const { conflicts, blocked, refusals } = report.plan;
  for (const page of life.twoFiles) {
    const files = filesOf(life.main, page);
    const isNamed = [...conflicts, ...blocked].some(({ key }) =>
      files.includes(content.state.records.get(key)?.at.file ?? ''),
    );
    if (files.length > 1 && !isNamed && !life.untold.has(page))
      life.wrong.push(`sync says nothing of the two files of ${page}: ${files.join()}`);
  }
  if (conflicts.length + blocked.length + refusals.length === 0) life.synced = life.main;
  for (const { action, key, fields } of report.plan.changes) {
    const file = content.state.records.get(key)?.at.file;
    const own = file === undefined ? [] : pagesIn(life.main.get(file) ?? '');
    const back =
      action === 'create' && !life.isStateless && policy.onConflict !== 'local' && isEnglish(file ?? '');
    for (const page of own)
      if (back && life.goneOnSite.has(page) && !life.untold.has(page))
        life.wrong.push(`sync made ${page} again, which an editor had deleted (${fields.length})`);
  }
  return toldOf(report);
}

function toldOf({ plan, results }: SyncReport): string {
  const { conflicts, drift, kept, blocked, refusals, learnt } = plan;
  return [
    ...results.map(
      ({ action, key, outcome, message }) =>
        `${action} ${key}${outcome === 'done' ? '' : ` ${outcome} ${message}`}`,
    ),
    ...conflicts.map(({ key, code }) => `conflict ${key} ${code}`),
    ...drift.map(({ key, fields }) => `drift ${key} ${fields.map(({ field }) => field).join()}`),
    ...kept.map(({ key, reason }) => `kept ${key} ${reason}`),
    ...blocked.map(({ key, reason }) => `blocked ${key} ${reason}`),
    ...refusals.map(({ code }) => `refused ${code}`),
    ...learnt.map(
      ({ how, ...one }) =>
        `${how} ${'key' in one ? one.key : 'key' in one.record ? one.record.key : one.record.id}`,
    ),
  ].join('; ');
}

/** Words of records that a run names, in the file and on the site. */
async function noteNamed(life: Life, { plan }: SyncReport, content: LoadedContent): Promise<void> {
  const rows = await knowledgeOf(life.rig.store);
  life.deletedThere = plan.conflicts.flatMap(({ key, code }) =>
    code === 'remote-deleted' || code === 'modified-deleted'
      ? (content.state.records.get(key)?.at.file ?? [])
      : [],
  );
  // An editor wrote all of it anew, so it may be another page with an id that was used before: who says `local` has both.
  for (const { key, code } of plan.conflicts)
    if (code === 'replaced')
      for (const page of pagesIn(life.main.get(content.state.records.get(key)?.at.file ?? '') ?? ''))
        life.untold.add(page);
  const all = [...plan.conflicts, ...plan.drift, ...plan.kept, ...plan.blocked];
  for (const one of all) {
    const file = content.state.records.get(one.key)?.at.file;
    const id = 'id' in one ? one.id : undefined;
    const texts = [file === undefined ? '' : `${file} ${life.main.get(file) ?? ''}`];
    for (const row of rows) if (row.id === id || row.original === id) texts.push(rowText(row));
    for (const word of texts.flatMap(wordsIn)) life.named.add(word);
  }
}

async function pulled(
  life: Life,
  isProposal: boolean,
  main: Tree = life.main,
): Promise<{ readonly report: PullReport; readonly tree: Map<string, string> } | string> {
  life.counts.pulls += 1;
  const { folder, layout, rig } = life;
  checkOut(life, main);
  const content = await read(life, main);
  const faults = faultsIn(content);
  if (faults !== undefined) return `faults: ${faults}`;
  if (life.isStateless) rig.forget();
  const overlay = overlayFolder(contentFolder(folder));
  const spool = openSpool();
  try {
    const report = await rig.open({}, async ({ remote, base }) => {
      const loaded = await base.load();
      const remember = (pages: readonly BaseRecord[]): Promise<void> =>
        base.save({ ...loaded.state, pulled: morePulled(loaded.state.pulled ?? [], pages) });
      return pull({
        remote,
        base,
        loaded,
        repository: rig.repository,
        content,
        reload: () => {
          if (isProposal) return Promise.resolve(content);
          const after = new Map([...main, ...textsOf(overlay.written)]);
          checkOut(life, after);
          return read(life, after);
        },
        pathOf: (record) => relative(folder, resolve(folder, record.at.file)),
        folder: overlay,
        formerFiles: (files) =>
          Promise.resolve(new Set(files.filter((file) => life.former.has(file) && !main.has(file)))),
        ...(isProposal ? { remember } : {}),
        spool,
        layout: {
          preset: content.editing?.().presetWith([]) ?? never(),
          fields: layout.fields ?? {},
          values: {},
          defaults: {},
          urls: ADDRESS_TEMPLATES,
          html: 'sanitize',
          assetsBaseUrl: undefined,
          defaultLanguage: 'en',
        },
        origin: MEMORY_ORIGIN,
        wanted: {
          languages: undefined,
          status: undefined,
          isAskedFor: () => true,
          named: new Set<string>(),
          clean: false,
          dryRun: false,
        },
        emit: () => undefined,
        now: rig.clock.now,
        atOnce: 4,
      });
    });
    const copies = new Set(
      report.records.filter(({ action }) => action === 'copied').map(({ file }) => file),
    );
    const written = [...textsOf(overlay.written)].filter(([file]) => !copies.has(file));
    const made = new Set(report.records.flatMap(({ action, file }) => (action === 'created' ? [file] : [])));
    for (const [file, text] of written)
      for (const page of made.has(file) && isEnglish(file) ? pagesIn(text) : []) {
        const files = life.pulledFiles.get(page) ?? new Set();
        life.pulledFiles.set(page, files.add(file));
        if (main !== life.main) life.pulledLate.add(page);
        // Without a state, an older commit tells nothing of the name that a page has got since (known limits 8 and 15).
        if (!life.isStateless || main === life.main || life.untold.has(page)) continue;
        if (filesOf(life.main, page).every((path) => path === file)) continue;
        life.untold.add(page);
        life.counts.excused += 1;
      }
    life.counts.home += written.length;
    return { report, tree: new Map([...main, ...written]) };
  } finally {
    spool.close();
  }
}

function never(): never {
  throw new Error('test: the content can be edited');
}

function textsOf(written: ReadonlyMap<string, string | Uint8Array>): ReadonlyMap<string, string> {
  return new Map([...written].map(([file, text]) => [file, String(text)]));
}

function toldPulled({ records }: PullReport): string {
  return records
    .filter(({ action }) => action !== 'unchanged')
    .map(
      ({ action, kind, id, lang, key, file, fields, why }) =>
        `${action} ${key ?? `${kind} ${id} ${lang}`} ${file ?? ''} ${fields.join()}${why === undefined ? '' : ` (${why})`}`,
    )
    .join('; ');
}

/** One branch, made anew from main unless somebody else committed to it. */
async function proposePull(life: Life): Promise<string> {
  // A job may wait, and then works on the commit that it was started for.
  const from = (life.chance.happens(0.25) ? life.commits.at(-2) : undefined) ?? life.main;
  const made = await pulled(life, true, from);
  if (typeof made === 'string') return made;
  if (life.request?.isTouched === true) return `left alone: ${toldPulled(made.report)}`;
  const isEmpty = [...made.tree].every(([path, text]) => from.get(path) === text);
  life.request = isEmpty ? undefined : { from, tree: made.tree, isTouched: false };
  return toldPulled(made.report);
}

/** The author pulls into the checkout and commits. */
async function pullHere(life: Life): Promise<string> {
  const made = await pulled(life, false);
  if (typeof made === 'string') return made;
  commit(life, made.tree);
  return toldPulled(made.report);
}

/** People take the files' side or the site's in all that a run names. */
async function takeSides(life: Life): Promise<void> {
  life.named = new Set();
  await step(life, 'sync', () => sync(life));
  // What was accepted from the site, only a state remembers until it is pulled.
  const side = life.isStateless ? 'local' : life.chance.oneOf<'local' | 'remote'>('local', 'remote');
  for (const word of life.named) life.takenOut.add(word);
  if (side === 'remote' && life.deletedThere.length > 0)
    await step(life, 'author', () => commit(life, without(life.main, life.deletedThere)));
  await step(life, `sync, ${side}`, () =>
    sync(life, { onConflict: side, adopt: side, onDrift: 'overwrite' }),
  );
}

function planOf(life: Life, content: LoadedContent) {
  return life.rig.plan(content.state, {
    prune: life.prune,
    maxDelete: 100,
    allow: new Set(['vanished', 'empty-remote']),
  });
}

/** Undefined: the files have faults, so nothing is planned. */
async function planIn(life: Life) {
  checkOut(life, life.main);
  const content = await read(life, life.main);
  return faultsIn(content) === undefined ? (await planOf(life, content)).plan : undefined;
}

/** Nobody edits any more: everything comes home or is named, people take sides, and then nothing is left to do. */
async function settle(life: Life): Promise<void> {
  const { chance } = life;
  if (life.feature !== undefined) await step(life, 'the branch is merged', () => mergeFeature(life));
  if (life.request !== undefined && chance.happens(0.5))
    await step(life, 'the request is merged', () => mergeRequest(life));
  life.request = undefined;
  for (let round = 0; round < 2 && life.wrong.length === 0; round += 1) await home(life);
  if (life.wrong.length > 0) return;
  life.refusedAddress = new Set();
  await takeSides(life);
  for (let round = 0; round < 2 && life.wrong.length === 0; round += 1) await home(life);
  if (life.wrong.length > 0) return;
  // A pull that was merged after it may have met the files again: then they are asked once more, and nothing comes after it.
  if (((await planIn(life))?.conflicts.length ?? 0) > 0) await takeSides(life);
  if (life.wrong.length > 0) return;
  checkOut(life, life.main);
  const content = await read(life, life.main);
  const faults = faultsIn(content);
  if (faults !== undefined) {
    // `check` names the files, and a person has merged them so.
    const isLate = [...life.twoFiles].some((page) => life.pulledLate.has(page));
    if (life.untold.size === 0 && !isLate) life.wrong.push(`in the end: ${faults}`);
    return;
  }
  const { plan } = await planOf(life, content);
  // What only a person can solve, by a name or an address, stays named.
  const hard = new Set(
    plan.conflicts.filter(({ code }) => code === 'replaced').map(({ key }) => familyOf(key)),
  );
  for (const key of life.refusedAddress) hard.add(familyOf(key));
  for (const { key, reason } of plan.blocked) {
    const pages = pagesIn(life.main.get(content.state.records.get(key)?.at.file ?? '') ?? '');
    if (reason === 'unreadable' || pages.some((page) => life.untold.has(page))) hard.add(familyOf(key));
  }
  // The service refuses a page that a merge has given the address of another one, and says so. A delete waits for it.
  const refused = plan.changes.filter(({ key, action }) => {
    const pages = pagesIn(life.main.get(content.state.records.get(key)?.at.file ?? '') ?? '');
    return action !== 'delete' && pages.some((page) => life.untold.has(page));
  });
  for (const { key } of refused) hard.add(familyOf(key));
  if (refused.length > 0)
    for (const { key } of [...plan.changes, ...plan.conflicts])
      if (!content.state.records.has(key)) hard.add(familyOf(key));
  // A merge left a translation without its original: a person gives it one, or deletes it.
  for (const { family } of content.state.records.values())
    if (!content.state.records.has(keyIn(family, 'en'))) hard.add(family);
  const left = [...plan.changes, ...plan.conflicts, ...plan.blocked].filter(
    ({ key }) => !hard.has(familyOf(key)),
  );
  if (left.length > 0) life.wrong.push(`in the end: ${left.map(({ key }) => key).join()}`);
}

/** Who accepts that an editor deleted a page deletes its file. */
function without(tree: Tree, files: readonly string[]): Tree {
  const left = new Map([...tree].filter(([path]) => !files.includes(path)));
  const names = files.map((file) => file.slice(file.lastIndexOf('/') + 1));
  const summary = left.get('SUMMARY.md');
  if (summary !== undefined)
    left.set(
      'SUMMARY.md',
      summary
        .split('\n')
        .filter((line) => !names.some((name) => line.includes(`/${name})`)))
        .join('\n'),
    );
  return left;
}

async function home(life: Life): Promise<void> {
  await step(life, 'pull request', () => proposePull(life));
  await step(life, 'the request is merged', () => mergeRequest(life));
  await step(life, 'sync', () => sync(life));
}
