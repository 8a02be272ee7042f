import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { knowledgeOf } from '../../../support/knowledge.ts';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf, type Site } from '../../support/site.ts';

const FILES: Readonly<Record<string, string>> = {
  ...SMALL,
  'content/en/articles/update.md': '---\ntitle: Update\ncategories: [start]\n---\n\nEach month.\n',
};

let world: FakeWorld;
let site: Site;
beforeEach(async () => {
  world = await fakeWorld(FILES);
  site = siteOf(world);
  await ran('sync');
});
afterEach(() => world.close());

/** Runs a command a second later, and wants it to end well. */
async function ran(...argv: readonly string[]): Promise<string> {
  world.advance(1000);
  const { exit, stdout, stderr } = await world.run(...argv);
  if (exit !== 0) throw new Error(`${exit}: ${stdout}${stderr}`);
  return stdout;
}

interface Listed {
  readonly run: string;
  readonly command: string;
  readonly undoes?: string;
  readonly summary: Readonly<Record<string, number>>;
}

async function runs(): Promise<readonly Listed[]> {
  return (JSON.parse(await ran('log', '--json')) as { runs: readonly Listed[] }).runs;
}

const lastRun = async (): Promise<string> => (await runs()).at(-1)?.run ?? '';

/** Everything the service holds, without ids and dates. */
async function held(): Promise<readonly string[]> {
  const rows = await knowledgeOf(world.service.store);
  return rows
    .map(({ kind, lang, name, slug, status, text, refs }) =>
      JSON.stringify([kind, lang, name, slug, status, text, refs]),
    )
    .sort();
}

const INSTALL = 'content/en/articles/install.md';
const INSTALL_FR = 'content/fr/articles/install.md';
const edited = (file: string, from: string, to: string): Promise<void> =>
  world.write(file, (FILES[file] ?? '').replace(from, to));
const writes = () => world.sent.filter((request) => !request.startsWith('GET'));

describe('log', () => {
  test('lists each run that wrote, with who and what; a run that wrote nothing leaves none', async () => {
    await ran('sync');
    const [first, ...more] = await runs();
    expect(more).toEqual([]);
    expect(first).toMatchObject({ command: 'sync', summary: { created: 5, updated: 0, deleted: 0 } });
    world.env['GITHUB_ACTOR'] = 'mona';
    await edited(INSTALL, 'your machine', 'any machine');
    await ran('sync');
    expect(await ran('log')).toMatch(/^\S+ +just now +mona +sync +\+0 ~1 -0\n\S+ +.*\+5 ~0 -0\n$/);
  });

  test('calls a category by its name, also one that the article was not in before', async () => {
    await world.write('content/en/categories/more.md', '---\nname: Much more\n---\n');
    await edited('content/en/articles/update.md', '[start]', '[start, more]');
    await ran('sync');
    expect(await ran('log', 'last', '--diff')).toMatch(
      /categories: (\S+) → (?:\1, Much more|Much more, \1)\n/,
    );
  });

  test('shows what one run changed, before and after, without a request and without a key', async () => {
    await edited(INSTALL, 'your machine', 'any machine');
    await edited(INSTALL_FR, 'Installer', 'Mettre en place');
    await ran('sync');
    const run = await lastRun();
    delete world.env['KBSYNC_API_KEY'];
    world.sent.length = 0;
    const shown = await ran('log', run, '--diff');
    expect(shown).toContain('~ article/install@en  content\n');
    expect(shown).toContain('content: <p>Run it on your machine.</p> → <p>Run it on any machine.</p>');
    expect(shown).toContain('title: Installer → Mettre en place');
    const [one] = (
      JSON.parse(await ran('log', run, 'article/install@fr', '--json', '--diff')) as {
        records: readonly object[];
      }
    ).records;
    expect(one).toMatchObject({
      action: 'updated',
      fields: [{ field: 'title', before: 'Installer', after: 'Mettre en place' }],
    });
    expect(world.sent).toEqual([]);
    expect((await world.run('log', 'nothing')).exit).toBe(64);
    expect((await world.run('log', run, 'article/update@en')).stderr).toContain('did not write');
  });
});

