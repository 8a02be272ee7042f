import type { Intent, Overwritten } from '../../../base/base.ts';
import { meaningDigest } from '../../../model/compare/difference.ts';
import type { Fields, KnownFields } from '../../../model/fields.ts';
import { bodyFieldOf } from '../../../model/fields.ts';
import { lettersDigest } from '../../../model/html/letters.ts';
import type { Kind } from '../../../model/key.ts';
import type { BaseRecord } from '../../../model/record.ts';
import { baseValuesOf } from '../../../plan/compare.ts';
import { formedType } from '../../../plan/likeness.ts';
import type { Decision } from '../../../plan/reconcile.ts';
import type { RemoteSide } from '../../../plan/sides.ts';
import type { Run } from '../../run.ts';
import { newOperation } from '../../run.ts';
import { readRecord } from '../../side.ts';
import type { Target } from './edited-fields.ts';
import { withoutOwned } from './fields.ts';

/** What the journal is told of one edit, however many tries it takes. */
export interface Saying {
  /** What was said, while its end is not known. */
  readonly open: () => Intent | undefined;
  /** All fields of the last try whose end is not known. */
  readonly sent: () => KnownFields | undefined;
  /** Durable before the first try leaves. */
  readonly intend: (
    intent: () => Intent,
    fields: KnownFields,
    over: Overwritten | undefined,
  ) => Promise<void>;
  readonly end: (record: BaseRecord | undefined) => Promise<void>;
}

export function sayOnce({ journal }: Run): Saying {
  let said: Intent | undefined;
  let sent: KnownFields | undefined;
  return {
    open: () => said,
    sent: () => sent,
    async intend(intent, fields, over) {
      sent = fields;
      if (said !== undefined) return;
      const first = intent();
      await journal.intend(first, over);
      said = first;
    },
    async end(record) {
      if (said !== undefined) await journal.end(said.op, record);
      else if (record !== undefined) await journal.note(record);
      said = undefined;
      sent = undefined;
    },
  };
}

/** `before`: the read that the edit stands on. */
export function intentOf({ change, owned, id }: Target, before: RemoteSide, run: Run): Intent {
  const { key, kind, name, slug } = change;
  const atMs = run.clock.now();
  return {
    op: newOperation(run),
    action: 'update',
    key,
    id,
    name,
    slug,
    atMs,
    ...sentWords(kind, { owned, before: readRecord(before)?.fields }, run),
  };
}

/**
 * What tells later whether a record shows what was sent, in whatever form. Letters tell nothing if the record had them before: an
 * edit of a sign changes none. Nor do a few in a name alone: `C++` has those of `C#`.
 */
export function sentWords(
  kind: Kind,
  { owned, before = {} }: { readonly owned: KnownFields; readonly before?: Fields | undefined },
  run: Run,
): Required<Pick<Intent, 'sent' | 'meanings' | 'letters'>> {
  const isKept = run.remote.capabilities()['keeps-html'] === 'yes';
  const { origin } = run.input.base;
  const forms = Object.entries(isKept ? {} : owned).flatMap(([field, value]) => {
    const type = formedType({ kind, name: field });
    return type === undefined ? [] : [{ field, value, type }];
  });
  const meanings = forms.flatMap(({ field, value, type }) => {
    const meaning = meaningDigest(type, value, { origin });
    return meaning === undefined ? [] : [[field, meaning] as const];
  });
  const letters = forms.flatMap(({ field, value }) => {
    const digest = lettersDigest(value);
    const isTelling = digest !== undefined && digest !== lettersDigest(before[field]);
    return isTelling ? [[field, digest] as const] : [];
  });
  const hasText = letters.some(([field]) => field === bodyFieldOf(kind));
  return {
    sent: baseValuesOf(kind, owned),
    meanings: Object.fromEntries(meanings),
    letters: hasText ? Object.fromEntries(letters) : {},
  };
}

export function overwritten(
  decision: Decision,
  side: RemoteSide,
  { owned, fields }: { readonly owned: KnownFields; readonly fields: KnownFields },
): Overwritten | undefined {
  if (side.state === 'absent') {
    const begun = withoutOwned(fields, owned);
    return { record: side.copy, after: side.copy === undefined ? begun : { ...begun, ...owned } };
  }
  if (side.state !== 'known' || decision.verdict !== 'update') return undefined;
  const after = Object.entries(owned).filter(([name]) => decision.fields.includes(name));
  return { record: side.record, after: Object.fromEntries(after) };
}
