import { isAbsolute, join } from 'node:path';
import pLimit from 'p-limit';
import { SetupError } from '../../../config/setup-error.ts';
import { visible } from '../../../model/visible.ts';
import type { SiteFile } from '../../../site/static/site-files.ts';
import { counted } from '../../print/terminal/numbers.ts';
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
   * @throws SetupError if another build uses the folder
   */
  readonly publish: () => Promise<void>;
  /** Removes what still stands aside. */
  readonly close: () => Promise<void>;
}

/** @param given as the user named it. @throws SetupError for a folder that holds something else */
export async function openSiteFolder(out: string, given: string, world: World): Promise<SiteFolder> {
  const { files } = world;
  const earlier = await earlierFiles(out, given, world);
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
    // Of a build that died.
    await files.removeFolder(aside);
    // Written first: what stands aside without it would be somebody else's.
    await list(earlier);
    await files.writeText(join(aside, OWNER), run);
  };
  const isOurs = async (): Promise<boolean> => (await files.readText(join(aside, OWNER))) === run;
  return {
    async keep({ file, bytes }) {
      // Others are still being made when one fails.
      if (isClosed) return;
      begun ??= begin();
      const before = kept.get(file) ?? begun;
      const written = before.then(() => files.writeBytes(join(made, file), bytes));
      kept.set(file, written);
      await written;
    },
    async publish() {
      if (!(await isOurs())) throw inUse(given);
      // What is begun and not ended is known to be ours.
      await list([...new Set([...earlier, ...kept.keys()])]);
      await moveAll(made, out, world);
      for (const file of earlier) if (!kept.has(file)) await files.remove(join(out, file));
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

/** A folder that is not there yet takes one step, whatever is in it. */
async function moveAll(from: string, to: string, { files }: World): Promise<void> {
  const limit = pLimit(MOVES_AT_ONCE);
  const moveIn = async (source: string, target: string): Promise<void> => {
    const names = (await files.list(source)) ?? [];
    await Promise.all(
      names.map(async (name) => {
        const [here, there] = [join(source, name), join(target, name)];
        const isThere = name.endsWith('/') && (await limit(() => files.list(there))) !== undefined;
        if (isThere) await moveIn(here, there);
        else await limit(() => files.move(here, there));
      }),
    );
  };
  await moveIn(from, to);
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