describe('undo of an update', () => {
  beforeEach(async () => {
    await edited(INSTALL, 'your machine', 'any machine');
    await edited(INSTALL_FR, 'Lancez-le', 'Lancez');
  });

  test('puts every field back, and the next sync leaves that alone as an edit of the site', async () => {
    const before = await held();
    await ran('sync');
    world.sent.length = 0;
    const dry = await ran('undo', '--dry-run');
    expect(dry).toContain('article/install@en  would be put back: content\n');
    expect(writes()).toEqual([]);
    const { exit, stdout, stderr } = await world.run('undo');
    expect(stdout).toMatch(/^article\/install@en {2}put back: content\n/);
    expect(stdout).toMatch(/2 records taken back\n$/);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('drift')]);
    expect(await held()).toEqual(before);
    expect(await ran('sync')).toContain('on the site; left alone');
    expect(await held()).toEqual(before);
  });

  test('is an edit of the site to a fresh clone too, by the stamp', async () => {
    const before = await held();
    await ran('sync');
    await ran('undo');
    await world.remove('.kbsync');
    const { stdout } = await world.run('sync');
    expect(stdout).toContain('left alone');
    expect(await held()).toEqual(before);
  });

  test('is in sync once the files say the same again', async () => {
    await ran('sync');
    await ran('undo');
    for (const file of [INSTALL, INSTALL_FR]) await world.write(file, FILES[file] ?? '');
    expect(await ran('sync')).toContain('in sync');
  });

  test('can itself be taken back, and taking back again goes one run further', async () => {
    const before = await held();
    await ran('sync');
    const after = await held();
    await ran('undo');
    const undoRun = await lastRun();
    await ran('undo', undoRun);
    expect(await held()).toEqual(after);
    expect(await ran('sync')).toContain('in sync');
    await ran('undo', await lastRun());
    expect(await held()).toEqual(before);
    const listed = await ran('log');
    expect(listed).toContain(`undo of ${undoRun}`);
    expect(listed).toContain('taken back by');
  });

  test('leaves a record alone that an editor changed since, and takes the others back', async () => {
    await ran('sync');
    await site.edit('Install', (body) => (body['content'] = '<p>Mine.</p>'));
    const { exit, stdout } = await world.run('undo');
    expect(stdout).toContain('article/install@en  left alone: changed since: content\n');
    expect(stdout).toContain('article/install@fr  put back: ');
    expect(exit).toBe(3);
  });

  test('leaves a record alone that a later run wrote, and names that run', async () => {
    await ran('sync');
    const first = await lastRun();
    await edited(INSTALL, 'your machine', 'every machine');
    await ran('sync');
    const later = await lastRun();
    const { exit, stdout } = await world.run('undo', first);
    expect(stdout).toContain(`changed since: content (the run ${later} wrote it)`);
    expect(exit).toBe(3);
  });

  test('keeps what an editor wrote in other fields', async () => {
    await ran('sync');
    await site.edit('Install', (body) => (body['title'] = 'Set up'));
    await ran('undo', await lastRun(), 'article/install@en');
    expect(await held()).toContainEqual(expect.stringMatching(/"Set up".*your machine/));
  });

  test('takes back only the named records', async () => {
    await ran('sync');
    await ran('undo', await lastRun(), 'article/install@fr');
    expect((await held()).join('\n')).toMatch(/any machine/);
    expect((await held()).join('\n')).toMatch(/Lancez-le/);
    expect((await world.run('undo', await lastRun(), 'article/nowhere@en')).exit).toBe(64);
  });
});

