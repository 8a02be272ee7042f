import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeWorld } from '../cli/support/fake-world.ts';
import { liveWorld } from '../cli/support/live-world.ts';
import { play, playLive, type Played } from './transcript.ts';

const DOCS = join(import.meta.dirname, '../../docs/guides');
const read = (name: string): Promise<string> => readFile(join(DOCS, `${name}.md`), 'utf8');

test.for(['git-docs', 'scheduled-ci', 'how-it-works', 'undo', 'partial', 'renames'])(
  '%s prints what it shows',
  async (name) => {
    const page = await read(name);
    const world = await fakeWorld();
    if (page.includes('kbsync.yaml`:') || page.includes('kbsync init')) delete world.env['KBSYNC_BASE_URL'];
    const played = await play(page, world);
    await world.close();
    expect(played.length).toBeGreaterThan(3);
    if (process.env['KBSYNC_WRITE_GOLDENS'] === '1') {
      await writeFile(join(DOCS, `${name}.md`), withOutputs(page, played));
      return;
    }
    for (const { command, shown, printed } of played)
      expect(`$ ${command}\n${printed}`).toBe(`$ ${command}\n${shown}`);
  },
);

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
