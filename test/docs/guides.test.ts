import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../cli/support/fake-world.ts';
import { liveWorld } from '../cli/support/live-world.ts';
import { gitHubStandIn } from '../forge/support/forge-stand-in.ts';
import { play, playLive, type Played } from './transcript.ts';

const DOCS = join(import.meta.dirname, '../../docs/guides');
const read = (name: string): Promise<string> => readFile(join(DOCS, `${name}.md`), 'utf8');

test.for(['git-docs', 'scheduled-ci', 'how-it-works', 'undo', 'partial', 'renames'])(
  '%s prints what it shows',
  async (name) => {
    const world = await fakeWorld();
    const { printed, shown } = await playedPage(name, world);
    await world.close();
    expect(printed).toEqual(shown);
  },
);

test('editors prints what it shows, with a git server and a forge', async () => {
  const world = await fakeWorld();
  const bare = await mkdtemp(join(tmpdir(), 'kbsync-bare-'));
  execFileSync('git', ['init', '-q', '-b', 'main', '--bare', bare]);
  execFileSync('git', ['init', '-q', '-b', 'main', world.cwd]);
  const settings = {
    'user.name': 'Ada',
    'user.email': 'ada@example.com',
    [`url.${bare}.insteadOf`]: '../docs.git',
  };
  for (const [name, value] of Object.entries(settings))
    execFileSync('git', ['config', name, value], { cwd: world.cwd });
  const forge = gitHubStandIn(bare);
  const { GITHUB_SHA: _, ...job } = forge.env('');
  Object.assign(world.env, job);
  world.elsewhere.set('https://api.git.test', forge.send);
  const { printed, shown } = await playedPage('editors', world);
  expect(printed).toEqual(shown);
  expect(forge.requests).toMatchObject([{ state: 'merged', title: 'Edits of the site: refunds.md' }]);
  const table = /^\| file \|[\s\S]*?\n\n/m.exec(forge.requests[0]?.body ?? '')?.[0];
  expect(await read('editors')).toContain(`\`\`\`\n${table?.trim()}\n\`\`\``);
  await world.close();
  await rm(bare, { recursive: true });
});

/** What the commands of a page print, and what the page shows. */
async function playedPage(
  name: string,
  world: FakeWorld,
): Promise<Readonly<Record<'printed' | 'shown', readonly string[]>>> {
  const page = await read(name);
  if (page.includes('kbsync.yaml`:') || page.includes('kbsync init')) delete world.env['KBSYNC_BASE_URL'];
  const played = await play(page, world);
  expect(played.length).toBeGreaterThan(3);
  if (process.env['KBSYNC_WRITE_GOLDENS'] === '1') {
    await writeFile(join(DOCS, `${name}.md`), withOutputs(page, played));
    return { printed: [], shown: [] };
  }
  return {
    printed: played.map(({ command, printed }) => `$ ${command}\n${printed}`),
    shown: played.map(({ command, shown }) => `$ ${command}\n${shown}`),
  };
}

/** The page with what its commands have printed; what is the same but for times stays. */
function withOutputs(page: string, played: readonly Played[]): string {
  let text = '';
  let rest = page;
  for (const { command, shown, printed } of played) {
    const head = `$ ${command}\n`;
    const at = rest.indexOf(head) + head.length;
    const end = at + rest.slice(at).search(/^(\$ |```)/m);
    text += rest.slice(0, at) + (shown === printed ? rest.slice(at, end) : printed);
    rest = rest.slice(end);
  }
  return text + rest;
}

test('writing prints what it shows, save by save', async () => {
  const world = await liveWorld({});
  const seen = await playLive(await read('writing'), world);
  await world.close();
  expect(seen.length).toBeGreaterThan(4);
});
