import { expect, test } from 'vitest';
import { loader } from '../../support/support.ts';

const plain = loader('plain');

const page = (keys: string): string => `+++\n${keys}\n+++\n\nText.\n`;

const FILES = {
  'a.md': page('title = "A"'),
  'b.md': page('title = "B"\nrender = false'),
  'c.md': page('title = "C"\ndraft = true'),
  'soon/_index.md': page('title = "Soon"\ndraft = true'),
  'soon/d.md': page('title = "D"'),
  'soon/part/_index.md': page('title = "Part"'),
  'soon/part/e.fr.md': page('title = "E"'),
  'data/_index.md': page('title = "Data"\nrender = false'),
  'data/f.md': page('title = "F"'),
};

test('Zola publishes no page that it does not render, and nothing of a section that is a draft', async () => {
  const statuses = (loaded: Awaited<ReturnType<typeof plain>>) =>
    Object.fromEntries(
      [...loaded.records.values()]
        .filter(({ kind }) => kind === 'article')
        .map(({ at, fields }) => [at.file.replace('content/', ''), fields['status'] ?? 'published']),
    );
  const zola = await plain({ ...FILES, '../config.toml': 'base_url = "https://docs.example"\n' });
  expect(statuses(zola)).toEqual({
    'a.md': 'published',
    'c.md': 'draft',
    'soon/d.md': 'draft',
    'soon/part/e.fr.md': 'draft',
    'data/f.md': 'published',
  });
  const other = await plain(FILES);
  expect(statuses(other)).toMatchObject({ 'b.md': 'published', 'soon/d.md': 'published' });
});

test('a folder far below the content of Zola is read by the same rules, and by the sections above it', async () => {
  const settings = { '../config.toml': 'base_url = "https://docs.example"\n' };
  const files = { ...settings, 'x/docs/a.md': FILES['a.md'], 'x/docs/b.md': FILES['b.md'] };
  const statuses = async (more: Record<string, string>) => {
    const { records } = await plain({ ...files, ...more }, { contentDir: 'content/x/docs' });
    return [...records.values()]
      .filter(({ kind }) => kind === 'article')
      .map(({ fields }) => fields['status'] ?? 'published');
  };
  expect(await statuses({})).toEqual(['published']);
  expect(await statuses({ 'x/_index.md': page('title = "X"\ndraft = true') })).toEqual(['draft']);
  // What lies beside the settings is no part of Zola's content.
  expect(await statuses({ '../_index.md': page('title = "Other"\ndraft = true') })).toEqual(['published']);
});
