import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const DEMO = join(import.meta.dirname, '../../scripts/demo.mjs');
/** `script` of util-linux gives a command a terminal of its own. */
const hasTerminals = (spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '').includes(
  'util-linux',
);
if (!hasTerminals)
  console.log('the demo in a terminal is not tested: there is no `script` of util-linux here');

interface Demo {
  readonly child: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<number | null>;
}

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
});

function started(env: Readonly<Record<string, string>>, command: string, args: readonly string[]): Demo {
  const { CI: _, ...rest } = process.env;
  const child = spawn(command, args, {
    env: { ...rest, NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.push(child);
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, text: () => said.replaceAll('\r', ''), ended };
}

const inTerminal = (env: Readonly<Record<string, string>>, ...flags: readonly string[]): Demo =>
  // `exec`: a shell that stays beside the demo (dash does) answers Ctrl-C with an exit code of its own.
  started(env, 'script', ['-qec', ['exec', process.execPath, DEMO, ...flags].join(' '), '/dev/null']);

async function isServed(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

function whereOf(text: string): { readonly site: string; readonly key: string } {
  const [, site = '', key = ''] = /^Site +(http:\/\/127\.0\.0\.1:\d+\/)\nKey +(kb_\S+)\n/.exec(text) ?? [];
  return { site, key };
}

test('the demo tells site and key first, and ends by itself if its output is no terminal', async () => {
  const demo = started({}, process.execPath, [DEMO]);
  expect(await demo.ended).toBe(0);
  const { site, key } = whereOf(demo.text());
  expect([site, key]).not.toContain('');
  expect(demo.text()).toContain('in sync: ');
  expect(await isServed(site)).toBe(false);
});

test.skipIf(!hasTerminals)(
  'in a terminal the site stays until Ctrl-C, which leaves nothing behind',
  async () => {
    const demo = inTerminal({});
    await expect.poll(demo.text, { timeout: 170_000 }).toContain('until you press Ctrl-C');
    const { site, key } = whereOf(demo.text());
    expect(await isServed(site)).toBe(true);
    expect(
      await (await fetch(`${site}api/v2/articles`, { headers: { authorization: `Bearer ${key}` } })).text(),
    ).toContain('"data"');
    const files = /^Files +(\S+)$/m.exec(demo.text())?.[1] ?? '';
    await access(files);
    demo.child.stdin?.write('\x03');
    expect(await demo.ended).toBe(0);
    expect(await isServed(site)).toBe(false);
    await expect(access(files)).rejects.toThrow('ENOENT');
  },
);

test.skipIf(!hasTerminals).for([
  { name: 'CI=true', env: { CI: 'true' }, flags: [] },
  { name: '--once', env: {}, flags: ['--once'] },
])('in a terminal the demo ends by itself with $name', async ({ env, flags }) => {
  const demo = inTerminal(env, ...flags);
  expect(await demo.ended).toBe(0);
  expect(demo.text()).not.toContain('until you press Ctrl-C');
});
