import { resolve } from 'node:path';
import type { BaseUrl } from '../../../remote/address.ts';
import { createCapabilityLedger } from '../../../remote/capabilities.ts';
import type { World } from '../../world.ts';

const ASKED_MS = 3000;

/** Whether the service says, to whoever asks, that it keeps images and files. No key is sent; no answer is no. */
export async function saysFiles({ href, origin }: BaseUrl, world: World): Promise<boolean> {
  const url = `${href.replace(/(?<!\/)\/+$/, '')}/api/v2/versions?count=1`;
  const response = await answer(origin, url, 'GET', world);
  if (response === undefined) return false;
  const ledger = createCapabilityLedger({});
  ledger.read(Object.fromEntries(response.headers));
  return ledger.now().files === 'yes';
}

/** Whether the host shows the file to whoever asks; no answer is no. Of files in Git LFS it would show pointers. */
export async function isShown(url: string, world: World): Promise<boolean> {
  const attributes = await world.files.readText(resolve(world.cwd, '.gitattributes'));
  if (attributes?.includes('filter=lfs') === true) return false;
  const response = await answer(new URL(url).origin, url, 'HEAD', world);
  return response?.status === 200;
}

async function answer(
  origin: string,
  url: string,
  method: string,
  world: World,
): Promise<Response | undefined> {
  try {
    const connection = await world.connect(origin);
    try {
      const signal = AbortSignal.timeout(ASKED_MS);
      const response = await connection(new Request(url, { method, redirect: 'manual', signal }));
      await response.body?.cancel();
      return response;
    } finally {
      await connection.close();
    }
  } catch {
    return undefined;
  }
}

/** Where the repository's host shows the files of the content folder. */
export interface HostedFiles {
  /** As they are. */
  readonly rawUrl: string;
  /** As pages of the host. */
  readonly pageUrl: string;
}

/** By the remote that git names. */
export async function hostedFiles(
  content: string | undefined,
  world: World,
): Promise<HostedFiles | undefined> {
  const text = await world.files.readText(resolve(world.cwd, '.git/config'));
  const head = await world.files.readText(resolve(world.cwd, '.git/HEAD'));
  const usual = await world.files.readText(resolve(world.cwd, '.git/refs/remotes/origin/HEAD'));
  // A branch of one's own is gone one day, and all pictures with it.
  const branch =
    /^ref: refs\/remotes\/origin\/(\S+)/.exec(usual ?? '')?.[1] ??
    /^ref: refs\/heads\/(\S+)/.exec(head ?? '')?.[1];
  const remote = /\[remote "origin"\][^[]*?\burl\s*=\s*(\S+)/.exec(text ?? '')?.[1];
  if (content === undefined || branch === undefined || remote === undefined) return undefined;
  const [, host = '', repository = ''] =
    /^(?:https?:\/\/(?:[^@/]*@)?|(?:ssh:\/\/)?git@)([^/:]+)(?::\d+)?[/:](.+?)(?:\.git)?\/?$/.exec(remote) ??
    [];
  const folder = content.replace(/^(?:\.\/)+|^\.$/, '').replace(/(?<!\/)\/+$/, '');
  const below = folder === '' ? '' : `${encodeURI(folder)}/`;
  const places = HOSTS.get(host)?.(repository, branch);
  return places === undefined
    ? undefined
    : { rawUrl: `${places.raw}/${below}`, pageUrl: `${places.page}/${below}` };
}

/** Hosts that show a file under an address with its own media type, and under another one as a page. */
const HOSTS: ReadonlyMap<
  string,
  (repository: string, branch: string) => { readonly raw: string; readonly page: string }
> = new Map([
  [
    'github.com',
    (repository, branch) => ({
      raw: `https://raw.githubusercontent.com/${repository}/${branch}`,
      page: `https://github.com/${repository}/blob/${branch}`,
    }),
  ],
  [
    'gitlab.com',
    (repository, branch) => ({
      raw: `https://gitlab.com/${repository}/-/raw/${branch}`,
      page: `https://gitlab.com/${repository}/-/blob/${branch}`,
    }),
  ],
  [
    'codeberg.org',
    (repository, branch) => ({
      raw: `https://codeberg.org/${repository}/raw/branch/${branch}`,
      page: `https://codeberg.org/${repository}/src/branch/${branch}`,
    }),
  ],
]);
