import { FILES_TOKEN } from '../contract/files.ts';
import { CAPABILITY_TOKENS, HEADERS, REDIRECTS_TOKEN } from '../contract/headers.ts';
import type { Capabilities, Capability } from '../model/record.ts';

export interface CapabilityLedger {
  now(): Capabilities;
  learn(learnt: Capabilities): void;
  /** What a reply's KB-Capabilities header says. */
  read(headers: Readonly<Record<string, string>>): void;
  /** Learns `no` unless a `yes` was seen in this run: one odd answer does not outweigh a proof. */
  doubt(capability: Capability): void;
  /** The sets of old addresses that the last list told; undefined: no list of this run told any. */
  sets(): ReadonlyMap<string, string> | undefined;
}

/** What is known of the service: what the base knew, then headers and observation. */
export function createCapabilityLedger(known: Capabilities): CapabilityLedger {
  let current = known;
  let lastHeader: string | undefined;
  let sets: ReadonlyMap<string, string> | undefined;
  const proven = new Set<string>();
  const learn = (learnt: Capabilities): void => {
    for (const [name, value] of Object.entries(learnt)) if (value === 'yes') proven.add(name);
    const languages = union(current.languages, learnt.languages);
    const shared = union(current.shared, learnt.shared);
    const leavesOut = union(current.leavesOut, learnt.leavesOut);
    current = {
      ...current,
      ...learnt,
      ...(languages.length === 0 ? {} : { languages }),
      ...(shared.length === 0 ? {} : { shared }),
      ...(leavesOut.length === 0 ? {} : { leavesOut }),
    };
  };
  return {
    now: () => current,
    learn,
    sets: () => sets,
    read(headers) {
      const told = headers[HEADERS.redirectSets.toLowerCase()];
      if (told !== undefined) sets = setsIn(told);
      const header = headers[HEADERS.capabilities.toLowerCase()];
      if (header === undefined || header === lastHeader) return;
      lastHeader = header;
      const tokens = new Set(header.split(',').map((token) => token.trim().toLowerCase()));
      learn(
        Object.fromEntries(
          [...CAPABILITY_TOKENS, REDIRECTS_TOKEN, FILES_TOKEN]
            .filter((token) => tokens.has(token))
            .map((token) => [token, 'yes']),
        ),
      );
    },
    doubt(capability) {
      if (!proven.has(capability)) learn({ [capability]: 'no' });
    },
  };
}

function union(known: readonly string[] = [], more: readonly string[] = []): readonly string[] {
  return [...new Set([...known, ...more])].sort();
}

/** Tags by repository, of `acme-docs=3f2a, shop=90bc`. A word without a tag is a key with an empty one. */
function setsIn(told: string): ReadonlyMap<string, string> {
  const words = told.split(',').map((word) => word.trim());
  return new Map(
    words.flatMap((word) => {
      const [repository = '', tag = ''] = word.split('=', 2);
      return repository === '' ? [] : [[repository, tag] as const];
    }),
  );
}
