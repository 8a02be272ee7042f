import { expect, test } from 'vitest';
import type { PresetName } from '../../../src/content/presets/names.ts';
import { page } from '../support/support.ts';
import type { Loaded } from '../support/support.ts';
import { bodyOf, keysOf, loader } from './support/support.ts';

const LAYOUTS: readonly PresetName[] = [
  'hugo',
  'docusaurus',
  'mkdocs',
  'jekyll',
  'eleventy',
  'wiki',
  'plain',
];

test.each(LAYOUTS)('%s: a page that its front matter puts behind a password is no record', async (preset) => {
  const loaded = await loader(preset)({
    'a.md': page('title: A\npassword: hunter2', 'Secret.\n'),
    'b.md': page('title: B\nencrypted: true', 'Secret.\n'),
    'c.md': page('title: C\nencrypt: 1', 'Secret.\n'),
    'd.md': page("title: D\npassword: ''\nencrypted: false", 'Open.\n'),
    'e.md': page('title: E', 'Open.\n'),
  });
  expect(loaded.places).toEqual(['a', 'b', 'c'].map((name) => `content/${name}.md:1:1 locked-page`));
  expect(keysOf(loaded)).toEqual(['article/d@en', 'article/e@en']);
});

test('Hugo: a section gives its pages the password, one page may be open', async () => {
  const loaded = await loader('hugo')({
    'team/_index.md': page('title: Team\ncascade:\n  encrypted: true'),
    'team/a.md': page('title: A'),
    'team/b.md': page('title: B\nencrypted: false'),
  });
  expect(keysOf(loaded).filter((key) => key.startsWith('article'))).toEqual(['article/team/b@en']);
});

test('Mintlify: pages for groups of users are no records', async () => {
  const loaded = await loader('mintlify')({
    'docs.json': '{ "navigation": { "pages": ["open", "beta"] } }',
    'open.mdx': page('title: Open\ngroups: []'),
    'beta.mdx': page('title: Beta\ngroups: ["beta"]'),
  });
  expect(keysOf(loaded)).toEqual(['article/open@en']);
});

test('GitBook: pages for visitors of one kind are no records', async () => {
  const loaded = await loader('gitbook')({
    'SUMMARY.md': '* [Open](open.md)\n* [Beta](beta.md)\n',
    'open.md': page('icon: book', '# Open\n'),
    'beta.md': page('if: visitor.claims.unsigned.isBetaUser === true\nhidden: true', '# Beta\n'),
  });
  expect(keysOf(loaded)).toEqual(['article/open@en']);
  expect(loaded.places).toEqual(['content/beta.md:1:1 locked-page']);
});

test('Fern: only what names `everyone`, or a site without roles, is public', async () => {
  const entries = `
  - page: Plain
    path: plain.mdx
  - page: Staff
    path: staff.mdx
    viewers: [staff]
  - section: Team
    path: team.mdx
    viewers: [staff, everyone]
    contents:
      - page: Open
        path: open.mdx
      - page: Inner
        path: inner.mdx
        viewers: staff
  - section: Closed
    path: closed.mdx
    viewers: [staff]
    contents:
      - page: Never
        path: never.mdx
        viewers: [everyone]
      - folder: more
  - tab: inside
    layout:
      - page: Tab
        path: tab.mdx
`;
  const names = ['plain', 'staff', 'team', 'open', 'inner', 'closed', 'never', 'more/a', 'tab'];
  const site = (roles: string): Promise<Loaded> =>
    loader('fern')({
      'docs.yml': `${roles}tabs:\n  inside:\n    display-name: Inside\n    viewers: [staff]\nnavigation:${entries}`,
      ...Object.fromEntries(names.map((name) => [`${name}.mdx`, page(`title: ${name}`)])),
    });
  const told = await site('');
  expect(told.places).toEqual(
    ['closed', 'inner', 'more/a', 'never', 'staff', 'tab'].map(
      (name) => `content/${name}.mdx:1:1 locked-page`,
    ),
  );
  expect(keysOf(told)).toEqual(['article/open@en', 'article/plain@en', 'category/team@en']);
  expect(keysOf(await site('roles: [everyone, staff]\n'))).toEqual(['article/open@en', 'category/team@en']);
});

test('Fern: a product of one role is no category', async () => {
  const loaded = await loader('fern')({
    'docs.yml':
      'products:\n  - display-name: Open\n    path: a.yml\n  - display-name: Secret\n    path: b.yml\n    viewers: [staff]\n',
    'a.yml': 'navigation:\n  - page: A\n    path: a.mdx\n',
    'b.yml': 'navigation:\n  - page: B\n    path: b.mdx\n',
    'a.mdx': 'A.\n',
    'b.mdx': 'B.\n',
  });
  expect(keysOf(loaded)).toEqual(['article/a@en', 'category/open@en']);
});

test('parts for some readers are left out and named, also where all else is kept', async () => {
  const components = { '*': 'keep' } as const;
  const fern = await loader('fern')(
    {
      'a.mdx':
        'Open.\n\n<If roles={["admins"]}>\nSecret.\n</If>\n\n<If roles="admins">\nSecret.\n</If>\n\n<If roles={["everyone"]}>\nAll.\n</If>\n',
    },
    { components },
  );
  expect(bodyOf(fern, 'a')).toBe('<p>Open.</p>\n<p>All.</p>');
  expect(fern.places).toEqual(['content/a.mdx:3:1 unknown-component', 'content/a.mdx:7:1 unknown-component']);
  const gitbook = await loader('gitbook')(
    { 'a.md': '# A\n\nOpen.\n\n{% if visitor.claims.beta %}\nSecret.\n{% endif %}\n\nEnd.\n' },
    { components },
  );
  expect(bodyOf(gitbook, 'a')).toBe('<p>Open.</p>\n<p>End.</p>');
  expect(gitbook.places).toEqual(['content/a.md:5:1 unknown-component']);
  const hugo = await loader('hugo')(
    { 'a.md': page('title: A', 'Open.\n\n{{% hugo-encrypt "x" %}}\nSecret.\n{{% /hugo-encrypt %}}\n') },
    { components },
  );
  expect(bodyOf(hugo, 'a')).toBe('<p>Open.</p>');
  const ruled = await loader('fern')(
    { 'a.mdx': '<If roles={["admins"]}>\nSaid.\n</If>\n' },
    { components: { If: 'keep' } },
  );
  expect(bodyOf(ruled, 'a')).toBe('<p>Said.</p>');
});
