import { afterEach, expect, test } from 'vitest';
import { fakeWorld } from '../../cli/support/fake-world.ts';
import type { FakeWorld } from '../../cli/support/fake-world.ts';
import { siteOf } from '../../cli/support/site.ts';

let world: FakeWorld;
afterEach(() => world.close());

const PAGE = '---\ntitle: Refunds\n---\n\nIn 10 days.\n';

interface Case {
  readonly settings: string;
  readonly files: Readonly<Record<string, string>>;
  /** The file that says the name. */
  readonly says: string;
  readonly before: string;
  readonly after: string;
}

/** The same name stands elsewhere too: as the title of a site, in a comment, in a path. */
const CASES: Readonly<Record<string, Case>> = {
  docusaurus: {
    settings: 'preset: docusaurus\ncontent: docs\n',
    files: { 'docs/billing/refunds.md': PAGE },
    says: 'docs/billing/_category_.json',
    before: '{\r\n  "label": "Billing", \r\n  "position": 2\r\n}\r\n',
    after: '{\r\n  "label": "Money & \\"more\\"", \r\n  "position": 2\r\n}\r\n',
  },
  mkdocs: {
    settings: 'preset: mkdocs\ncontent: docs\n',
    files: { 'docs/billing/refunds.md': PAGE },
    says: 'mkdocs.yml',
    before: 'site_name: Billing\nnav:\n  - Billing:   # Billing\n    - billing/refunds.md\n',
    after: 'site_name: Billing\nnav:\n  - Money & "more":   # Billing\n    - billing/refunds.md\n',
  },
  nextra: {
    settings: 'preset: nextra\ncontent: content\n',
    files: { 'content/billing/refunds.mdx': PAGE },
    says: 'content/_meta.js',
    before: "export default {\n  index: 'Start',\n  billing: 'Billing', // 'Billing'\n}\n",
    after: `export default {\n  index: 'Start',\n  billing: 'Money & "more"', // 'Billing'\n}\n`,
  },
};

test.each(Object.entries(CASES))(
  '%s: a category that an editor gives another name comes home where its name stands',
  async (_, { settings, files, says, before, after }) => {
    world = await fakeWorld({ ...files, [says]: before });
    await world.write('kbsync.yaml', `${settings}id: docs\n`);
    expect(await world.run('sync')).toMatchObject({ exit: 0 });
    const site = siteOf(world);
    const { data } = (await site.ask('GET', '/api/v2/categories')) as {
      data: { id: string; name: string }[];
    };
    const billing = data.find(({ name }) => name === 'Billing')?.id ?? '';
    const { data: shown } = (await site.ask('GET', `/api/v2/categories/${billing}`)) as {
      data: { slug: string; order_by: number };
    };
    const name = 'Money & "more"';
    const body = { name, slug: shown.slug, priority: shown.order_by, lang: 'en' };
    await site.ask('POST', `/api/v2/categories/${billing}`, body);
    const dry = await world.run('pull', '--dry-run');
    expect([dry.exit, dry.stdout]).toEqual([0, expect.stringContaining(`~ ${says}  name\n`)]);
    expect(await world.read(says)).toBe(before);
    expect(await world.run('pull')).toMatchObject({ exit: 0 });
    expect(await world.read(says)).toBe(after);
    expect((await world.run('sync')).stdout).toContain('in sync');
  },
);

test('where a page of MkDocs has keys without YAML, none is written above them', async () => {
  const before = 'description: What it is\n\n# Refunds\n\nIn 10 days.\n';
  world = await fakeWorld({ 'mkdocs.yml': 'site_name: X\n', 'docs/refunds.md': before });
  await world.write('kbsync.yaml', 'preset: mkdocs\ncontent: docs\nid: docs\n');
  expect(await world.run('sync')).toMatchObject({ exit: 0 });
  await siteOf(world).edit('Refunds', (body) => {
    body['status'] = 'draft';
  });
  await world.run('pull');
  expect(await world.read('docs/refunds.md')).toBe(before);
});
