import type { ReadFor } from '../../content/load-content.ts';
import type { ReadingMemory } from '../../content/reading/readings.ts';
import type { Settings } from '../../config/settings.ts';
import type { Key } from '../../model/key.ts';
import type { BaseState, DesiredState } from '../../model/record.ts';
import type { Access } from '../../session/access.ts';
import { keepsFiles } from '../../remote/keeps-files.ts';
import { withClient } from '../../session/session.ts';
import { openUploads, type Uploads } from '../../session/uploads.ts';
import type { CommonFlags } from '../flags.ts';
import type { World } from '../world.ts';
import { readContent, type FilesRead } from './read-files.ts';

/** Whom to ask whether images and files have a home there. */
export interface Asked {
  readonly memory?: ReadingMemory;
  readonly access: Access;
  /** Of an earlier reading, with what it knows since. */
  readonly uploads?: Uploads | undefined;
  readonly signal?: AbortSignal;
  readonly use?: ReadFor;
}

/**
 * Reads the content folder for one service. If records show files of the repository that the settings give no address, the
 * service is asked, in one request, whether it keeps files; of one that does not, those files are the problems that they were.
 */
export async function readForService(
  settings: Settings,
  flags: CommonFlags,
  world: World,
  { memory, access, signal, uploads, use }: Asked,
): Promise<FilesRead> {
  const how = { use, ...(memory === undefined ? {} : { memory }) };
  if (settings.file.assets?.baseUrl !== undefined) return readContent(settings, flags, world, how);
  if ((await known.get(access)) !== false) {
    const read = await readContent(settings, flags, world, { ...how, keepsFiles: true });
    if ((read.content.state.files?.size ?? 0) === 0) return read;
    const keeps = await asked({ settings, world, access, ...(signal === undefined ? {} : { signal }) });
    if (keeps) return read;
  }
  return readContent(settings, flags, world, {
    ...how,
    uploads: uploads ?? (await openUploads(settings, world)),
  });
}

/** The same with every image and file uploaded that a chosen record shows and that has no address yet. */
export async function readUploaded(
  settings: Settings,
  flags: CommonFlags,
  world: World,
  { chosen, ...asked }: Asked & { readonly chosen: (desired: DesiredState) => ReadonlySet<Key> | undefined },
): Promise<FilesRead> {
  const read = await readForService(settings, flags, world, asked);
  const { uploads, content } = read;
  const { files, records } = content.state;
  if (uploads === undefined || files === undefined || files.size === 0) return read;
  const keys = chosen(content.state);
  const shown = new Set(
    [...records.values()].flatMap((record) => (keys?.has(record.key) === false ? [] : (record.files ?? []))),
  );
  const wanted = new Map([...files].filter(([digest]) => shown.has(digest)));
  if (wanted.size === 0) return read;
  await uploads.upload(wanted, asked.signal);
  return readForService(settings, flags, world, { ...asked, uploads });
}

/**
 * Reads the files as the last sync sent them: nobody is asked whether the service keeps images. Before the first sync nobody
 * knows it, so images are no fault yet, as in `check`. @throws SetupError, ContentError
 */
export async function readAsSynced(
  settings: Settings,
  flags: CommonFlags,
  world: World,
  { capabilities, records }: Pick<BaseState, 'capabilities' | 'records'>,
): Promise<FilesRead> {
  const keepsFiles = capabilities.files === 'yes' || (capabilities.files !== 'no' && records.size === 0);
  const uploads = keepsFiles ? undefined : await openUploads(settings, world);
  return readContent(settings, flags, world, { keepsFiles, uploads });
}

/** What the service said; a question that got no answer is forgotten. */
const known = new WeakMap<Access, Promise<boolean>>();

/** Once for each connection's access: a watch reads its files often. */
function asked({
  settings,
  world,
  access,
  signal,
}: Omit<Asked, 'memory'> & { readonly settings: Settings; readonly world: World }): Promise<boolean> {
  const begun =
    known.get(access) ??
    withClient(
      {
        machine: world,
        access,
        emit: () => undefined,
        ...(signal === undefined ? {} : { signal }),
        concurrencyMax: 1,
        defaultLanguage: settings.file.defaultLanguage ?? 'en',
      },
      keepsFiles,
    );
  known.set(access, begun);
  // No answer is no answer for ever: the next reading asks again.
  void begun.catch(() => known.delete(access));
  return begun;
}
