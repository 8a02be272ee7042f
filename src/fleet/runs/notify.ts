import type { Env, Files } from '../../machine/machine.ts';
import type { SecretPlace } from '../settings/schema.ts';
import { secretAt, type KnowledgeBase } from '../settings/settings.ts';
import type { Outcome } from './outcome.ts';
import { urlOf } from '../../text/url.ts';

/** Sends JSON to an address; false: it did not arrive, or was not accepted. Never throws. */
export type Post = (url: string, body: unknown) => Promise<boolean>;

export interface NotifyTools {
  readonly notify: SecretPlace | undefined;
  readonly root: string;
  readonly env: Env;
  readonly files: Pick<Files, 'readText'>;
  readonly post: Post;
}

/**
 * Tells the web hook of a change of condition, once. What could not be told stays untold, and the next run tries again. A hook
 * that fails changes nothing else.
 */
export async function tellChange(
  base: KnowledgeBase,
  outcome: Outcome,
  { notify, root, env, files, post }: NotifyTools,
): Promise<Outcome> {
  const { untold, ...rest } = outcome;
  if (untold === undefined) return outcome;
  if (notify === undefined) return rest;
  const url = await secretAt(notify, { env, files, root, what: '`notify`' }).catch(() => undefined);
  if (url === undefined || !mayPost(url)) return outcome;
  const isTold = await post(url, messageOf(base, outcome));
  return isTold ? rest : outcome;
}

/** Over the network encrypted only: the address itself is often the secret. */
function mayPost(text: string): boolean {
  const url = urlOf(text);
  if (url === undefined) return false;
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere);
}

const WORDS: Readonly<Record<Outcome['condition'], string>> = {
  'in-sync': 'is in sync again',
  drift: 'has edits that were made on the site',
  conflict: 'has conflicts: somebody has to decide',
  stopped: 'has stopped: somebody has to look',
  failing: 'is failing; the fleet tries again by itself',
};

/** `text` is what Slack, Mattermost and Teams show; the rest is for programs. */
function messageOf(base: KnowledgeBase, outcome: Outcome): object {
  const { condition, since, message, commit, behind, untold } = outcome;
  const owner = base.owner === undefined ? '' : ` (${base.owner})`;
  return {
    format: 1,
    id: untold?.id,
    text: `${base.name}${owner} ${WORDS[condition]}: ${message}`,
    name: base.name,
    owner: base.owner,
    condition,
    was: untold?.from,
    since,
    message,
    commit,
    behind,
  };
}
