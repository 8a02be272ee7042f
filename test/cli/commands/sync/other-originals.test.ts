import { afterEach, expect, test } from 'vitest';
import { fakeWorld } from '../../support/fake-world.ts';
import type { FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

test('a first sync into a service with another default language says that a record has to go and a setting to change, and not to run again', async () => {
  const article = (title: string): string => `---\ntitle: ${title}\n---\n\nText.\n`;
  world = await fakeWorld(
    {
      'kbsync.yaml': 'defaultLanguage: en\n',
      'content/en/articles/a.md': article('A'),
      'content/en/articles/b.md': article('B'),
    },
    { languages: ['de', 'en'] },
  );
  // The API names no such header: other services keep it to themselves.
  world.wrap = (send) => async (request) => {
    const response = await send(request);
    response.headers.delete('KB-Default-Language');
    return response;
  };
  const ran = await world.run('sync');
  expect(ran.exit).toBe(5);
  expect(ran.stdout + ran.stderr).toContain('`defaultLanguage: de` into kbsync.yaml');
  expect(ran.stderr).toContain(
    'next: take that record back and change the setting, as it is named above, then run kbsync sync\n',
  );
});