describe('undo of a run that created', () => {
  const NEW = 'content/en/articles/renew.md';
  beforeEach(async () => {
    await world.write(
      NEW,
      '---\ntitle: Renew\nstatus: published\ncategories: [start, later]\n---\n\nEach year.\n',
    );
    await world.write('content/en/categories/later.md', '---\nname: Later\n---\n');
    await ran('sync');
  });

  test('makes drafts of articles; a category stays and is named', async () => {
    const { exit, stdout } = await world.run('undo');
    expect(stdout).toContain('article/renew@en  is a draft now\n');
    expect(stdout).toContain(
      'category/later@en  left alone: a category cannot be a draft; --prune deletes it',
    );
    expect(exit).toBe(3);
    expect(await held()).toContainEqual(expect.stringContaining('"Renew","renew","draft"'));
    expect(await ran('sync')).toContain('left alone');
  });

  test('says that a sync does not publish a draft again whose file has no status', async () => {
    world.advance(1000);
    const { stderr } = await world.run('undo');
    expect(stderr).toContain('the files still say what the run sent');
    expect(stderr).not.toContain('no `status`');
    await world.write(
      'content/en/articles/plain.md',
      '---\ntitle: Plain\ncategories: [start]\n---\n\nText.\n',
    );
    await ran('sync');
    world.advance(1000);
    const silent = await world.run('undo');
    expect(silent.stdout).toContain('article/plain@en  is a draft now\n');
    expect(silent.stderr).toContain(
      'the file of 1 draft has no `status`, so kbsync sync does not publish it again; kbsync undo last does',
    );
    expect(silent.stderr).not.toContain('the files still say what the run sent');
    await ran('sync');
    expect(await held()).toContainEqual(expect.stringContaining('"Plain","plain","draft"'));
    await ran('undo', 'last');
    expect(await held()).toContainEqual(expect.stringContaining('"Plain","plain","published"'));
  });

  test('deletes them with --prune, keeps a copy of each, and that can be taken back', async () => {
    const after = await held();
    const out = await ran('undo', '--prune');
    expect(out).toContain('article/renew@en  deleted, as the run created it');
    expect(out).toContain('category/later@en  deleted, as the run created it');
    expect((await held()).length).toBe(after.length - 2);
    await ran('undo', await lastRun());
    expect(await held()).toEqual(after);
  });

  test('leaves an article alone that was edited since, with and without --prune', async () => {
    await site.edit('Renew', (body) => (body['title'] = 'Mine'));
    expect((await world.run('undo')).stdout).toContain('article/renew@en  left alone: title changed since');
    const { exit, stdout } = await world.run('undo', '--prune');
    expect(stdout).toContain('article/renew@en  left alone: changed since: title');
    expect(exit).toBe(5); // the delete that was asked for waits
    expect(await held()).toContainEqual(expect.stringContaining('"Mine"'));
  });
});

test('undo of a run that deleted makes the records again, as restore does', async () => {
  const before = await held();
  for (const file of [INSTALL, INSTALL_FR]) await world.remove(file);
  await ran('sync', '--prune', '--yes', '--allow-vanished', '--allow-scope-change');
  const out = await ran('undo');
  expect(out).toContain('article/install@fr  made again\narticle/install@en  made again\n');
  expect(await held()).toEqual(before);
});

test('the history is bounded, and doctor says how far it goes', async () => {
  await world.write('kbsync.yaml', 'history: { runs: 2 }\n');
  for (const word of ['one', 'two', 'three']) {
    await edited(INSTALL, 'your machine', word);
    await ran('sync');
  }
  expect((await runs()).map(({ summary }) => summary['updated'])).toEqual([1, 1]);
  expect((await world.run('doctor')).stdout).toMatch(
    /history +2 runs, 0\.0 MB; kbsync keeps 2 runs and 200\.0 MB at most/,
  );
  await world.write('kbsync.yaml', 'history: { runs: 0 }\n');
  await edited(INSTALL, 'your machine', 'four');
  await ran('sync');
  expect((await runs()).length).toBe(2);
  expect((await world.run('doctor')).stdout).toMatch(/history +off/);
});

test('a folder without a history says so', async () => {
  await world.remove('.kbsync/history');
  expect(await ran('log')).toBe('no run of this machine has written anything yet\n');
  const { exit, stderr } = await world.run('undo');
  expect(exit).toBe(64);
  expect(stderr).toContain('there is no run to take back');
  expect((await world.run('undo', '2026-11-20T10-41-32-000Z')).exit).toBe(64);
});

test('a record that is made again without a file is said to be so, no prune takes it, and pull gives it a file', async () => {
  const file = 'content/en/articles/update.md';
  await world.remove(file);
  await ran('sync', '--prune');
  world.advance(1000);
  const undone = await world.run('undo');
  expect(undone.stdout).toContain('article/update@en  made again\n');
  expect(undone.stderr).toContain('1 record made again without a file');
  expect(undone.stderr).not.toContain('the files still say');
  await ran('sync', '--prune');
  const clone = await world.run('sync', '--prune', '--state', 'elsewhere/state.json');
  expect(clone).toMatchObject({ exit: 4, stdout: expect.stringContaining('kept      article/update@en') });
  expect(await site.titles()).toEqual(['Install', 'Update']);
  await ran('pull');
  expect(await world.read(file)).toContain('Each month.');
  expect(await ran('sync', '--prune')).toContain('in sync');
  expect(await site.titles()).toEqual(['Install', 'Update']);
});
