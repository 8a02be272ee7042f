import { createHash } from 'node:crypto';
import type { ProcessIdentity } from '../base/lock.ts';
import { jsonOf } from '../base/state/state-text.ts';
import type { HeldBy, LockOwner } from '../base/shared/shared-store.ts';
import type { JsonObject } from '../text/json-value.ts';

/** A lock in the JSON of Terraform's states (statemgr.LockInfo); what kbsync says besides is JSON in `Info`. */
export function lockInfo(
  owner: LockOwner,
  more: { readonly fence?: number; readonly until?: string } = {},
): string {
  const { id, who, command, commit, since, version, process } = owner;
  return JSON.stringify({
    ID: id,
    Operation: command,
    Info: JSON.stringify({ commit, process, ...more }),
    Who: who,
    Version: version,
    Created: since,
    Path: '',
  });
}

/**
 * Who holds a lock, as far as the text says it; Terraform's own locks are understood too. `asked`: the lock that was asked
 * for. GitLab answers with that one, and with ID, Who and Created of the holder.
 */
export function heldBy(text: string, asked = ''): HeldBy {
  const json = jsonOf(text) ?? {};
  const told = textOf(json['Info']);
  const holder = {
    ...named('id', json['ID']),
    ...named('who', json['Who']),
    ...named('since', json['Created']),
  };
  if (told !== undefined && told === (jsonOf(asked) ?? {})['Info']) return holder;
  const info = jsonOf(told ?? '') ?? {};
  const { fence, process } = info;
  return {
    ...holder,
    ...named('command', json['Operation']),
    ...named('version', json['Version']),
    ...named('commit', info['commit']),
    ...named('until', info['until']),
    ...(typeof fence === 'number' ? { fence } : {}),
    ...(isIdentity(process) ? { process } : {}),
  };
}

/** As a header gives it: RFC 1864. */
export function contentMd5(text: string): string {
  return createHash('md5').update(text).digest('base64');
}

/** What others wrote is shown on a terminal: short, and without control characters. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function named<Name extends string>(name: Name, value: unknown): { readonly [N in Name]?: string } {
  const text = textOf(value);
  // A computed name widens to an index signature.
  return (text === undefined ? {} : { [name]: text.slice(0, 200).replaceAll(/\p{Cc}/gu, '?') }) as {
    readonly [N in Name]?: string;
  };
}

function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, ...texts } = value as JsonObject;
  const names = ['host', 'machineId', 'bootId', 'pidNamespace', 'startTime'];
  return typeof pid === 'number' && names.every((name) => typeof texts[name] === 'string');
}
