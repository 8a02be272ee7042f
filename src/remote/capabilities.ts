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
}

/** What is known of the service: what the base knew, then headers and observation. */
export function createCapabilityLedger(known: Capabilities): CapabilityLedger {
  let current = known;
  let lastHeader: string | undefined;
  const proven = new Set<string>();
  const learn = (learnt: Capabilities): void => {
    for (const [name, value] of Object.entries(learnt)) if (value === 'yes') proven.add(name);
    const languages = union(current.languages, learnt.languages);
    const shared = union(current.shared, learnt.shared);
    current = {
      ...current,
      ...learnt,
      ...(languages.length === 0 ? {} : { languages }),
      ...(shared.length === 0 ? {} : { shared }),
    };
  };
  return {
    now: () => current,
    learn,
    read(headers) {
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
