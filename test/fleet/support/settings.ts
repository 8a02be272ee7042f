import type { Fleet, KnowledgeBase } from '../../../src/fleet/settings/settings.ts';

/** A knowledge base of a fleet, with the defaults of fleet.yaml. */
export function base(name: string, given: Partial<KnowledgeBase> = {}): KnowledgeBase {
  return {
    name,
    repository: `https://github.com/acme/${name}.git`,
    ref: 'main',
    folder: '.',
    environment: undefined,
    schedule: '15m',
    owner: undefined,
    key: { variable: `KEY_${name.toUpperCase()}` },
    origin: 'https://help.acme.example',
    prune: false,
    ...given,
  };
}

export function fleetOf(bases: readonly KnowledgeBase[]): Fleet {
  return {
    file: 'fleet.yaml',
    root: '/srv',
    folder: '/srv/.kbsync-fleet',
    bases,
    atOnce: 2,
    perHost: 4,
    notify: undefined,
    hookSecret: undefined,
    schema: 'kbsync_fleet',
  };
}
