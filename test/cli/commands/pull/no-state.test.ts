import { afterEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf } from '../../support/site.ts';

let world: FakeWorld;
afterEach(() => world.close());

/** As web editors and converters leave it: relative addresses, sizes, empty paragraphs, elements that `sanitize` leaves out. */
const TEXT = `<div class="wysiwyg"><p style="color:#333">See <a href="use.html#set-up">how to use it</a>, the
<a href="../faq/">questions</a> and <a href="#gone">a place that is gone</a>.&nbsp;</p><p></p>
<p><acronym>API</acronym> calls: <code class="cmd">git <em>name</em> --all</code></p>
<table summary="x"><tbody><tr><td><p>a</p></td><td>b</td></tr></tbody></table>
<p><img src="img/a.png" alt="A"></p></div>`;

test('pages that a pull made files of are in sync in a clone without a state, and an edit sends its page alone', async () => {
  world = await fakeWorld({ 'kbsync.yaml': 'content: docs\n' });
  const site = siteOf(world);
  for (const title of ['Install', 'Update'])
    await site.ask('PUT', '/api/v2/articles', {
      title,
      slug: title.toLowerCase(),
      content: TEXT,
      excerpt: '',
      ordering: 0,
      status: 'published',
      categories: [],
    });
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  await world.remove('.kbsync');
  const plan = await world.run('plan');
  expect(plan.stdout).toContain('in sync: 2 records unchanged');
  expect(plan.exit).toBe(0);
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  expect((await world.run('plan')).stdout).toContain('in sync: 2 records unchanged');
  // The text that the site shows is no edit of an editor afterwards either.
  const file = 'docs/en/articles/install.md';
  await world.write(file, (await world.read(file)).replace('questions', 'answers'));
  expect((await world.run('sync')).stdout).toContain('1 updated, 1 unchanged');
  expect((await world.run('plan')).stdout).toContain('in sync: 2 records unchanged');
});

test('another word in the file or on the site is a conflict there', async () => {
  world = await fakeWorld({ 'kbsync.yaml': 'content: docs\n' });
  const site = siteOf(world);
  const body = { slug: 'install', excerpt: '', ordering: 0, status: 'published', categories: [] };
  await site.ask('PUT', '/api/v2/articles', { ...body, title: 'Install', content: TEXT });
  expect(await world.run('pull')).toMatchObject({ exit: 0 });
  await world.remove('.kbsync');
  await site.edit('Install', (edited) => void (edited['content'] = TEXT.replace('questions', 'answers')));
  const plan = await world.run('plan');
  expect(plan.stdout).toContain('conflict  article/install@en  content');
});
