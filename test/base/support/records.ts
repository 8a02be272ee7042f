import { digestOfText } from '../../../src/model/digest.ts';
import { keyOf } from '../../../src/model/key.ts';
import type { Intent } from '../../../src/base/base.ts';
import type { BaseRecord, BaseState } from '../../../src/model/record.ts';
import { MEMORY_ORIGIN } from '../../support/memory-base.ts';

/** A record as a sync leaves it; `name` makes its key, `version` its content. */
export function recordOf(name: string, version = 1): BaseRecord {
  return {
    key: keyOf('article', name, 'en'),
    id: `id-${name}`,
    ownership: 'created',
    sent: {
      title: `${name} ${version}`,
      slug: name,
      excerpt: `What ${name} is about, in a sentence that has a usual length for an excerpt.`,
      categories: ['c1', 'c2'],
      ordering: version,
      status: 'published',
      content: { digest: digestOfText(`${name} ${version}`) },
    },
    input: digestOfText(`${name} input ${version}`),
    seen: `2026-01-01 10:00:00.000000|${digestOfText(name)}`,
  };
}

export function stateOf(records: readonly BaseRecord[], more: Partial<BaseState> = {}): BaseState {
  return {
    origin: MEMORY_ORIGIN,
    serial: 0,
    capabilities: {},
    records: new Map(records.map((record) => [record.key, record])),
    unmanaged: new Map(),
    ...more,
  };
}

export function intentOf(op: string, name: string, action: Intent['action'] = 'create'): Intent {
  const intent = { op, action, key: keyOf('article', name, 'en'), name, slug: name, atMs: 1_700_000_000_000 };
  return action === 'update' ? { ...intent, sent: recordOf(name, 2).sent, meanings: {} } : intent;
}
