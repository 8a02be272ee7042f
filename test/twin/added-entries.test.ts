import { expect, test } from 'vitest';
import type { Machine } from './support/machine.ts';
import { createRepository } from './support/repository.ts';
import type { Repository } from './support/repository.ts';
import type { Habit } from './support/service/habit.ts';
import { createStage } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

/** A rule of a help desk that gives each article a tag. */
const LABELS: Habit = {
  stores: (value, field, _, { rows }) => {
    const tag = rows.find(({ kind, createdBy }) => kind === 'tag' && createdBy === 'editor');
    return field === 'tags' && Array.isArray(value) && tag !== undefined
      ? [...new Set([...(value as readonly string[]), tag.id])]
      : value;
  },
};

const WORDS = 'the service adds tags of its own to those that it is sent';

interface Desk {
  readonly stage: Stage;
  readonly files: Repository;
  readonly laptop: Machine;
}

/** Plays with articles that have these tags, over a desk that gives each the tag Misc. */
async function overDesk(
  tags: Readonly<Record<string, readonly string[]>>,
  life: (desk: Desk) => Promise<void>,
): Promise<void> {
  const stage = await createStage([LABELS], 1);
  try {
    stage.editor.create('tag', 'Misc', 'misc');
    const files = createRepository('A');
    files.add('en/tags/cli', 'Cli');
    for (const [name, its] of Object.entries(tags)) files.add(`en/articles/${name}`, name, { tags: its });
    await life({ stage, files, laptop: stage.machine('laptop', files) });
    expect([...stage.faults, ...stage.stops]).toEqual([]);
  } finally {
    await stage.close();
  }
}

test('a tag that the service gives each article is no edit of the site, and edits of tags get through', () =>
  overDesk({ install: ['cli'], plain: [] }, async ({ stage, files, laptop }) => {
    const first = await stage.run(laptop);
    expect(first.said).toMatch(new RegExp(`lost article/\\w+@en, article/\\w+@en: ${WORDS}`));
    expect((await stage.run(laptop)).said).toContain('in sync');
    stage.step('edit');
    files.retitle('en/articles/install', { fields: { tags: [] } });
    files.retitle('en/articles/plain', { fields: { tags: ['cli'] } });
    expect((await stage.run(laptop)).said).toContain('2 updated');
    expect((await stage.run(laptop)).said).toContain('in sync');
    stage.step('one more page');
    files.add('en/articles/later', 'Later', { tags: ['cli'] });
    expect((await stage.run(laptop)).said).toContain(`article/later@en: ${WORDS}`);
    expect((await stage.run(laptop)).said).toContain('in sync');
    stage.step('prune');
    files.remove('en/articles/install');
    expect((await stage.run(laptop, ['sync', '--yes', '--prune'])).said).toContain('1 deleted');
  }));

test('what one article alone shows may be the work of an editor: it is told as drift', () =>
  overDesk({ install: ['cli'] }, async ({ stage, laptop }) => {
    expect((await stage.run(laptop)).said).not.toContain(WORDS);
    expect((await stage.run(laptop)).said).toMatch(/drift article\/install@en tags/);
  }));

test('an editor who adds another tag is told', () =>
  overDesk({ install: [], plain: [] }, async ({ stage, files, laptop }) => {
    expect((await stage.run(laptop)).said).toContain(WORDS);
    const [row, tag] = [stage.row(files, 'en/articles/install'), stage.row(files, 'en/tags/cli')];
    if (row === undefined || tag === undefined) throw new Error('test: no record');
    stage.editor.set(row, { tags: [tag.id] });
    expect((await stage.run(laptop)).said).toMatch(/drift article\/install@en tags/);
  }));

/** Tags are only ever added. */
const KEEPS_TAGS: Habit = {
  stores: (value, field, _, { row }) =>
    field === 'tags' && Array.isArray(value)
      ? [...new Set([...(value as readonly string[]), ...((row?.stored['tags'] ?? []) as readonly string[])])]
      : value,
};

test('a tag that the file took out and that the service keeps is told as drift, and not as one of the service', async () => {
  const stage = await createStage([KEEPS_TAGS], 1);
  try {
    const files = createRepository('A');
    const places = ['en/articles/install', 'en/articles/plain'];
    for (const tag of ['Cli', 'Web']) files.add(`en/tags/${tag.toLowerCase()}`, tag);
    for (const place of places) files.add(place, place, { tags: ['cli'] });
    const laptop = stage.machine('laptop', files);
    await stage.settle(laptop);
    stage.step('other tags');
    for (const place of places) files.retitle(place, { fields: { tags: ['web'] } });
    expect((await stage.run(laptop)).said).not.toContain(WORDS);
    expect((await stage.run(laptop)).said).toMatch(/drift article\/install@en tags/);
    expect(stage.faults).toEqual([]);
  } finally {
    await stage.close();
  }
});
