import { afterEach, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

const page = (title: string): string => `---\ntitle: ${title}\n---\n\nText.\n`;

/** Docusaurus from the repository's root: the pages are in `docs/`, and sidebars name them from there. */
const SITE: Readonly<Record<string, string>> = {
  'kbsync.yaml': 'baseUrl: https://help.acme.test\npreset: docusaurus\ncontent: .\nlanguages: { de: de }\n',
  'docusaurus.config.js': `module.exports = {
  title: 'Acme', url: 'https://acme.test', baseUrl: '/',
  i18n: { defaultLocale: 'en', locales: ['en', 'de'] },
  presets: [['classic', { docs: { sidebarPath: require.resolve('./sidebars.js') } }]],
  plugins: [['@docusaurus/plugin-content-docs', { id: 'team', path: 'team', routeBasePath: 'team', sidebarPath: require.resolve('./team-sidebars.js') }]],
};
`,
  'sidebars.js': `module.exports = {
  docs: [
    'intro', // the intro
    { type: 'category', label: 'Run it', items: ['run/start', { type: 'doc', id: 'run/stop' }] },
    { type: 'category', label: 'Wallets', items: ['wallet/send', 'wallet/receive'] },
  ],
};
`,
  'team-sidebars.js': `module.exports = { team: ['run/stop', 'run/start'] };
`,
  'docs/intro.md': page('Intro'),
  'docs/run/start.md': page('Start'),
  'docs/run/stop.md': page('Stop'),
  'docs/wallet/send.md': page('Send'),
  'docs/wallet/receive.md': page('Receive'),
  'i18n/de/docusaurus-plugin-content-docs/current/run/stop.md': page('Halt'),
  'team/run/start.md': page('Team start'),
  'team/run/stop.md': page('Team stop'),
};

async function moved(from: string, to: string): Promise<void> {
  world = await fakeWorld(SITE);
  expect((await world.run('sync', '--quiet')).exit).toBe(0);
  expect(await world.run('mv', from, to)).toMatchObject({ exit: 0 });
}

test('a page keeps its place in sidebars that name it from the folder of the docs; another folder’s page of that path stays', async () => {
  await moved('docs/run/stop.md', 'docs/run/halt.md');
  expect(await world.read('sidebars.js')).toBe(
    SITE['sidebars.js']?.replace(`id: 'run/stop'`, `id: 'run/halt'`),
  );
  expect(await world.read('team-sidebars.js')).toBe(SITE['team-sidebars.js']);
  const { changes } = JSON.parse((await world.run('plan', '--json')).stdout) as {
    changes: readonly { key: string; fields: readonly { field: string }[] }[];
  };
  expect(changes.map(({ key, fields }) => `${key} ${fields.map(({ field }) => field).join(' ')}`)).toEqual([
    'article/run/halt@en slug',
    'article/run/halt@de slug',
  ]);
});

test('a folder keeps the places of its pages, and a page beside no folder keeps its own', async () => {
  await moved('docs/wallet', 'docs/purse');
  expect(await world.read('sidebars.js')).toBe(SITE['sidebars.js']?.replaceAll("'wallet/", "'purse/"));
  expect(await world.read('kbsync.yaml')).toContain('{ from: "wallet/**", to: "purse/**" }');
  expect(await world.run('mv', 'docs/intro.md', 'docs/welcome.md')).toMatchObject({ exit: 0 });
  expect(await world.read('sidebars.js')).toContain(`'welcome', // the intro`);
});

test('a folder inside a folder is one line of kbsync.yaml, and its pages without front matter stay without', async () => {
  world = await fakeWorld({
    ...SITE,
    'docs/run/deep/one.md': '# One\n\nText.\n',
    'docs/run/deep/two.md': page('Two'),
  });
  expect((await world.run('sync', '--quiet')).exit).toBe(0);
  const ran = await world.run('mv', 'docs/run/deep', 'docs/run/low');
  // Paths as everything else names them, also if the content folder is this one.
  expect([ran.exit, ran.stdout]).toEqual([0, expect.stringMatching(/^docs\/run\/deep\/one\.md /)]);
  expect(await world.read('kbsync.yaml')).toContain('{ from: "run/deep/**", to: "run/low/**" }');
  expect(await world.read('docs/run/low/one.md')).toBe('# One\n\nText.\n');
  expect((await world.run('plan')).stdout).toContain('article/run/deep/one@en → article/run/low/one@en');
});

test('a page is not moved to the name that it has', async () => {
  world = await fakeWorld(SITE);
  const { exit, stderr } = await world.run('mv', 'docs/intro.md', 'docs/intro.md');
  expect([exit, stderr]).toEqual([4, expect.stringContaining('docs/intro.md has this name already')]);
});

test('a page that is named as plans name it is found', async () => {
  world = await fakeWorld(SITE);
  const { exit, stderr } = await world.run('mv', 'run/stop', 'run/halt');
  expect([exit, stderr]).toEqual([4, expect.stringContaining('did you mean docs/run/stop.md?')]);
});
