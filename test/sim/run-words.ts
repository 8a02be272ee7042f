import { digestOfText } from '../../src/model/digest.ts';
import type { DesiredState } from '../../src/model/record.ts';
import { langOf, type Key } from '../../src/model/key.ts';
import { lookKey } from './row-text.ts';
import type { SyncReport } from '../../src/sync/report.ts';
import type { Machine } from './machine.ts';
import { STATE_FILE } from './machine.ts';
import type { RunContext } from './model.ts';

/**
 * What the state file says before the run of the languages that it is about; those that a run deleted before it died (`isThere`) do not count. Nothing is
 * said of files that are gone where a journal adds to the state.
 */
export function managedBy(
  { disk }: Machine,
  {
    desired,
    languages,
  }: { readonly desired: DesiredState; readonly languages: readonly string[] | undefined },
  isThere: (id: string) => boolean,
): Pick<RunContext, 'managed' | 'gone'> {
  const entries = (disk.text(STATE_FILE) ?? '').matchAll(
    /"key":"((?:article|category|tag)\/[^"]+)","id":"([^"]*)"/g,
  );
  const keys = [...entries]
    .filter(([, , id]) => isThere(id ?? ''))
    .map(([, key]) => key ?? '')
    .filter((key) => languages?.includes(key.slice(key.lastIndexOf('@') + 1)) !== false);
  const files = new Set<string>(desired.records.keys());
  // A run that died has left moves and deletes in its journal, which are not in the state yet.
  const journal = disk.text(STATE_FILE.replace('.json', '.journal.ndjson')) ?? '';
  if (journal.trim().split('\n').length > 1) return { managed: keys.length, gone: 0 };
  return { managed: keys.length, gone: keys.filter((key) => !files.has(key)).length };
}

/** Records that the state has and that kbsync.yaml protects, as `id lang`; none where a journal adds to the state. */
export function guardedBy({ disk }: Machine, { protects }: DesiredState): ReadonlySet<string> {
  const journal = disk.text(STATE_FILE.replace('.json', '.journal.ndjson')) ?? '';
  if (protects === undefined || journal.trim().split('\n').length > 1) return new Set();
  const entries = (disk.text(STATE_FILE) ?? '').matchAll(
    /"key":"((?:article|category|tag)\/[^"]+)","id":"([^"]*)"/g,
  );
  return new Set(
    [...entries]
      .map(([, key, id]) => [key as Key, id ?? ''] as const)
      .filter(([key]) => protects.has(key))
      .map(([key, id]) => lookKey(id, langOf(key))),
  );
}

/** The id that the state file has for a key now. */
export function idInState({ disk }: Machine, key: Key): string | undefined {
  const entry = (disk.text(STATE_FILE) ?? '').split('\n').find((line) => line.includes(`"key":"${key}",`));
  return /"id":"([^"]*)"/.exec(entry ?? '')?.[1];
}

/** Whether the state, or a journal beside it, speaks of a text now. */
export function remembererOf({ disk }: Machine): (text: string) => boolean {
  const files = [STATE_FILE, STATE_FILE.replace('.json', '.journal.ndjson')];
  const held = files.map((file) => disk.text(file) ?? '').join('\n');
  return (text) => held.includes(digestOfText(text));
}

/** The keys under which the state, or a journal beside it, has a record now. */
export function keysHeldBy({ disk }: Machine): (kind: string, id: string) => readonly Key[] {
  const files = [STATE_FILE, STATE_FILE.replace('.json', '.journal.ndjson')];
  return (kind, id) =>
    files
      .flatMap((file) => [...(disk.text(file) ?? '').matchAll(/"key":"([^"]+)","id":"([^"]*)"/g)])
      .filter(([, key = '', held]) => held === id && key.startsWith(`${kind}/`))
      .map(([, key]) => key as Key);
}

export function isRemoteTrouble(message: string): boolean {
  return message.startsWith('RemoteError:');
}

export function summaryLine({ summary, requests, plan, results }: SyncReport): string {
  const refused = plan.refusals.map(({ code }) => code).join(',');
  const open = [
    ...plan.conflicts.map(({ key, code }) => `${key} ${code}`),
    ...plan.blocked.map(({ key, reason }) => `${key} ${reason}`),
    ...plan.drift.map(({ key }) => `${key} drift`),
    ...results
      .filter(({ outcome }) => outcome !== 'done')
      .map(({ key, outcome, message }) => `${key} ${outcome} ${message}`),
  ];
  const learnt = plan.learnt.map(
    (each) =>
      `${each.how} ${'key' in each ? each.key : 'key' in each.record ? JSON.stringify(each.record) : ''}`,
  );
  return `${JSON.stringify(summary)} ${requests} ${refused} ${open.join(' | ')} LEARNT ${learnt.join(' | ')}`;
}
