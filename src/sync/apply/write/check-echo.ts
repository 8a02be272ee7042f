import { same } from '../../../model/digest.ts';
import type { KnownFields } from '../../../model/fields.ts';
import type { KnownRecord } from '../../../model/record.ts';
import { isOriginal, langOf } from '../../../model/key.ts';
import type { Change } from '../../../plan/plan.ts';
import { isMadeOf } from '../../../plan/likeness.ts';
import { RemoteError } from '../../../remote/error.ts';
import { readMany, stopsEverything } from '../../../remote/read-many.ts';
import type { Run } from '../../run.ts';
import { conditionOf, readLang, waysOf } from '../../run.ts';

/**
 * Looks whether texts that are not the file's, and that look escaped, are after an edit what they were before it. Such a
 * text was sent unescaped (see `echoOf`), which is right where the service escapes what it saves; where it does not, the
 * text is put back as it was, and from then on sent as it is shown. Returns what is wrong then; undefined: nothing.
 */
export async function checkedEcho(
  change: Change,
  before: KnownRecord,
  sent: KnownFields,
  run: Run,
): Promise<string | undefined> {
  const { kind } = change;
  const names = Object.keys(sent).filter((name) => {
    const [ours, theirs] = [sent[name], before.fields[name]];
    const isOwn =
      change.fields.some(({ field }) => field === name) || name in (run.records.get(change.key)?.sent ?? {});
    return !isOwn && ours !== undefined && theirs !== undefined && !same(ours, theirs);
  });
  if (names.length === 0) return undefined;
  const isBefore = (record: KnownRecord): boolean =>
    names.every((name) => same(record.fields[name] ?? null, before.fields[name] ?? null));
  const first = await readAgain(change, before, run);
  if (first === undefined) return undefined;
  if (isBefore(first)) return undefined;
  // What is shown now is neither what was there nor what was sent: somebody else has written since.
  const isAsSent = (name: string): boolean => {
    const [ours, shown] = [sent[name], first.fields[name]];
    return ours !== undefined && shown !== undefined && isMadeOf({ kind, name }, ours, shown, waysOf(run));
  };
  if (!names.every(isAsSent)) return undefined;
  const original = Object.fromEntries(names.map((name) => [name, before.fields[name] ?? null]));
  try {
    const lang = isOriginal(change.key, run.desired) ? run.desired.defaultLanguage : langOf(change.key);
    await run.remote.edit(kind, before.id, lang, { ...sent, ...original }, conditionOf(first, run));
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (stopsEverything(error)) run.stop = error.message;
    return `written, but the site's ${names.join(', ')} changed with it, and putting it back failed: ${error.message}`;
  }
  run.remote.learn({ 'keeps-texts': 'yes' });
  return undefined;
}

async function readAgain(
  { kind, key }: Change,
  { id }: KnownRecord,
  run: Run,
): Promise<KnownRecord | undefined> {
  const read = (await readMany(run.remote, [{ name: 0, kind, id, lang: readLang(key, run) }], 1)).get(0);
  return read?.state === 'found' ? read.record : undefined;
}
