import type { Store } from '../../../service/store/store.ts';
import type { FileRecord } from '../../../service/files/records.ts';
import { visible } from '../../../model/visible.ts';
import { fileBytesOf, withStore } from './database.ts';
import { EXIT } from '../../run/exit.ts';
import { JSON_FORMAT } from '../../print/json.ts';
import { counted } from '../../print/terminal/numbers.ts';
import { type Screen, screen as screenOf } from '../../print/terminal/screen.ts';
import type { World } from '../../world.ts';
import type { FileListFlags, FileSweepFlags } from './command.ts';

const MICROS_PER_DAY = 86_400_000_000;

/** `serve files list`: the oldest first. */
export async function listFilesCommand(flags: FileListFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const { listFiles } = await import('../../../service/files/records.ts');
    const { unusedFiles } = await import('../../../service/files/used-files.ts');
    const files = flags.unused
      ? await unusedFiles(store, Number.MAX_SAFE_INTEGER)
      : await store.read((sql) => listFiles(sql));
    print(files, screen);
    if (files.length === 0) screen.talk(flags.unused ? 'no unused files' : 'no files yet');
    return EXIT.done;
  });
}

/** `serve files sweep`: of an upload that died, of articles that are gone. The age lets a run end that is under way. */
export async function sweepFilesCommand(flags: FileSweepFlags, world: World): Promise<number> {
  const screen = screenOf(world, flags);
  return withStore({ file: flags.db, mustExist: true }, world, async (store) => {
    const gone = await swept(store, flags, world);
    print(gone, screen);
    const what = counted(gone.length, 'file');
    screen.talk(flags.dryRun ? `${what} would be removed` : `${what} removed`);
    return EXIT.done;
  });
}

async function swept(
  store: Store,
  { db, olderThan, dryRun }: FileSweepFlags,
  world: World,
): Promise<readonly FileRecord[]> {
  const { removeFiles, unusedFiles } = await import('../../../service/files/used-files.ts');
  const unused = await unusedFiles(store, world.clock.now() * 1000 - olderThan * MICROS_PER_DAY);
  return dryRun ? unused : removeFiles(store, await fileBytesOf(db, store, world), unused);
}

function print(files: readonly FileRecord[], screen: Screen): void {
  if (screen.isJson) {
    const shown = files.map(({ digest, name, type, bytes, width, height }) => {
      return { url: `/files/${digest}/${name}`, type, bytes, width, height };
    });
    screen.document({ format: JSON_FORMAT, files: shown });
    return;
  }
  for (const { digest, name, type, bytes } of files) {
    screen.answer(`/files/${digest}/${visible(name)}  ${type}  ${bytes} bytes`);
  }
}
