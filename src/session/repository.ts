import { isAbsolute, join, relative, sep } from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { Files } from '../machine/machine.ts';
import { digestOfText } from '../model/digest.ts';
import type { RepositoryNames } from '../model/repository.ts';
import { gitPlace } from './checkout.ts';

/** What the repository of these settings is called: `id` and `formerIds` of kbsync.yaml, and names made from git's remotes. */
export async function repositoryNames(
  { root, file }: Pick<Settings, 'root' | 'file'>,
  files: Files,
): Promise<RepositoryNames> {
  return {
    ...(file.id === undefined ? {} : { configured: file.id }),
    former: file.formerIds ?? [],
    derived: await derivedNames(root, files),
  };
}

/** A fork's clone has its own `origin`; who works on it usually names the original `upstream`. */
const REMOTES = ['origin', 'upstream'];

/**
 * A digest of the remote's owner and name and of the folder within the repository: the same in every clone, over SSH and
 * HTTPS. A digest, because the stamp is public and the name of a private repository is not.
 */
async function derivedNames(root: string, files: Files): Promise<readonly string[]> {
  const place = await gitPlace(root, files);
  if (place === undefined) return [];
  const common = (await files.readText(join(place.git, 'commondir')))?.trim();
  const shared = common === undefined ? place.git : isAbsolute(common) ? common : join(place.git, common);
  const remotes = remotesIn((await files.readText(join(shared, 'config'))) ?? '');
  const folder = relative(place.workTree, root).split(sep).join('/');
  const names = REMOTES.flatMap((remote) => nameIn(remotes.get(remote) ?? '') ?? []);
  return [...new Set(names.map((name) => `git-${digestOfText(`${name}\n${folder}`).slice(0, 10)}`))];
}

/** The address of each remote (git-config(1): `[remote "origin"]`, then `url = …`). */
function remotesIn(config: string): ReadonlyMap<string, string> {
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split('\n')) {
    const section = /^\s*\[(?:remote\s+"([^"]*)")?/.exec(line);
    if (section !== null) remote = section[1];
    const url = /^\s*url\s*=\s*(\S.*?)\s*$/i.exec(line)?.[1];
    if (remote !== undefined && url !== undefined && !remotes.has(remote)) remotes.set(remote, url);
  }
  return remotes;
}

/** Parts of an address that stand in one spelling of it and not in the other (Azure DevOps, Bitbucket). */
const SPELLINGS = new Set(['', '_git', 'v3', 'scm']);

/** `acme/docs` in `https://github.com/acme/docs.git` and in `git@github.com:acme/docs`. */
function nameIn(url: string): string | undefined {
  const [, path] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*\/|[^/]*:)?(.*)$/i.exec(url) ?? [];
  const parts = (path ?? '')
    .toLowerCase()
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter((part) => !SPELLINGS.has(part));
  return parts.length === 0 ? undefined : parts.slice(-2).join('/');
}
