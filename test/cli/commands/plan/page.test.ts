import { afterEach, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf } from '../../support/site.ts';

let world: FakeWorld;
afterEach(() => world.close());

async function changed(): Promise<void> {
  world = await fakeWorld(SMALL);
  await world.run('sync');
  await world.write(
    'content/en/articles/install.md',
    (SMALL['content/en/articles/install.md'] ?? '').replace('your machine', 'any machine'),
  );
}

test('plan --html saves both sides of each changed text, and the answer stays what it is', async () => {
  await changed();
  const plain = await world.run('plan');
  const { exit, stdout, stderr } = await world.run('plan', '--html', 'out/plan.html');
  expect([exit, stdout]).toEqual([0, plain.stdout]);
  expect(stderr).toContain('out/plan.html');
  const page = await world.read('out/plan.html');
  expect(page).toContain('<p>Run it on <del>your</del> machine.</p>');
  expect(page).toContain('<p>Run it on <ins>any</ins> machine.</p>');
  expect(page).toContain('https://help.acme.test/en/articles/install');
  expect(page).not.toContain('kbsync:');
});

test('plan --html shows a conflict with both sides and the command that settles it', async () => {
  await changed();
  await siteOf(world).edit('Install', (body) => {
    body['content'] = '<p>Run it on the site.</p>';
  });
  expect((await world.run('plan', '--html', 'plan.html')).exit).toBe(3);
  const page = await world.read('plan.html');
  expect(page).toContain('kbsync resolve article/install@en --local');
  expect(page).toContain('<p>Run it on <del>the</del> <del>site</del>.</p>');
});

test('plan --json holds no whole text, with or without a page', async () => {
  await changed();
  const { stdout } = await world.run('plan', '--json', '--html', 'plan.html');
  expect(stdout).not.toContain('any machine');
  expect(JSON.parse(stdout)).toMatchObject({ format: 1, summary: { update: 1 } });
});

test('plan --markdown prints the comment, and nothing else on stdout', async () => {
  await changed();
  const { exit, stdout } = await world.run('plan', '--markdown');
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^<!-- kbsync:plan:content -->\n### Help centre: 0 create, 1 update/);
  expect(stdout).toContain('| ~ | `install` | en | text +1 −1 words |');
  expect((await world.run('plan', '--markdown', '--json')).exit).toBe(64);
});

test('plan --markdown names the translations that the change makes stale, and none that changes with its original', async () => {
  world = await fakeWorld(SMALL);
  await world.run('sync');
  const [en, fr] = ['content/en/articles/install.md', 'content/fr/articles/install.md'] as const;
  await world.write(en, `${SMALL[en]}\nMore.\n`);
  expect((await world.run('plan', '--markdown')).stdout).toContain(
    '- this change makes 1 translation stale: `article/install@fr`\n',
  );
  await world.write(fr, `${SMALL[fr]}\nPlus.\n`);
  expect((await world.run('plan', '--markdown')).stdout).not.toContain('stale');
});
