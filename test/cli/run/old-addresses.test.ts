import { afterEach, expect, test } from 'vitest';
import { png } from '../../service/support/pictures.ts';
import { liveWorld, type LiveWorld, ranIn } from '../support/live-world.ts';

const FAX = 'content/en/articles/fax.md';
const DRAFT = 'content/en/articles/plan.md';
const page = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\n\nText of ${title}.\n`;
const FILES = {
  'kbsync.yaml': 'baseUrl: https://help.acme.test\n',
  [FAX]: page('Fax'),
  [DRAFT]: page('Plan', 'status: draft\n'),
};

let world: LiveWorld;
afterEach(() => world.close());

const run = (...argv: readonly string[]) => ranIn(world, ...argv);
const renamed = async (options: { readonly redirects?: boolean } = {}): Promise<void> => {
  world = await liveWorld(FILES, options);
  expect((await run('sync', '--yes')).code).toBe(0);
  await world.write(FAX, page('Fax', 'slug: telefax\n'));
  await world.write(DRAFT, page('Plan', 'status: draft\nslug: plans\n'));
};

test('a plan says of a slug that changes whether its address still leads to the page; a draft had none', async () => {
  await renamed({ redirects: true });
  const { text } = await run('plan');
  expect(text).toContain('slug fax → telefax (old address redirects)');
  expect(text.match(/old address/g)).toHaveLength(1);
});

test('on a service that does not say so, it names the flag that keeps the address', async () => {
  await renamed();
  expect((await run('plan')).text).toContain(
    'address   1 old address will be dead; --redirects FILE saves where it should lead',
  );
  expect((await run('plan', '--redirects', 'moved.csv')).text).not.toContain('old address');
});

test.each([[true], [false]])(
  'init leaves `assets` out if the service keeps files (%s)',
  async (keepsFiles) => {
    world = await liveWorld(
      { 'mkdocs.yml': 'site_url: https://acme.dev/\n', 'docs/a.md': '# A\n', 'docs/a.png': png(2, 2) },
      { keepsFiles },
    );
    expect((await run('init', '--base-url', 'https://help.acme.test')).code).toBe(0);
    const text = await world.read('kbsync.yaml');
    expect(/^assets:/m.test(text)).toBe(!keepsFiles);
    expect(text.includes('This service keeps images and files itself')).toBe(keepsFiles);
    expect(world.sent.map((request) => request.text)).toEqual(['GET /api/v2/versions']);
  },
);
