import { afterEach, expect, test } from 'vitest';
import { fakeWorld } from '../../support/fake-world.ts';
import type { FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

test('of many pages whose records another repository wrote, the first three say why', async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`docs/p${index}.md`, `# Page ${index}\n\nText ${index}.\n`]),
  );
  world = await fakeWorld({ 'kbsync.yaml': 'id: one\npreset: plain\ncontent: docs\n', ...pages });
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await world.remove('.kbsync');
  await world.write('kbsync.yaml', 'id: two\npreset: plain\ncontent: docs\n');
  const { stdout } = await world.run('plan');
  expect(stdout.match(/its stamp names one/g)).toHaveLength(3);
  expect(stdout).toContain('5 more files whose records belong to somebody else');
  expect((await world.run('plan', '--verbose')).stdout.match(/its stamp names one/g)).toHaveLength(8);
});
