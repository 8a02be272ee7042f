import { readdirSync, readFileSync } from 'node:fs';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { seededRandom } from '../../support/random.ts';
import type { FleetRig, Worker } from './fleet-rig.ts';

export interface KillFigures {
  readonly kills: number;
  /** Articles that are there twice. */
  readonly duplicates: number;
  /** Articles of a repository that are not there in the end. */
  readonly lost: number;
  /** Most runs of one knowledge base that were alive at once beyond the lock: holders of its lock seen together. */
  readonly atOnceMax: number;
}

/** A create whose answer was lost counts as absent a minute after it was sent, and the queue tries again later each time. */
const LOOKS_MAX = 400;
const LOOK_PAUSE_MS = 1000;

/**
 * Two workers, pushes all the time, and at random moments one worker, one run, or a worker with its runs is killed (SIGKILL) and
 * started again. In the end every article that was pushed is there once.
 */
export async function killCampaign(
  rig: FleetRig,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<KillFigures> {
  const random = seededRandom(seed);
  const names = [...rig.services.keys()];
  const wanted = new Map(names.map((name) => [name, new Set([`Hello ${name}`])]));
  const start = (): Worker => rig.start('fleet', '--hook-port', '0');
  const workers = [start(), start()];
  for (const worker of workers) await worker.until('pushes at');
  let atOnceMax = 0;
  const look = (): void => {
    for (const [, pids] of syncingRuns(rig.root)) atOnceMax = Math.max(atOnceMax, pids.length);
  };
  for (let done = 0; done < kills; done += 1) {
    const name = names[Math.floor(random() * names.length)] ?? '';
    const title = `Article ${done}`;
    const text = `---\ntitle: ${title}\n---\n\nText ${done}.\n`;
    await rig.commit(name, { [`content/en/articles/a${done}.md`]: text });
    wanted.get(name)?.add(title);
    await pushTo(workers, join(rig.root, 'repos', name));
    // A pause of the seed's choosing, so that the kill meets the run at any step.
    await pause(Math.floor(random() * 1500));
    look();
    const at = Math.floor(random() * workers.length);
    const victim = workers[at];
    const runs = [...syncingRuns(rig.root).values()].flat();
    const how = random();
    if (how < 0.4) for (const pid of runs) killQuietly(pid);
    if (how > 0.2) {
      victim?.child.kill('SIGKILL');
      await victim?.ended;
      workers[at] = start();
      await workers[at]?.until('pushes at');
    }
    look();
  }
  for (const name of names) await pushTo(workers, join(rig.root, 'repos', name));
  let duplicates = 0;
  let lost = 0;
  for (const name of names) {
    const all = wanted.get(name) ?? new Set();
    for (let looks = 0; ; looks += 1) {
      look();
      const titles = await rig.titles(name);
      const standing = (await rig.status())[name];
      duplicates = Math.max(duplicates, titles.length - new Set(titles).size);
      lost = [...all].filter((title) => !titles.includes(title)).length;
      if (standing?.condition === 'in-sync' && lost === 0) break;
      if (looks > LOOKS_MAX) {
        const said = workers.map((worker) => worker.said()).join('\n');
        throw new Error(`test: ${name} does not come in sync: ${JSON.stringify(standing)}\n${said}`);
      }
      if (standing?.condition === 'stopped' || standing?.condition === 'conflict') {
        throw new Error(`test: ${name} is ${standing.condition}: ${standing.message}`);
      }
      await pause(LOOK_PAUSE_MS);
    }
  }
  return { kills, duplicates, lost, atOnceMax };
}

async function pushTo(workers: readonly Worker[], repository: string): Promise<void> {
  const body = JSON.stringify({ ref: 'refs/heads/main', repository: { clone_url: repository } });
  const signature = createHmac('sha256', 'a-secret-of-pushes').update(body).digest('hex');
  for (const worker of workers) {
    const url = /pushes at (\S+)/.exec(worker.said())?.[1] ?? '';
    const headers = { 'x-hub-signature-256': `sha256=${signature}` };
    const response = await fetch(url, { method: 'POST', headers, body });
    if (response.status === 202) return;
  }
  throw new Error('test: no worker took the push');
}

/** The processes that hold the lock of each knowledge base, as the state's own lock and the run's lock name them. */
function syncingRuns(root: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  const bases = join(root, '.kbsync-fleet', 'bases');
  for (const name of namesIn(bases)) {
    const pids = ['run.lock', 'state.lock'].flatMap((file) => ownerIn(join(bases, name, file)));
    found.set(name, [...new Set(pids)].filter(isAlive));
  }
  return found;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function ownerIn(file: string): readonly number[] {
  try {
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { readonly pid: number };
    return [pid];
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^[ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, ''));
  } catch {
    return false;
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
