import type { LoadedBase } from '../base/base.ts';
import { readBound, writeBound } from '../content/reading/readings.ts';
import type { LoadedContent } from '../content/options.ts';
import { digestOfText } from '../model/digest.ts';
import type { KnownOutcome, OutcomeMemory } from '../sync/outcome/known-outcome.ts';
import type { SyncPolicy } from '../sync/report.ts';

export interface OutcomeBinding {
  readonly version: string;
  readonly address: string;
  readonly content: LoadedContent;
  readonly base: LoadedBase;
  readonly policy: SyncPolicy;
}

/**
 * The outcome of the last run, beside the content cache and bound to all that a plan follows from but the lists. Undefined
 * where something of that has no digest (no cache, a journal that was not saved).
 */
export function outcomesOf(
  cacheFile: string | undefined,
  { version, address, content, base, policy }: OutcomeBinding,
): OutcomeMemory | undefined {
  const { digest, edited = [] } = content;
  if (cacheFile === undefined || digest === undefined) return undefined;
  if (base.digest === undefined && !base.isNew) return undefined;
  // A run over chosen records does not tell of all.
  if (policy.only !== undefined) return undefined;
  const file = `${cacheFile}.outcome`;
  const wishes = Object.entries(policy).map(([name, value]) => [
    name,
    value instanceof Set ? [...value] : value,
  ]);
  const bindingWith = (files: string, state = base.digest): string =>
    digestOfText(JSON.stringify([version, address, files, state, wishes]));
  const writeAfter = (outcome: KnownOutcome, checksum: string): void =>
    writeBound(file, bindingWith(digest, checksum), outcome);
  // Nothing is known before a first run, but the run after it may know what it left.
  if (base.isNew) return { read: () => undefined, write: () => undefined, writeAfter };
  const binding = bindingWith(digest);
  // Written by this very version under this very binding.
  const read = (of: string) => readBound(file, of) as KnownOutcome | undefined;
  return {
    read: () => read(binding),
    beforeEdits: () => {
      for (const { since, keys } of edited) {
        const outcome = read(bindingWith(since));
        if (outcome !== undefined) return { outcome, keys };
      }
      return undefined;
    },
    write: (outcome) => writeBound(file, binding, outcome),
    writeAfter,
  };
}
