import { afterEach, describe, expect, test } from 'vitest';
import { knowledgeOf } from '../../support/knowledge.ts';
import { fakeWorld, SMALL, type FakeWorld } from '../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

const text = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\n\nText of ${title}.\n`;
const FAX = 'content/en/articles/billing/fax.md';
const FAX_FR = 'content/fr/articles/billing/fax.md';
const NEW = 'content/en/articles/legacy/telefax.md';
const NEW_FR = 'content/fr/articles/legacy/telefax.md';
const FILES = { ...SMALL, [FAX]: text('Fax'), [FAX_FR]: text('Télécopie') };

/** Titles with their ids, as the service holds them. */
async function ids(): Promise<Readonly<Record<string, string>>> {
  const rows = await knowledgeOf(world.service.store);
  return Object.fromEntries(rows.map(({ name, id }) => [name, id]));
}

/** Renames the article in both languages; path, slug, title and text are all new. */
async function renamed(more = ''): Promise<void> {
  await world.remove(FAX);
  await world.remove(FAX_FR);
  await world.write(NEW, text('Telefax', more));
  await world.write(NEW_FR, text('Le télécopieur'));
}

async function synced(): Promise<Readonly<Record<string, string>>> {
  world = await fakeWorld(FILES);
  await world.write('kbsync.yaml', 'id: docs\n');
  expect((await world.run('sync')).exit).toBe(0);
  return ids();
}

describe('a renamed file keeps its record and its translations', () => {
  const ways = {
    'by movedFrom in front matter': ['movedFrom: billing/fax\n', ''],
    'by movedFrom with the kind, as messages write it': ['movedFrom: article/billing/fax\n', ''],
    'by a list in front matter': ['movedFrom: [other, billing/fax]\n', ''],
    'by a line in kbsync.yaml': ['', 'moved: [{ from: billing/fax, to: legacy/telefax }]\n'],
    'by lines that follow one another': [
      '',
      'moved: [{ from: billing/fax, to: a/b }, { from: article/a/b, to: article/legacy/telefax }]\n',
    ],
    'by a line and front matter together': [
      'movedFrom: a/b\n',
      'moved: [{ from: billing/**, to: a/** }, { from: a/fax, to: a/b }]\n',
    ],
  } as const;
  for (const [how, [matter, config]] of Object.entries(ways)) {
    for (const hasState of [true, false]) {
      test(`${how}, ${hasState ? 'with' : 'without'} a state`, async () => {
        const before = await synced();
        await renamed(matter);
        await world.write('kbsync.yaml', `id: docs\n${config}`);
        if (!hasState) await world.remove('.kbsync/state.json');
        const plan = await world.run('plan', '--prune');
        expect(plan.stdout).not.toMatch(/[1-9]\d* (?:create|delete)/);
        const line = 'article/billing/fax@fr → article/legacy/telefax@fr';
        expect(plan.stdout.includes(line)).toBe(hasState);
        const sync = await world.run('sync', '--prune', '--yes');
        expect(`${sync.exit} ${sync.stderr}`).toMatch(/^0 /);
        const after = await ids();
        expect(after['Telefax']).toBe(before['Fax']);
        expect(after['Le télécopieur']).toBe(before['Télécopie']);
        expect(Object.keys(after).length).toBe(Object.keys(before).length);
        // Said once more, it moves nothing.
        const again = await world.run('plan', '--prune', '--exit-code');
        expect([again.exit, again.stdout.includes('moved')]).toEqual([0, false]);
      });
    }
  }
});

describe('what cannot be meant is an error, and nothing is sent', () => {
  const cases = {
    'an old name that still has a file': [
      { [NEW]: text('Telefax', 'movedFrom: billing/fax\n') },
      '',
      '`billing/fax` still has a file, content/en/articles/billing/fax.md, so its record stays there; delete or rename that file, or take this line out',
    ],
    'two files that claim one name': [
      {
        [NEW]: text('Telefax', 'movedFrom: gone\n'),
        'content/en/articles/z.md': text('Z', 'movedFrom: gone\n'),
      },
      '',
      'content/en/articles/legacy/telefax.md claims `gone` too, and a record can go to one file only; take one of the two lines out',
    ],
    'a circle': [
      {},
      'moved:\n  - { from: a/b, to: billing/fax }\n  # and back\n  - { from: billing/fax, to: a/b }\n',
      'kbsync.yaml:5:5: error wrong-move: the line from `billing/fax` to `a/b` closes a circle',
    ],
    'a file that comes from itself': [
      { [NEW]: text('Telefax', 'movedFrom: legacy/telefax\n') },
      '',
      '`legacy/telefax` is the name that the file has now; `movedFrom` takes the name that it had before',
    ],
    'no path': [
      { [NEW]: text('Telefax', 'movedFrom: [a, "b@en"]\n') },
      '',
      '`movedFrom` must be the path that the record had before, or a list of paths, without `@`',
    ],
  } as const;
  test.each(Object.entries(cases))('%s', async (_, [files, config, words]) => {
    world = await fakeWorld({ ...FILES, ...files });
    await world.write('kbsync.yaml', `id: docs\n${config}`);
    const { exit, stdout, stderr } = await world.run('check');
    expect(exit).toBe(1);
    expect(`${stdout}${stderr}`).toContain(words);
  });

  test('a line of kbsync.yaml that names a file, or a folder and a record', async () => {
    world = await fakeWorld(FILES);
    for (const line of [
      '{ from: billing/*, to: a }',
      '{ from: billing/**, to: a }',
      '{ form: a, to: b }',
      '{ from: /a, to: b }',
    ]) {
      await world.write('kbsync.yaml', `moved: [${line}]\n`);
      expect([line, (await world.run('check')).exit]).toEqual([line, 64]);
    }
  });
});
