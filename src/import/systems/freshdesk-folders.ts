import { idText } from '../json-values.ts';
import type { JsonObject } from '../json-values.ts';

/** By id, all that was read of a folder: files in other languages and small answers say less of it. */
export type Folders = ReadonlyMap<string, readonly JsonObject[]>;

const VISIBLE: Readonly<Record<number, string>> = {
  2: 'people who are signed in',
  3: 'agents',
  4: 'some companies',
};

/** Who alone may see a folder, by itself or by one that it lies in; 1 is everybody. */
export function closedFolder(id: string | undefined, folders: Folders): string | undefined {
  const visibility = foldersAround(id, folders)
    .flatMap((at) => visibilities(at, folders))
    .find((each) => each !== 1);
  if (visibility === undefined) return undefined;
  return `only ${VISIBLE[Number(visibility)] ?? `visibility ${idText(visibility) ?? ''}`} may see its folder`;
}

/** Whether everybody may see it is said nowhere: of a folder that did not come, or in an answer that leaves it out. */
export function unknownFolder(id: string | undefined, folders: Folders): string | undefined {
  const isSaid = id !== undefined && visibilities(id, folders).length > 0;
  return isSaid ? undefined : 'no file says who may see its folder; --publish publishes it';
}

function visibilities(id: string, folders: Folders): readonly unknown[] {
  return (folders.get(id) ?? []).flatMap(({ visibility }) => visibility ?? []);
}

/** The folder, the one that it lies in, and so on. */
function foldersAround(id: string | undefined, folders: Folders): readonly string[] {
  const around = new Set<string>();
  for (let at = id; at !== undefined && !around.has(at);) {
    around.add(at);
    at = (folders.get(at) ?? []).flatMap((value) => idText(value['parent_folder_id']) ?? [])[0];
  }
  return [...around];
}
