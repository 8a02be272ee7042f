import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { loadGraphile } from '../../../src/fleet/workers/graphile.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../../support/postgres.ts';
import { fleetRig, type FleetRig, type Worker } from '../support/fleet-rig.ts';
import { playGuide } from '../support/guide.ts';
import { killCampaign } from '../support/kill-campaign.ts';

const article = (title: string): string => `---\ntitle: ${title}\n---\n\nText.\n`;
const SECRET = 'a-secret-of-pushes';
const TOP = 'webhook: { secret: { variable: HOOK_SECRET } }\n';

test('without the engine of jobs, the message says what to install', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(loadGraphile(() => Promise.reject(missing))).rejects.toMatchObject({
    message: 'graphile-worker is not installed; the workers of a fleet need it',
    help: expect.stringContaining('npm install graphile-worker@0.17'),
  });
});

describe.skipIf(postgresMissing() !== undefined)('workers on PostgreSQL', () => {
  let server: PostgresServer;
  let rig: FleetRig;
  let databases = 0;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(() => rig.close());
  afterAll(() => server.remove());

  /** A database of its own, because jobs have a schema of their own. */
  const withDatabase = async (): Promise<void> => {
    databases += 1;
    await server.run(`create database fleet_${databases}`);
    rig.env['DATABASE_URL'] = server.url.replace('/postgres?', `/fleet_${databases}?`);
    rig.env['HOOK_SECRET'] = SECRET;
  };

  const push = async (worker: Worker, path: string, body: object, secret = SECRET): Promise<Response> => {
    const text = JSON.stringify(body);
    const url = /pushes at (\S+)\/hook/.exec(worker.said())?.[1] ?? '';
    return fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
      },
      body: text,
    });
  };

  const pageOf = async (worker: Worker, path: string): Promise<string> => {
    const url = /page at (\S+)\/fleet/.exec(worker.said())?.[1] ?? '';
    return (await fetch(`${url}${path}`)).text();
  };

  const runsOf = async (name: string): Promise<number> => (await rig.status())[name]?.runs ?? 0;

  test('two workers share the work; a burst of pushes is two runs at most; page and metrics say how it stands', async () => {
    rig = await fleetRig(['billing', 'support'], { top: TOP, settings: '    schedule: 1d\n' });
    await withDatabase();
    const one = rig.start('fleet', '--port', '0', '--hook-port', '0');
    const two = rig.start('fleet');
    await one.until('pushes at');
    await two.until('working on');
    await settled(rig, ['billing', 'support']);
    const before = await runsOf('billing');
    const commit = await rig.commit('billing', { 'content/en/articles/b.md': article('B') });
    const body = { ref: 'refs/heads/main', repository: { clone_url: join(rig.root, 'repos/billing') } };
    const answers = await Promise.all(Array.from({ length: 50 }, () => push(one, '/hook', body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await answers[0]?.json()).toEqual({ success: true, runs: ['billing'] });
    await until(rig, 'billing', (standing) => standing.commit === commit);
    await queueIsEmpty(server, rig);
    expect((await runsOf('billing')) - before).toBeLessThanOrEqual(2);
    expect(await rig.titles('billing')).toEqual(['B', 'Hello billing']);
    expect((await push(one, '/hook', body, 'wrong')).status).toBe(401);
    expect((await push(one, '/hook', { ...body, ref: 'refs/heads/other' })).status).toBe(202);
    expect(await pageOf(one, '/fleet')).toMatch(/2 in sync/);
    expect(await pageOf(one, '/metrics')).toContain(
      'kbsync_fleet_condition{name="billing",condition="in-sync"} 1',
    );
    for (const worker of [one, two]) worker.child.kill('SIGTERM');
    expect(await Promise.all([one.ended, two.ended])).toEqual([0, 0]);
    const { rows } = { rows: await server.run('select * from kbsync_fleet.jobs', rig.env['DATABASE_URL']) };
    expect(rows).toEqual([]);
  });

  test('a network that fails is tried again by itself; a conflict and a refusal are not', async () => {
    rig = await fleetRig(['billing', 'support'], { top: TOP, settings: '    schedule: 1d\n' });
    await withDatabase();
    await rig.commit('support', { 'content/en/articles/broken.md': '---\ntags: [nowhere]\n---\n' });
    rig.proxies.get('billing')?.retarget('http://127.0.0.1:9');
    const worker = rig.start('fleet');
    await worker.until('billing: failing');
    await worker.until('support: stopped');
    rig.proxies.get('billing')?.retarget(rig.services.get('billing')?.url ?? '');
    await worker.until('billing: in sync');
    await queueIsEmpty(server, rig);
    expect(worker.said().match(/^support: /gm)).toHaveLength(1);
    expect(worker.said().match(/^billing: failing/gm)?.length).toBeGreaterThan(0);
  });

  test('SIGTERM ends a worker after its runs, and what it left is done by the next one', async () => {
    rig = await fleetRig(['billing'], { top: TOP, settings: '    schedule: 1d\n' });
    await withDatabase();
    const proxy = rig.proxies.get('billing');
    const isHeld = proxy?.arm({ at: 1, how: 'held' });
    const one = rig.start('fleet');
    await isHeld;
    one.child.kill('SIGTERM');
    await one.until('stopping: finishing what is under way');
    proxy?.release();
    expect(await one.ended).toBe(0);
    proxy?.disarm();
    const two = rig.start('fleet');
    await two.until('billing: in sync');
    expect(await rig.titles('billing')).toEqual(['Hello billing']);
  });

  test('no key is in a job, and a run gets no key but its own', async () => {
    rig = await fleetRig(['billing', 'support'], { top: TOP, settings: '    schedule: 1d\n' });
    await withDatabase();
    rig.proxies.get('billing')?.retarget('http://127.0.0.1:9');
    const isHeld = rig.proxies.get('support')?.arm({ at: 1, how: 'held' });
    const worker = rig.start('fleet');
    await isHeld;
    const environments = childrenOf(worker.child.pid ?? 0).map((pid) =>
      readFileSync(`/proc/${pid}/environ`, 'utf8'),
    );
    const run = environments.find((text) => text.includes('KEY_SUPPORT='));
    expect(run).toBeDefined();
    expect(run).not.toMatch(/KEY_BILLING=|DATABASE_URL=|HOOK_SECRET=/);
    const lines = childrenOf(worker.child.pid ?? 0).map((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    );
    await worker.until('billing: failing');
    const jobs = JSON.stringify(
      await server.run('select * from kbsync_fleet._private_jobs', rig.env['DATABASE_URL']),
    );
    expect(jobs).toContain('billing');
    for (const { key } of rig.services.values()) {
      expect(jobs).not.toContain(key);
      expect(lines.join('\n')).not.toContain(key);
    }
    rig.proxies.get('support')?.release();
  });

  test('the guide prints what it shows, with workers too', async () => {
    rig = await fleetRig(['billing', 'support'], { top: TOP });
    await withDatabase();
    const page = readFileSync(join(import.meta.dirname, '../../../docs/guides/fleet.md'), 'utf8');
    const yaml = await playGuide(page.slice(0, page.indexOf('## Once')), rig);
    expect(yaml).toEqual([]);
    await rig.write('fleet.yaml', `${TOP}${readFileSync(join(rig.root, 'fleet.yaml'), 'utf8')}`);
    const [, flags = ''] = /^\$ kbsync (fleet --port .*)$/m.exec(page) ?? [];
    const workers = [rig.start(...flags.split(' ').map(freePort)), rig.start('fleet')];
    for (const worker of workers) await worker.until('working on 2 knowledge bases, 2 at once; Ctrl-C ends');
    await workers[0]?.until('pushes at');
    await settled(rig, ['billing', 'support']);
    expect(await rig.titles('support')).toEqual(['Hello support']);
  });

  test(
    'workers and runs that are killed at any time duplicate nothing, lose nothing, and never run twice at once',
    { timeout: 900_000 },
    async () => {
      rig = await fleetRig(['billing', 'support', 'sales'], { top: TOP, settings: '    schedule: 1d\n' });
      await withDatabase();
      const figures = await killCampaign(rig, { kills: 8, seed: 1 });
      await queueIsEmpty(server, rig);
      expect(figures).toMatchObject({ duplicates: 0, lost: 0, atOnceMax: 1 });
      expect(figures.kills).toBe(8);
    },
  );
});

function freePort(word: string): string {
  return /^41\d\d$/.test(word) ? '0' : word;
}

function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => parentOf(each) === pid);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined; // it has ended
  }
}

type Standing = Awaited<ReturnType<FleetRig['status']>>[string];

async function until(rig: FleetRig, name: string, isIt: (standing: Standing) => boolean): Promise<void> {
  for (;;) {
    const standing = (await rig.status())[name];
    if (standing !== undefined && isIt(standing)) return;
  }
}

async function settled(rig: FleetRig, names: readonly string[]): Promise<void> {
  for (const name of names) await until(rig, name, ({ condition }) => condition === 'in-sync');
}

/** Each look is a query of the real database; the jobs end by themselves. */
async function queueIsEmpty(server: PostgresServer, rig: FleetRig): Promise<void> {
  for (;;) {
    const jobs = await server.run('select 1 from kbsync_fleet.jobs', rig.env['DATABASE_URL']);
    if (jobs.length === 0) return;
  }
}
