import { basename, dirname, isAbsolute, join } from 'node:path';
import pLimit from 'p-limit';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import type { SiteFile } from '../../../site/static/site-files.ts';
import { firstOf, namesText } from '../../print/terminal/listed.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { groupedBy } from '../../../text/grouped.ts';
import type { World } from '../../world.ts';

/** Lists what a build wrote, so the next one removes what it does not write again, and nothing else. */
const MANIFEST = '.kbsync-build.json';
/** What a build makes stands here until all of it is made. */
const ASIDE = '.kbsync-build';
/** Names that no page of the site may have. */
export const OWN_NAMES: readonly string[] = [MANIFEST, ASIDE];
/** Says whose the files are that stand aside. */
const OWNER = 'owner';
const MOVES_AT_ONCE = 8;

/** The folder of a site. Until all files are made, it shows what it showed before. */
export interface SiteFolder {
  /** Writes a file aside; of two with one name the later one counts. */
  readonly keep: (file: SiteFile) => Promise<void>;
  /**
   * Puts all files in their places, and removes what an earlier build wrote and this one did not.
   * @throws SetupError if another build uses the folder, or before any page changes if a file that no build wrote is in the way
   */
  readonly publish: () => Promise<void>;
  /** Removes what still stands aside. */
  readonly close: () => Promise<void>;
}

/** @param given as the user named it. @throws SetupError for a folder that holds something else */
export async function openSiteFolder(out: string, given: string, world: World): Promise<SiteFolder> {
  const { files } = world;
  let earlier = await earlierFiles(out, given, world);
  const run = world.random().toString(36).slice(2);
  const aside = join(out, ASIDE);
  const made = join(aside, run);
  const manifest = join(out, MANIFEST);
  const list = (names: readonly string[]): Promise<void> =>
    files.writeText(manifest, `${JSON.stringify({ files: [...names].sort() })}\n`);
  const kept = new Map<string, Promise<void>>();
  let begun: Promise<void> | undefined;
  let isClosed = false;
  const begin = async (): Promise<void> => {
    // Of a build that died. One that lives looks for its name before it goes on, and removes what it still writes here.
    await files.remove(join(aside, OWNER));
    await files.removeFolder(aside).catch(() => undefined);
    earlier = await earlierFiles(out, given, world);
    // Written first: what stands aside without it would be somebody else's.
    await list(earlier);
    await files.writeText(join(aside, OWNER), run);
  };
  const isOurs = async (): Promise<boolean> => (await files.readText(join(aside, OWNER))) === run;
  const assertOurs = async (): Promise<void> => {
    if (!(await isOurs())) throw inUse(given);
  };
  const explained = async (error: unknown): Promise<never> => {
    await assertOurs();
    throw error;
  };
  return {
    async keep({ file, bytes }) {
      // Others are still being made when one fails.
      if (isClosed) return;
      begun ??= begin();
      const before = kept.get(file) ?? begun;
      const written = before.then(() => files.writeBytes(join(made, file), bytes).catch(explained));
      kept.set(file, written);
      await written;
    },
    async publish() {
      const { steps, replaced } = await movesInto(out, made, world);
      // Afterwards: what another build took away is in no step.
      await assertOurs();
      const known = new Set(earlier);
      const foreign = replaced.filter((file) => !known.has(file));
      if (foreign.length > 0) throw notOurs(foreign, given);
      // What is begun and not ended is known to be ours.
      await list([...new Set([...earlier, ...kept.keys()])]);
      // First: what was a file may be a folder now, or differ in capital letters alone.
      await removeAll(
        earlier.filter((file) => !kept.has(file)),
        out,
        world,
      );
      await moveAll(steps, world).catch(explained);
      await list([...kept.keys()]);
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(kept.values());
      if (begun === undefined) return;
      await files.removeFolder(made);
      if (await isOurs()) await files.remove(join(aside, OWNER));
      await files.removeEmptyFolder(aside);
    },
  };
}

interface Moves {
  readonly steps: readonly (readonly [from: string, to: string])[];
  /** Files that are in the way, as the manifest names them. */
  readonly replaced: readonly string[];
}

/** A folder that is not there yet takes one step, whatever is in it. */
async function movesInto(out: string, made: string, { files }: World): Promise<Moves> {
  const steps: (readonly [string, string])[] = [];
  const replaced: string[] = [];
  const addAll = async (folder: string): Promise<void> => {
    for (const name of (await files.list(join(out, folder))) ?? []) {
      if (name.endsWith('/')) await addAll(folder + name);
      else replaced.push(folder + name);
    }
  };
  const add = async (folder: string, there: ReadonlySet<string>): Promise<void> => {
    const names = (await files.list(join(made, folder))) ?? [];
    const addOne = async (name: string): Promise<void> => {
      const path = folder + name;
      const bare = name.replace(/\/$/, '');
      const inside = name === bare ? undefined : await files.list(join(out, path));
      if (inside !== undefined) return add(path, new Set(inside));
      steps.push([join(made, path), join(out, folder + bare)]);
      if (there.has(bare)) replaced.push(folder + bare);
      if (there.has(`${bare}/`)) await addAll(`${path}/`);
    };
    await Promise.all(names.map(addOne));
  };
  await add('', new Set(await files.list(out)));
  return { steps, replaced };
}

async function moveAll(steps: Moves['steps'], { files }: World): Promise<void> {
  const limit = pLimit(MOVES_AT_ONCE);
  await Promise.all(steps.map(([from, to]) => limit(() => files.move(from, to))));
}

/** And the folders that are empty then. A build that died may have put a folder where the file was, or a file where its folder was. */
async function removeAll(names: readonly string[], out: string, { files }: World): Promise<void> {
  const folders = new Set<string>();
  for (const [folder, inside] of groupedBy(names, (name) => [dirname(name)])) {
    const there = new Set(await files.list(join(out, folder)));
    for (const name of inside) if (there.has(basename(name))) await files.remove(join(out, name));
    for (let above = folder; above !== '.'; above = dirname(above)) folders.add(above);
  }
  const deepestFirst = [...folders].sort((one, other) => other.length - one.length);
  for (const folder of deepestFirst) await files.removeEmptyFolder(join(out, folder));
}

/** What an earlier build wrote. */
async function earlierFiles(out: string, given: string, world: World): Promise<readonly string[]> {
  const text = await world.files.readText(join(out, MANIFEST));
  if (text !== undefined) {
    const { files } = JSON.parse(text) as { readonly files: readonly string[] };
    // A name that leads out of the folder is none that a build wrote.
    return files.filter((file) => !isAbsolute(file) && !file.split(/[\\/]/).includes('..'));
  }
  const names = (await world.files.list(out)) ?? [];
  if (names.length === 0) return [];
  throw new SetupError(
    'refused',
    `--out: ${visible(given)} holds ${counted(names.length, 'entry', 'entries')} that no build wrote`,
    { help: 'name a new or an empty folder' },
  );
}

function inUse(given: string): SetupError {
  return new SetupError(
    'refused',
    `--out: another build began to write into ${visible(given)} while this one made its pages`,
    { help: 'run one build after the other, or give each a folder of its own' },
  );
}

const NAMED_MAX = 3;

function notOurs(names: readonly string[], given: string): SetupError {
  const { listed, rest } = firstOf(names, false, { max: NAMED_MAX, few: NAMED_MAX });
  const named = listed.map((name) => `\`${visible(name)}\``);
  return new SetupError(
    'refused',
    `--out: no build wrote ${namesText(named, rest)} in ${visible(given)}, and this one has pages of the same name`,
    { help: 'move the files away, or name another folder' },
  );
}
