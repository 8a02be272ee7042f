import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../support/fake-world.ts';

const FILE = 'content/en/articles/a.md';
const STATE = '.kbsync/state.json';
const text = (title: string, body: string): string => `---\ntitle: ${title}\n---\n\n${body}\n`;

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld({ 'kbsync.yaml': 'id: docs\n', [FILE]: text('One', 'First words.') });
  await world.run('sync');
});
afterEach(() => world.close());

/** CI syncs with a state of its own, and this machine keeps the one from before. */
async function syncedElsewhere(file: string): Promise<void> {
  const before = await world.read(STATE);
  await world.write(FILE, file);
  expect((await world.run('sync')).exit).toBe(0);
  await world.write(STATE, before);
}

test('what another run of kbsync has written is not told as an editor’s work, and still not overwritten', async () => {
  await syncedElsewhere(text('Two', 'Second words.'));
  await world.write(FILE, text('Three', 'Third words.'));
  const conflict = await world.run('plan');
  expect(conflict.stdout).toContain(
    '    changed in the file, and on the site by a kbsync run that this state does not know\n',
  );
  await world.write(FILE, text('One', 'First words.'));
  const drift = await world.run('plan');
  expect(drift.stdout).toContain('on the site, by another run of kbsync; left alone');
  const { stdout } = await world.run('plan', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ drift: [{ key: 'article/a@en', isOurs: true }] });
});

test('without the older state the plan is made from what the site says of itself', async () => {
  await syncedElsewhere(text('Two', 'Second words.'));
  await world.remove(STATE);
  await world.write(FILE, text('Three', 'Third words.'));
  expect((await world.run('plan')).stdout).toContain('0 create, 1 update, 0 delete, 0 unchanged');
});

/** An editor gives the article another title. */
async function retitle(title: string): Promise<void> {
  const headers = { authorization: `Bearer ${world.service.key}`, 'content-type': 'application/json' };
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await world.service.fetch(new Request(`https://help.acme.test/api/v2/${path}`, init));
    expect(response.ok).toBe(true);
    return response.json();
  };
  const { data: list } = (await ask('GET', 'articles')) as {
    readonly data: readonly { readonly id: string }[];
  };
  const path = `articles/${list[0]?.id}`;
  const { data } = (await ask('GET', path)) as { readonly data: Readonly<Record<string, unknown>> };
  const { slug, excerpt, order_by: ordering, status, content } = data;
  const others = { slug, excerpt, ordering, status, content, categories: [], tags: [] };
  await ask('POST', path, { title, ...others, lang: 'en' });
}

test('an editor’s work is told as before, also in a record that another run has written', async () => {
  await syncedElsewhere(text('Two', 'Second words.'));
  await retitle('An editor’s');
  await world.write(FILE, text('Three', 'First words.'));
  const { stdout } = await world.run('plan');
  expect(stdout).toContain('    changed in the file and on the site\n');
});

test('where only the stamp tells what was sent, nobody claims that it was an editor, in the next run either', async () => {
  await retitle('An editor’s, or the service’s');
  await world.remove(STATE);
  await world.write(FILE, text('Three', 'First words.'));
  for (const { exit, stdout } of [await world.run('sync'), await world.run('sync')]) {
    expect(exit).toBe(3);
    expect(stdout).toContain(
      '    changed in the file; the site shows something else than kbsync sent: somebody changed it there, or the service did\n',
    );
    expect(stdout).toContain('(stamp)');
    expect(stdout).toContain('kbsync resolve article/a@en --local | --remote');
  }
});
