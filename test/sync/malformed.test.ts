import { expect, test } from 'vitest';
import { RemoteError } from '../../src/remote/error.ts';
import type { Send } from '../../src/remote/remote.ts';
import type { SyncReport } from '../../src/sync/report.ts';
import { desiredState } from '../support/desired.ts';
import type { Fault } from '../support/faults.ts';
import { faulty } from '../support/faults.ts';
import { knowledgeOf } from '../support/knowledge.ts';
import { createHand } from '../support/odd-services/hand.ts';
import { MALFORMED } from '../support/odd-services/malformed.ts';
import { codesOf, violationsOf } from '../support/odd-services/play.ts';
import { SCENARIOS } from '../support/odd-services/scenarios.ts';
import type { Scenario, Step } from '../support/odd-services/scenarios.ts';
import { createRig } from '../support/rig.ts';
import type { Rig } from '../support/rig.ts';

const RUNS = ['first-sync', 'clone-own', 'prune', 'slug-swap'] as const;
/** The run with the bad answer, then these at most: a create that got no clear answer waits out a minute. */
const RECOVERY_RUNS_MAX = 4;

/** Many cases on a machine that may be busy. */
const TIMEOUT_MS = 300_000;
let cases = 0;

test.each(RUNS)(
  '%s: no malformed answer at any place loses, doubles or hides anything',
  async (scenario) => {
    const wrong: string[] = [];
    const requests = await requestsOf(scenario);
    for (const [index, [name, fault]] of Object.entries(MALFORMED).entries()) {
      // Every answer at every second place, every place with every second answer.
      for (let at = index % 2; at < requests; at += 2) {
        // By turns the service does what it was asked before its answer is replaced, and does not.
        const isDone = ((index + at) / 2) % 2 < 1;
        const found = await played(scenario, (count) => (count === at ? { fault, isDone } : undefined));
        const where = `${name} ${isDone ? 'after' : 'instead of'} request ${at}`;
        wrong.push(...found.map((text) => `${where}: ${text}`));
        cases += 1;
      }
    }
    expect(wrong).toEqual([]);
  },
  TIMEOUT_MS,
);

test('the cases are at least 500', () => {
  expect(cases).toBeGreaterThanOrEqual(500);
});

async function requestsOf(scenario: Scenario): Promise<number> {
  let requests = 0;
  await played(scenario, () => {
    requests += 1;
    return undefined;
  });
  return requests;
}

type Bad = { readonly fault: Fault; readonly isDone: boolean };

/** Plays a scenario; in its last step the first run meets the bad answer, and the runs after it recover. */
async function played(scenario: Scenario, badAt: (count: number) => Bad | undefined): Promise<string[]> {
  const rig = await createRig({ languages: ['en', 'fr'] });
  try {
    const steps: readonly Step[] = SCENARIOS[scenario];
    for (const step of steps.slice(0, -1)) {
      if ('forget' in step) rig.forget();
      if ('sync' in step) await rig.sync(desiredState(step.sync), step.policy);
    }
    const last = steps.at(-1);
    return last !== undefined && 'sync' in last
      ? await meets(last, badAt, rig)
      : ['the last step is no sync'];
  } finally {
    await rig.close();
  }
}

async function meets(
  { sync, policy = {} }: Extract<Step, { sync: unknown }>,
  badAt: (count: number) => Bad | undefined,
  rig: Rig,
): Promise<string[]> {
  const desired = desiredState(sync);
  const hand = createHand(rig);
  const wrong: string[] = [];
  let isRecovering = false;
  let count = 0;
  rig.wrap = (send) => async (request) => {
    const bad = isRecovering ? undefined : badAt(count);
    count += 1;
    if (bad === undefined) return send(request);
    // "Yes" is the whole documented answer of a write: given for nothing it would be no malformed answer but a lie.
    const isYes = 'body' in bad.fault && bad.fault.body.startsWith('{"success":true');
    const isWrite = request.method !== 'GET';
    const own = bad.isDone || (isYes && isWrite) ? await send(request.clone()) : undefined;
    if (isYes && isWrite && own?.ok === false) return own;
    return replaced(send, bad.fault)(request);
  };
  const run = async (): Promise<SyncReport | undefined> => {
    const before = await knowledgeOf(rig.store);
    const report = await rig.sync(desired, policy).catch((error: unknown) => {
      if (!(error instanceof RemoteError)) wrong.push(`threw ${String(error)}`);
      return undefined;
    });
    const after = await knowledgeOf(rig.store);
    wrong.push(...violationsOf({ before, after, desired, report, prune: policy.prune === true }, hand));
    return report;
  };
  await run();
  isRecovering = true;
  for (let recovery = 0; recovery < RECOVERY_RUNS_MAX; recovery += 1) {
    rig.clock.advance(61_000);
    const sent = rig.sent.length;
    const report = await run();
    const isQuiet = rig.sent.slice(sent).every(({ method }) => method === 'GET');
    if (report !== undefined && isQuiet && codesOf(report) === 'ok') return wrong;
    if (recovery === RECOVERY_RUNS_MAX - 1)
      wrong.push(`not in sync: ${report === undefined ? 'threw' : codesOf(report)}`);
  }
  return wrong;
}

function replaced(send: Send, fault: Fault): Send {
  return faulty(send, () => fault);
}
