import { expect, test } from 'vitest';
import { createBoard } from '../../../src/fleet/http/board.ts';
import type { Outcome } from '../../../src/fleet/runs/outcome.ts';
import type { Standing } from '../../../src/fleet/runs/standings.ts';

const OUTCOME: Outcome = {
  format: 1,
  condition: 'failing',
  since: '2026-11-22T09:00:00.000Z',
  at: '2026-11-22T09:30:00.000Z',
  message: 'the host said <script>alert(1)</script> & "more"',
  behind: 3,
  runs: 12,
  untold: { id: 'x', from: 'in-sync' },
};
const STANDINGS: readonly Standing[] = [
  {
    name: 'billing',
    owner: `O'Neil <team>`,
    repository: '/srv/x',
    ref: 'main',
    origin: 'https://help.acme.example',
    condition: 'failing',
    outcome: OUTCOME,
  },
  {
    name: 'support',
    owner: undefined,
    repository: '/srv/y',
    ref: 'main',
    origin: 'https://support.acme.example',
    condition: 'never-run',
    outcome: undefined,
  },
];
const board = createBoard(async () => STANDINGS);
const get = (path: string, method = 'GET') => board.fetch(new Request(`http://h${path}`, { method }));

test('the page shows how each one stands, and nothing of a message is markup', async () => {
  const response = await get('/fleet');
  const html = await response.text();
  expect(html).toContain('<p>1 failing, 1 never run</p>');
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;');
  expect(html).toContain('O&#39;Neil &lt;team&gt;');
  expect(html).toContain('<time datetime="2026-11-22T09:00:00.000Z">2026-11-22 09:00</time>');
  expect(html).not.toContain('<script');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
});

test('metrics are in the form of Prometheus', async () => {
  const response = await get('/metrics');
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  expect(text.split('\n').filter((line) => !/^(#.*|[a-z_]+\{[^}]*\} [\d.]+|)$/.test(line))).toEqual([]);
  expect(text).toContain('kbsync_fleet_condition{name="billing",condition="failing"} 1');
  expect(text).toContain('kbsync_fleet_condition{name="billing",condition="in-sync"} 0');
  expect(text).toContain('kbsync_fleet_condition_since_seconds{name="billing"} 1795338000');
  expect(text).toContain('kbsync_fleet_commits_behind{name="billing"} 3');
  expect(text).not.toContain('kbsync_fleet_commits_behind{name="support"}');
});

test('programs get the same as JSON; other methods and paths are refused', async () => {
  expect(await (await get('/fleet.json')).json()).toMatchObject({
    format: 1,
    knowledgeBases: [{ name: 'billing', condition: 'failing', behind: 3, runs: 12 }, { name: 'support' }],
  });
  expect((await get('/healthz')).status).toBe(200);
  expect((await get('/')).headers.get('location')).toBe('/fleet');
  expect((await get('/metrics', 'POST')).status).toBe(405);
  expect((await get('/etc')).status).toBe(404);
});
