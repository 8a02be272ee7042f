import { fieldsOf } from '../../../model/fields.ts';
import { unescaped } from '../../../model/html/canonical-text.ts';
import type { Key } from '../../../model/key.ts';
import { familyOf, isOriginal, keyIn, kindOf, langOf } from '../../../model/key.ts';
import type { BaseRecord, BaseState, KnownRecord } from '../../../model/record.ts';
import { waysIn } from '../../../plan/likeness.ts';
import type { RemoteSide } from '../../../plan/sides.ts';
import { readMany } from '../../../remote/read-many.ts';
import type { ReadWant } from '../../../remote/read-many.ts';
import type { Remote } from '../../../remote/remote.ts';
import { afterCopy, afterOwnEdits } from '../../own-edits.ts';
import { idInBase } from '../consistent-base.ts';
import { contradicted, earlierTexts, unshownEdits } from './contradicted.ts';
import { readDenied } from './denied.ts';
import { isListed, readSide, sideWithoutRead } from './one-side.ts';
import type { SideInput } from './one-side.ts';

export interface Sides {
  readonly remote: Map<Key, RemoteSide>;
  /** With what edits of ours left, as far as the reads show them. */
  readonly base: BaseState;
}

/** What the list says that somebody edited, and no read shows, is read again after these times. */
const UNSHOWN_MS = [1000, 2000];

/** The side of the site of every record that a file or the state names; what no list and no state tells is read. */
export async function readSides(input: SideInput): Promise<Sides> {
  const { desired, remote, policy } = input.options;
  const records = new Map(input.base.records);
  const sides = new Map<Key, RemoteSide>();
  const wants: ReadWant<Key>[] = [];
  for (const key of new Set([...desired.records.keys(), ...input.base.records.keys()])) {
    const side = sideWithoutRead(key, input);
    if (side === undefined) wants.push(wantOf(key, input));
    else sides.set(key, side);
    // Found as the record of a new file: a create of ours without an answer may have made it.
    const made = side?.state === 'known' ? baseBeside(key, side.record, input) : undefined;
    if (made !== undefined) records.set(key, made);
  }
  const first = await readMany(remote, wants, policy.concurrencyMax);
  const denied = wants.filter(({ name }) => first.get(name)?.state === 'absent' && isListed(name, input));
  const again = await readDenied(denied, {
    remote,
    atOnce: policy.concurrencyMax,
    sleep: input.options.sleep,
  });
  const reads = new Map([...first, ...again]);
  const beside = {
    ...input,
    desired,
    baseOf: (key: Key, record: KnownRecord) => baseBeside(key, record, input),
  };
  const doubtful = new Set([...contradicted(reads, beside), ...earlierTexts(reads, beside)]);
  const others = wants.filter(({ name }) => doubtful.has(name));
  for (const [key, read] of await readMany(remote, others, policy.concurrencyMax))
    if (read.state === 'found') reads.set(key, read);
  for (const delayMs of UNSHOWN_MS) {
    const unshown = unshownEdits(reads, beside);
    if (unshown.size === 0) break;
    await input.options.sleep(delayMs);
    const open = wants.filter(({ name }) => unshown.has(name));
    // It was there a second ago: one odd answer does not say that somebody has deleted it since.
    for (const [key, read] of await readMany(remote, open, policy.concurrencyMax))
      if (read.state !== 'absent') reads.set(key, read);
  }
  for (const [key, read] of reads) {
    const before = records.get(key);
    const base = read.state === 'found' ? baseBeside(key, read.record, input) : before;
    if (base !== undefined && base !== before) records.set(key, base);
    if (base !== undefined && read.state === 'found') learnEscapes(base, read.record, remote);
    sides.set(key, readSide(key, read, { ...input, known: base }));
  }
  for (const [key, side] of sides) {
    const original = sides.get(keyIn(familyOf(key), desired.defaultLanguage));
    if (isOriginal(key, desired) || side.state !== 'known' || original?.state !== 'known') continue;
    const both = { record: side.record, original: original.record };
    const base = afterCopy(records.get(key), input.edits.get(key) ?? [], both);
    if (base !== undefined) records.set(key, base);
  }
  return { remote: sides, base: { ...input.base, records } };
}

/** What the last sync left of a record, with edits of ours of which no answer is known and which the read shows. */
function baseBeside(key: Key, record: KnownRecord, { base, edits }: SideInput): BaseRecord | undefined {
  return afterOwnEdits(base.records.get(key), edits.get(key) ?? [], record, waysIn(base));
}

/** A text that is shown as what was sent, escaped: the service escapes what it saves. */
function learnEscapes({ sent }: BaseRecord, { kind, fields }: KnownRecord, remote: Remote): void {
  if (remote.capabilities()['keeps-texts'] !== undefined) return;
  for (const [name, { type }] of fieldsOf(kind)) {
    const [ours, theirs] = [sent[name], fields[name]];
    const isEscaped = typeof ours === 'string' && typeof theirs === 'string' && ours !== theirs;
    if (type === 'text' && isEscaped && unescaped(theirs) === ours) remote.learn({ 'keeps-texts': 'no' });
  }
}

function wantOf(key: Key, { options, base, ...input }: SideInput): ReadWant<Key> {
  const id = idInBase(key, base, input, options.desired);
  if (id === undefined) throw new Error(`bug: ${key} is to be read and has no id`);
  const lang = langOf(key);
  return {
    name: key,
    kind: kindOf(key),
    id,
    lang: lang === options.desired.defaultLanguage ? undefined : lang,
  };
}
