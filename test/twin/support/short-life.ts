import { createRepository } from './repository.ts';
import type { Repository } from './repository.ts';
import type { Stage } from './stage.ts';

function files(): Repository {
  const made = createRepository('A');
  made.add('en/categories/start', 'Start', { description: 'How to begin' });
  made.add('fr/categories/start', 'Début');
  made.add('en/categories/deep', 'Deep', { categoryParent: 'start', priority: 2 });
  made.add('en/tags/cli', 'Cli', { description: 'In a terminal' });
  made.add('fr/tags/cli', 'Cli fr');
  made.add('en/articles/install', 'Install', { categories: ['start'], tags: ['cli'], excerpt: 'Here.' });
  made.add('fr/articles/install', 'Installer', { categories: ['start'], tags: ['cli'] });
  made.add('en/articles/plain', 'Plain');
  made.add('en/articles/full', 'Full', {
    seoBannerUrl: 'https://cdn.example.com/a.png',
    articleReviewDate: '2027-03-01T09:00:00.000Z',
    hideFromSearch: true,
  });
  return made;
}

/** A first sync, edits of every kind, and a prune, in front of what editors had there before. */
export async function shortLife(stage: Stage): Promise<void> {
  const { editor } = stage;
  const category = editor.create('category', 'News', 'news');
  const tag = editor.create('tag', 'Misc', 'misc');
  const links = {
    categories: category === undefined ? [] : [category.id],
    tags: tag === undefined ? [] : [tag.id],
  };
  const overview = editor.create('article', 'Overview', 'overview', links);
  if (overview !== undefined) editor.translate(overview, 'de');
  const own = files();
  const laptop = stage.machine('laptop', own);
  await stage.settle(laptop);
  stage.step('edit');
  own.edit('en/articles/install', { fields: { ordering: 4 } });
  own.edit('fr/articles/install');
  own.retitle('en/categories/start', { fields: { description: 'Version 2' } });
  own.retitle('en/tags/cli', { title: 'Terminal' });
  await stage.settle(laptop);
  stage.step('prune');
  own.remove('en/articles/plain');
  await stage.settle(laptop, ['sync', '--yes', '--prune']);
}
