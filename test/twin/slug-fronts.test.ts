import { expect, test } from 'vitest';
import type { Machine } from './support/machine.ts';
import type { Repository } from './support/repository.ts';
import { createRepository } from './support/repository.ts';
import type { Habit } from './support/service/habit.ts';
import { createStage } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

/** Shows a path of its own in front of each slug, and does not take it off again when the slug is sent back. */
function adding(front: () => string): Habit {
  return {
    shows: () => (value, field) => (field === 'slug' && typeof value === 'string' ? front() + value : value),
  };
}

const PLACE = 'en/articles/plain';

interface Scene {
  readonly stage: Stage;
  readonly files: Repository;
  readonly laptop: Machine;
  readonly sync: (argv?: readonly string[]) => Promise<string>;
}

/** The slug that the site keeps after a life that begins with a first sync of `plain`. */
async function slugAfter(habits: readonly Habit[], life: (scene: Scene) => Promise<void>): Promise<unknown> {
  const stage = await createStage(habits, 1);
  try {
    const files = createRepository('A');
    files.add(PLACE, 'Plain');
    const laptop = stage.machine('laptop', files);
    const sync = async (argv: readonly string[] = ['sync', '--yes']): Promise<string> => {
      stage.step(argv.join(' '));
      return (await stage.run(laptop, argv)).said;
    };
    await sync();
    await life({ stage, files, laptop, sync });
    return stage.site.rows.find(({ kind }) => kind === 'article')?.stored['slug'];
  } finally {
    await stage.close();
  }
}

const HELP = adding(() => 'help/');

test('a slug that the site may keep does not grow with the edits of the file, if the service shows it with a path in front', async () => {
  const slug = await slugAfter([HELP], async ({ files, sync }) => {
    await sync(['resolve', 'article/plain@en', '--remote', '--yes']);
    for (let edit = 0; edit < 3; edit += 1) {
      files.edit(PLACE);
      await sync();
    }
  });
  expect(slug).toBe('plain');
});

test('a slug that grows in a clone that does not know the service gets its address back in the same run', async () => {
  const slug = await slugAfter([HELP], async ({ files, laptop, sync }) => {
    await laptop.forget();
    await sync(['resolve', 'article/plain@en', '--remote', '--yes']);
    files.edit(PLACE);
    await sync();
  });
  expect(slug).toBe('plain');
});

/** From then on, edits are carried out and answered with a redirect. */
function redirectsEdits(isOn: () => boolean): Habit {
  return {
    gateway: () => (next) => async (request) => {
      const response = await next(request);
      return isOn() && request.method === 'POST' && response.ok
        ? new Response(null, { status: 303, headers: { location: '/api/v2/articles' } })
        : response;
    },
  };
}

test('a slug that grows by an edit without a clear answer gets its address back in the same run', async () => {
  let isOn = false;
  const slug = await slugAfter([HELP, redirectsEdits(() => isOn)], async ({ files, laptop, sync }) => {
    await laptop.forget();
    await sync(['resolve', 'article/plain@en', '--remote', '--yes']);
    files.edit(PLACE);
    isOn = true;
    await sync();
  });
  expect(slug).toBe('plain');
});

test('a new page with a path in front of its slug is told how to accept it, and then all is in sync', async () => {
  const slug = await slugAfter([HELP], async ({ files, sync, stage, laptop }) => {
    await sync(['resolve', 'article/plain@en', '--remote', '--yes']);
    files.add('en/articles/second', 'Second');
    expect(await sync()).toContain('kbsync resolve article/second@en --remote accepts that');
    await sync(['resolve', 'article/second@en', '--remote', '--yes']);
    const { exit, said } = await stage.run(laptop);
    expect([exit, said.includes('in sync')]).toEqual([0, true]);
    expect(stage.site.rows.map(({ stored }) => stored['slug'])).toEqual(['plain', 'second']);
  });
  expect(slug).toBe('plain');
});

/** Services that keep no comments keep no stamps. */
const PLAIN_TEXT: Habit = {
  stores: (value, field) =>
    field === 'content' && typeof value === 'string' ? value.replaceAll(/\s*<!--[\s\S]*?-->/g, '') : value,
};

test('a page with a path in front of its slug is known without a state and without a stamp, and its slug is asked about', async () => {
  const slug = await slugAfter([HELP, PLAIN_TEXT], async ({ sync, stage, laptop }) => {
    await laptop.forget();
    expect(await sync()).toContain('kbsync resolve article/plain@en --local | --remote');
    await sync(['resolve', 'article/plain@en', '--remote', '--yes']);
    const { exit, said } = await stage.run(laptop);
    expect([exit, said.includes('in sync')]).toEqual([0, true]);
    expect(stage.site.rows).toHaveLength(1);
  });
  expect(slug).toBe('plain');
});

test('an undo does not let a slug grow', async () => {
  const slug = await slugAfter([HELP], async ({ files, sync }) => {
    await sync(['resolve', 'article/plain@en', '--remote', '--yes']);
    files.retitle(PLACE, { title: 'Anew' });
    await sync();
    expect(await sync(['undo', '--yes'])).toContain('1 record taken back');
  });
  expect(slug).toBe('plain');
});

/** The site's slug gets a path by an editor's hand, the site keeps it, and then the file changes. */
async function renamedByHand({ stage, files, sync }: Scene, slug: string): Promise<void> {
  const row = stage.row(files, PLACE);
  if (row === undefined) throw new Error('test: no record');
  stage.editor.set(row, { slug });
  await sync(['resolve', 'article/plain@en', '--remote', '--yes']);
  files.edit(PLACE);
  await sync();
}

test('an editor’s path in a slug stays where the service adds none', async () => {
  expect(await slugAfter([], (scene) => renamedByHand(scene, 'help/plain'))).toBe('help/plain');
});

test('an editor’s path in a slug stays where the service no longer adds the same one', async () => {
  let front = 'help/';
  const slug = await slugAfter([adding(() => front)], (scene) => {
    front = '';
    return renamedByHand(scene, 'help/plain');
  });
  expect(slug).toBe('help/plain');
});

test('an editor’s path in a slug stays where the service adds different ones', async () => {
  let front = 'guides/';
  const slug = await slugAfter([adding(() => front)], async (scene) => {
    front = 'api/';
    scene.files.add('en/articles/second', 'Second');
    await scene.sync();
    front = '';
    await renamedByHand(scene, 'guides/plain');
  });
  expect(slug).toBe('guides/plain');
});
