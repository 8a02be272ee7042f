import { afterEach, beforeEach, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf } from '../../support/site.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
});
afterEach(() => world.close());

test.each([true, false])(
  'a released article stays on the site and is no longer ours (state kept: %s)',
  async (hasState) => {
    await world.run('sync');
    await world.remove('content/en/articles/update.md');
    expect((await world.run('plan')).stdout).toContain('kept');
    await world.write('kbsync.yaml', 'released: [update]\n');
    if (!hasState) await world.remove('.kbsync');
    const plan = await world.run('plan');
    expect(
      plan.stdout.includes('  released  article/update@en  stays on the site; kbsync no longer manages it\n'),
    ).toBe(hasState);
    expect(plan.stdout).not.toContain('kept');
    const writes = () => world.sent.filter((line) => !line.startsWith('GET')).length;
    const before = writes();
    expect((await world.run('sync', '--prune', '--yes')).exit).toBe(0);
    const next = await world.run('plan', '--prune');
    expect(next.stdout).toMatch(/^in sync/m);
    expect(next.stdout).not.toContain('update');
    expect(writes()).toBe(before);
    expect(await siteOf(world).titles()).toContain('Update');
    await siteOf(world).edit('Update', (body) => void (body['title'] = 'Theirs now'));
    expect((await world.run('sync', '--prune', '--yes')).exit).toBe(0);
    expect(await siteOf(world).titles()).toContain('Theirs now');
  },
);

test('a released record that has a file is an error that names both ways out', async () => {
  await world.write('kbsync.yaml', 'released: [update]\n');
  const { exit, stdout, stderr } = await world.run('check');
  expect(exit).toBe(1);
  expect(stdout + stderr).toContain(
    'content/en/articles/update.md:1:1: error released-file: `released` in kbsync.yaml says that kbsync no longer manages `article/update@en`, but this is its file; delete the file, or take the line out of `released` and name the file under `exclude`',
  );
});
