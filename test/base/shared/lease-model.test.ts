import { describe, expect, test } from 'vitest';

/**
 * A small model of the lease, walked through in every order of steps: processes that may stop for any time between two
 * steps, die, or hear an answer late; a store that takes a write from the holder of its current lease alone; and one record
 * that each process wants to make if it is not there. Times are whole ticks. A request to the knowledge base is carried out or
 * lost within `request` ticks after it left. Not in the model, and not promised: a stop between the check of the lease and
 * the first byte of a request.
 */
interface Rules {
  readonly processes: number;
  /** Ticks that a lease lasts. */
  readonly lease: number;
  /** Ticks within which a request is carried out or lost. */
  readonly request: number;
  /** A protection that is left out. */
  readonly without?: 'fence' | 'margin' | 'begin' | 'intent';
}

/** Where a process is; see `steps`. */
type At =
  | 'idle'
  | 'asking'
  | 'granted'
  | 'look'
  | 'say'
  | 'saying'
  | 'said'
  | 'waiting'
  | 'outcome'
  | 'release';

interface Process {
  readonly at: At;
  /** Its lease is the store's current one. */
  readonly isCurrent: boolean;
  /** Ticks since the renewal that it counts from was asked for. */
  readonly since: number;
  /** Ticks since it asked for the write that is under way. */
  readonly begun: number;
  readonly isCommitted: boolean;
}

interface World {
  readonly processes: readonly Process[];
  readonly holder: number | undefined;
  /** Ticks that are left of the lease. */
  readonly left: number;
  readonly intent: boolean;
  readonly known: boolean;
  /** How often the record was made. */
  readonly made: number;
  /** Requests under way: who sent it, and the ticks that are left. */
  readonly flying: readonly { readonly from: number; readonly left: number }[];
}

const IDLE: Process = { at: 'idle', isCurrent: false, since: 0, begun: 0, isCommitted: false };

function start({ processes }: Rules): World {
  return {
    processes: Array.from({ length: processes }, () => IDLE),
    holder: undefined,
    left: 0,
    intent: false,
    known: false,
    made: 0,
    flying: [],
  };
}

function withProcess(world: World, index: number, change: Partial<Process>): World {
  const processes = world.processes.map((each, at) => (at === index ? { ...each, ...change } : each));
  return { ...world, processes };
}

/** Every world that can come next. */
function steps(world: World, rules: Rules): readonly World[] {
  return [
    ...world.processes.flatMap((_, index) => stepsOf(world, index, rules)),
    ...landings(world),
    ...tick(world, rules),
  ];
}

function tick(world: World, { lease }: Rules): readonly World[] {
  if (world.flying.some(({ left }) => left === 0)) return [];
  const later = (ticks: number): number => Math.min(lease, ticks + 1);
  return [
    {
      ...world,
      left: Math.max(0, world.left - 1),
      processes: world.processes.map((each) =>
        each.at === 'idle' ? each : { ...each, since: later(each.since), begun: later(each.begun) },
      ),
      flying: world.flying.map(({ from, left }) => ({ from, left: left - 1 })),
    },
  ];
}

/** A request is carried out, or lost; whoever waits for it hears of it, or goes on without an answer. */
function landings(world: World): readonly World[] {
  return world.flying.flatMap(({ from }, index) => {
    const rest = { ...world, flying: world.flying.filter((_, at) => at !== index) };
    const made = { ...rest, made: rest.made + 1 };
    if (world.processes[from]?.at !== 'waiting') return [made, rest];
    return [
      withProcess(made, from, { at: 'outcome' }),
      withProcess(made, from, { at: 'look' }),
      withProcess(rest, from, { at: 'look' }),
    ];
  });
}

