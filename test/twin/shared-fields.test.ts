import { expect, test } from 'vitest';
import { createRepository } from './support/repository.ts';
import { createStage } from './support/stage.ts';

/** The service keeps them once for all languages, and empties what a write leaves out. */
const BANNER = 'https://cdn.example.com/a.png';

test('what an editor set on the original stays when the first translation comes', async () => {
  const stage = await createStage([{ rules: { shared: ['seoBannerUrl'], leftOut: 'reset' } }], 1);
  try {
    const files = createRepository('A');
    files.add('en/articles/install', 'Install');
    files.add('en/articles/update', 'Update');
    files.add('fr/articles/update', 'Mettre à jour');
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    stage.step('an editor, and a translation');
    const row = stage.row(files, 'en/articles/install');
    if (row !== undefined) stage.editor.set(row, { seoBannerUrl: BANNER });
    await stage.settle(laptop);
    files.add('fr/articles/install', 'Installer');
    files.edit('en/articles/install');
    await stage.settle(laptop);
    expect([stage.faults, stage.stops]).toEqual([[], []]);
    expect(stage.row(files, 'en/articles/install')?.stored['seoBannerUrl']).toBe(BANNER);
  } finally {
    await stage.close();
  }
});

test('a service that ignores `lang` and empties what a write leaves out gets its original back', async () => {
  const stage = await createStage([{ rules: { editsLanguage: 'original', leftOut: 'reset' } }], 1);
  try {
    const files = createRepository('A');
    files.add('en/tags/cli', 'Cli');
    files.add('en/articles/install', 'Install', { tags: ['cli'], seoBannerUrl: BANNER });
    files.add('fr/articles/install', 'Installer');
    const laptop = stage.machine('laptop', files);
    const ran = await stage.run(laptop);
    expect(ran.said).toContain('the service ignored `lang` and changed the original');
    expect(ran.exit).toBe(5);
    const row = stage.row(files, 'en/articles/install');
    expect([row?.stored['title'], row?.stored['seoBannerUrl']]).toEqual(['Install', BANNER]);
    expect(stage.faults).toEqual([]);
  } finally {
    await stage.close();
  }
});

test.each([['tags'], ['hideFromSearch', 'seoBannerUrl', 'articleReviewDate'], ['tags', 'ordering']])(
  'a translation whose file does not say %s leaves its original as it is',
  async (...shared) => {
    const stage = await createStage([{ rules: { shared, leftOut: 'reset' } }], 1);
    try {
      const files = createRepository('A');
      files.add('en/tags/cli', 'Cli', { description: 'In a terminal' });
      const own = { tags: ['cli'], ordering: 4, seoBannerUrl: BANNER };
      files.add('en/articles/install', 'Install', { ...own, hideFromSearch: true });
      files.add('en/articles/update', 'Update', own);
      files.add('fr/articles/install', 'Installer');
      const laptop = stage.machine('laptop', files);
      await stage.settle(laptop);
      stage.step('the translation, and a new one');
      files.edit('fr/articles/install');
      files.add('fr/articles/update', 'Mettre à jour');
      await stage.settle(laptop);
      stage.step('the original');
      files.edit('en/articles/install');
      await stage.settle(laptop);
      expect([stage.faults, stage.stops]).toEqual([[], []]);
      const tags = stage.site.living('tag').map(({ id }) => id);
      expect(stage.row(files, 'en/articles/install')?.stored['tags']).toEqual(tags);
    } finally {
      await stage.close();
    }
  },
);
