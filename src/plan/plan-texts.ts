import type { Fields } from '../model/fields.ts';
import type { Key } from '../model/key.ts';
import { idToCome, ownedFields } from './compare.ts';
import type { PlanInput } from './plan-input.ts';

/** A record's whole texts on both sides of a plan, for pages that show them. */
export interface RecordTexts {
  /** As the service shows it now; undefined: it is new there, or was not read. */
  readonly before?: Fields;
  /** As the file wants it, body included; undefined: there is no file. */
  readonly after?: Fields;
}

/** Made when asked for: a plan itself holds digests only, so thousands of changes stay small. */
export type TextsOf = (key: Key) => RecordTexts;

export function planTexts(input: PlanInput): TextsOf {
  return (key) => {
    const side = input.remote.get(key);
    const desired = input.desired.records.get(key);
    const owned =
      desired === undefined
        ? undefined
        : ownedFields(desired, (family) => input.ids.get(family) ?? idToCome(family));
    const body = desired?.body;
    const after =
      owned === undefined || body === undefined ? owned : { ...owned, [body.field]: body.render() };
    return {
      ...(side?.state === 'known' ? { before: side.record.fields } : {}),
      ...(after === undefined ? {} : { after }),
    };
  };
}