function stepsOf(world: World, index: number, rules: Rules): readonly World[] {
  const me = world.processes[index];
  if (me === undefined) return [];
  const to = (at: At, change: Partial<Process> = {}): World => withProcess(world, index, { at, ...change });
  // Whatever it does, it may die instead; its lock and its requests stay behind.
  const dead = withProcess(world, index, IDLE);
  const mayWrite = me.isCurrent || rules.without === 'fence';
  switch (me.at) {
    case 'idle':
      return [to('asking', { since: 0 })];
    case 'asking': {
      if (me.isCommitted) return [to('granted', { isCommitted: false }), dead];
      if (world.holder !== undefined && world.left > 0) return [dead];
      const others = world.processes.map((each) => ({ ...each, isCurrent: false }));
      const taken = { ...world, processes: others, holder: index, left: rules.lease };
      return [withProcess(taken, index, { isCurrent: true, isCommitted: true }), dead];
    }
    case 'granted':
      return [to(world.known ? 'release' : world.intent ? 'look' : 'say'), dead];
    case 'look':
      return [to(world.made > 0 ? 'outcome' : 'say'), dead];
    case 'say':
      return [to('saying', { begun: 0, isCommitted: false }), dead];
    case 'saying': {
      if (!mayWrite) return [dead];
      const intent = rules.without !== 'intent';
      const written = { ...world, intent, left: me.isCurrent ? rules.lease : world.left };
      return [withProcess(written, index, { at: 'said' }), dead];
    }
    case 'said': {
      const since = rules.without === 'begin' ? 0 : me.begun;
      if (since >= rules.lease - rules.request && rules.without !== 'margin') return [dead];
      const sent = { ...world, flying: [...world.flying, { from: index, left: rules.request }] };
      return [withProcess(sent, index, { at: 'waiting', since }), dead];
    }
    case 'waiting':
      return [dead];
    case 'outcome':
      if (!mayWrite) return [dead];
      return [withProcess({ ...world, intent: false, known: true }, index, { at: 'release' }), dead];
    case 'release':
      return [
        withProcess(me.isCurrent ? { ...world, holder: undefined, left: 0 } : world, index, IDLE),
        dead,
      ];
  }
}

/** What must hold in every world. */
function fault({ made, known, intent, flying }: World): string | undefined {
  if (made > 1) return 'made twice';
  if ((made > 0 || flying.length > 0) && !known && !intent) return 'made, and nobody knows';
  return undefined;
}

function nameOf({ processes, holder, left, intent, known, made, flying }: World): string {
  const each = processes.map(({ at, isCurrent, since, begun, isCommitted }) =>
    [at, isCurrent ? 1 : 0, since, begun, isCommitted ? 1 : 0].join('.'),
  );
  const air = flying.map(({ from, left: ticks }) => `${from}.${ticks}`).sort();
  return [each.join('|'), holder ?? '-', left, intent ? 1 : 0, known ? 1 : 0, made, air.join('|')].join(' ');
}

interface Walk {
  readonly worlds: number;
  readonly fault: string | undefined;
}

function walk(rules: Rules): Walk {
  const first = start(rules);
  const seen = new Set([nameOf(first)]);
  let edge: World[] = [first];
  while (edge.length > 0) {
    const next: World[] = [];
    for (const world of edge) {
      const found = fault(world);
      if (found !== undefined) return { worlds: seen.size, fault: found };
      for (const after of steps(world, rules)) {
        const name = nameOf(after);
        if (seen.has(name)) continue;
        seen.add(name);
        next.push(after);
      }
    }
    edge = next;
  }
  return { worlds: seen.size, fault: undefined };
}

describe('a lease, in every order of steps', () => {
  test('of two processes makes nothing twice and forgets nothing', () => {
    const { worlds, fault: found } = walk({ processes: 2, lease: 4, request: 2 });
    expect(found).toBeUndefined();
    expect(worlds).toBeGreaterThan(10_000);
  });

  test('of three processes makes nothing twice and forgets nothing', () => {
    const { worlds, fault: found } = walk({ processes: 3, lease: 2, request: 1 });
    expect(found).toBeUndefined();
    expect(worlds).toBeGreaterThan(50_000);
  });

  test.each([
    ['fence', 'the store takes a write of a lease that has ended'],
    ['margin', 'a request leaves although the lease may end before its answer'],
    ['begin', 'a lease is counted from the answer of its renewal'],
    ['intent', 'a request leaves before its intent is in the store'],
  ] as const)('needs each of its rules: without the %s, %s', (without, _rule) => {
    expect(walk({ processes: 2, lease: 4, request: 2, without }).fault).toBeDefined();
  });
});
