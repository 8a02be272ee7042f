import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';
import { siteOf, type Site } from '../../support/site.ts';

let world: FakeWorld;
let site: Site;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
  site = siteOf(world);
  await world.run('sync');
});
afterEach(() => world.close());

const INSTALL = 'content/en/articles/install.md';
const UPDATE = 'content/en/articles/update.md';

async function rewrite(file: string, from: string, to: string): Promise<void> {
  await world.write(file, (await world.read(file)).replace(from, to));
}

/** Both articles changed on both sides, and a tag changed in its file only. */
async function twoConflicts(): Promise<void> {
  await site.edit('Update', (body) => (body['title'] = 'Updating'));
  await site.edit('Install', (body) => (body['title'] = 'Installing'));
  await rewrite(UPDATE, 'Update', 'Upgrade');
  await rewrite(INSTALL, 'Install', 'Set up');
  await rewrite('content/en/tags/cli.md', 'CLI', 'Command line');
}

/** Runs the command that a plan printed, as a person would paste it. */
async function printedCommand(side: '--local' | '--remote') {
  const plan = await world.run('plan');
  const line = /→ kbsync (resolve .+?)(?:--local \| --remote|--local)/.exec(plan.stdout)?.[1];
  if (line === undefined) throw new Error(`no command in ${plan.stdout}`);
  return world.run(...line.trim().split(' '), side);
}

const writes = () => world.sent.filter((request) => !request.startsWith('GET'));

describe('a conflict', () => {
  test.each([
    ['--local', ['Installing', 'Upgrade']],
    ['--remote', ['Installing', 'Updating']],
  ])('is settled for the named record by %s, and nothing else is written', async (side, titles) => {
    await twoConflicts();
    world.sent.length = 0;
    const ran = await world.run('resolve', 'article/update@en', side);
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toContain('article/update@en  resolved: ');
    expect(await site.titles()).toEqual(titles);
    expect(writes().length).toBe(side === '--local' ? 1 : 0);
    const plan = await world.run('plan', '--json');
    const { conflicts, changes } = JSON.parse(plan.stdout) as Record<string, { key: string }[]>;
    expect(conflicts?.map(({ key }) => key)).toEqual(['article/install@en']);
    expect(changes?.map(({ key }) => key)).toEqual(['tag/cli@en']);
  });

  test('is settled with the flag of a guard that refuses, as the refusal names it', async () => {
    await twoConflicts();
    world.wrap = (send) => async (request) => {
      const response = await send(request);
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET' || !/(articles|categories|tags)$/.test(pathname)) return response;
      return Response.json({ ...((await response.json()) as object), data: [] });
    };
    const refused = await world.run('resolve', 'article/update@en', '--local');
    expect(refused.exit).toBe(4);
    expect(refused.stdout).toContain('→ if that is right: --allow-empty-remote');
    const ran = await world.run('resolve', 'article/update@en', '--local', '--allow-empty-remote');
    expect(ran.exit).toBe(0);
    world.wrap = (send) => send;
    expect(await site.titles()).toEqual(['Installing', 'Upgrade']);
  });

  test('in several records is settled by one command', async () => {
    await twoConflicts();
    const ran = await world.run('resolve', 'article/update@en', 'article/install@en', '--local');
    expect(ran.exit).toBe(0);
    expect(await site.titles()).toEqual(['Set up', 'Upgrade']);
    expect((await world.run('plan', '--exit-code')).exit).toBe(2); // the tag waits for a sync
  });

  test('settled for the site stays settled until the file changes again', async () => {
    await twoConflicts();
    await world.run('resolve', 'article/update@en', 'article/install@en', '--remote');
    expect((await world.run('sync')).exit).toBe(0);
    expect((await world.run('sync')).stdout).toContain('in sync');
    expect(await site.titles()).toEqual(['Installing', 'Updating']);
    await rewrite(UPDATE, 'Upgrade', 'Renew');
    expect((await world.run('sync')).exit).toBe(0);
    expect(await site.titles()).toEqual(['Installing', 'Renew']);
  });

  test('settled for the site, it says how the words come into the file, and status names them until they are there', async () => {
    await twoConflicts();
    const named = 'article/update@en';
    const ran = await world.run('resolve', named, '--remote');
    expect(ran.stdout).toContain('bring them into the file with kbsync pull');
    const line = `! accepted from the site  ${named}: kbsync pull brings it into the file`;
    expect((await world.run('status')).stdout).toContain(line);
    expect(JSON.parse((await world.run('status', '--json')).stdout)).toMatchObject({ accepted: [named] });
    expect((await world.run('pull', named)).stdout).toContain(`~ ${UPDATE}  title`);
    expect(await world.read(UPDATE)).toContain('title: Updating');
    expect((await world.run('status')).stdout).not.toContain('accepted from the site');
  });

  test('settled for the site in a record that has something else to send, it says so too', async () => {
    await site.edit('Update', (body) => (body['title'] = 'Updating'));
    await rewrite(UPDATE, 'title: Update', 'title: Upgrade\nexcerpt: How to.');
    const ran = await world.run('resolve', 'article/update@en', '--remote');
    expect(ran.stdout).toContain('resolved: updated; title: the site’s values stay');
    expect(await site.titles()).toEqual(['Install', 'Updating']);
  });

  test('prints the command that settles it, with the flags of the run', async () => {
    await twoConflicts();
    const plan = await world.run('plan', '--state', '.kbsync/state.json', '--allow', 'dead-link');
    expect(plan.stdout).toContain(
      '→ kbsync resolve --state .kbsync/state.json --allow dead-link article/update@en --local | --remote',
    );
    expect((await printedCommand('--local')).exit).toBe(0);
    expect((await printedCommand('--remote')).exit).toBe(0);
    expect((await world.run('plan')).exit).toBe(0);
  });

  test('of a new file with a record that the site has', async () => {
    const { data } = (await site.ask('GET', '/api/v2/categories')) as { data: { id: string }[] };
    await site.ask('PUT', '/api/v2/articles', {
      title: 'Theirs',
      slug: 'new',
      categories: data.map(({ id }) => ({ value: id })),
      excerpt: '',
      ordering: 0,
      status: 'published',
      content: '<p>Theirs</p>',
    });
    await world.write('content/en/articles/new.md', '---\ntitle: Ours\ncategories: [start]\n---\n\nOurs.\n');
    expect((await world.run('sync')).exit).toBe(3);
    expect((await printedCommand('--remote')).exit).toBe(0);
    expect(await site.titles()).toContain('Theirs');
    expect((await world.run('sync')).stdout).toContain('in sync');
    await rewrite('content/en/articles/new.md', 'Ours', 'Ours now');
    expect((await world.run('sync')).exit).toBe(0);
    expect(await site.titles()).toContain('Ours now');
    expect((await site.titles()).length).toBe(3);
  });

  test('of a deleted record: --local makes it again, --remote names the file that has to go', async () => {
    await site.remove('Update');
    expect((await world.run('sync')).exit).toBe(3);
    const kept = await world.run('resolve', 'article/update@en', '--remote');
    expect(kept.exit).toBe(3);
    expect(kept.stdout).toContain(`→ kbsync resolve article/update@en --local, or delete ${UPDATE}`);
    expect((await printedCommand('--local')).exit).toBe(0);
    expect(await site.titles()).toEqual(['Install', 'Update']);
    await site.remove('Update');
    await world.remove(UPDATE);
    expect((await world.run('sync')).exit).toBe(0);
    expect(await site.titles()).toEqual(['Install']);
  });

  test('of a record that was edited after its file was deleted', async () => {
    await site.edit('Update', (body) => (body['title'] = 'Updating'));
    await world.remove(UPDATE);
    expect((await world.run('sync', '--prune')).exit).toBe(3);
    expect((await world.run('resolve', 'article/update@en', '--remote')).stdout).toContain(
      'no longer managed',
    );
    expect(await site.titles()).toEqual(['Install', 'Updating']);
    expect((await world.run('sync', '--prune')).exit).toBe(0);
    expect(await site.titles()).toEqual(['Install', 'Updating']);
  });

  test('of a record that was edited after its file was deleted is deleted by --local, its last state kept', async () => {
    await site.edit('Update', (body) => (body['title'] = 'Updating'));
    await world.remove(UPDATE);
    expect((await world.run('sync')).exit).toBe(3);
    const ran = await world.run('resolve', 'article/update@en', '--local');
    expect(ran.exit).toBe(0);
    expect(await site.titles()).toEqual(['Install']);
    const [run] = (await world.world().files.list(`${world.cwd}/.kbsync/trash`)) ?? [];
    expect(run).toBeDefined();
  });
});

describe('drift', () => {
  test('is overwritten by --local', async () => {
    await site.edit('Update', (body) => (body['title'] = 'Updating'));
    const plan = await world.run('plan');
    expect(plan.stdout).toContain('→ kbsync resolve article/update@en --local | --remote');
    expect((await printedCommand('--local')).exit).toBe(0);
    expect(await site.titles()).toEqual(['Install', 'Update']);
    expect((await world.run('sync')).stdout).toContain('in sync');
  });

  test('is acknowledged by --remote, and reported no more', async () => {
    await site.edit('Update', (body) => (body['title'] = 'Updating'));
    world.sent.length = 0;
    expect((await printedCommand('--remote')).exit).toBe(0);
    expect(writes()).toEqual([]);
    expect((await world.run('sync')).stdout).toContain('in sync');
    expect(await site.titles()).toEqual(['Install', 'Updating']);
  });
});

describe('what is not in dispute', () => {
  test('is left alone: a pending change of a named record is not sent', async () => {
    await rewrite(UPDATE, 'Update', 'Upgrade');
    world.sent.length = 0;
    const ran = await world.run('resolve', 'article/update@en', '--local');
    expect(ran).toMatchObject({ exit: 0, stdout: 'article/update@en  nothing to resolve\n' });
    expect(writes()).toEqual([]);
    expect((await world.run('plan', '--exit-code')).exit).toBe(2);
  });

  test('is left alone: a named record whose file is gone is not deleted', async () => {
    await world.remove(UPDATE);
    expect((await world.run('resolve', 'article/update@en', '--local')).exit).toBe(0);
    expect(await site.titles()).toEqual(['Install', 'Update']);
  });

  test('an edit of a translation shows in the next sync although only its original was settled', async () => {
    await site.edit('Install', (body) => (body['title'] = 'Installing'));
    const id = await site.idOf('Installing');
    const { data, categories } = (await site.ask('GET', `/api/v2/articles/${id}?lang=fr`)) as {
      data: Record<string, unknown>;
      categories: { value: string }[];
    };
    await site.ask('POST', `/api/v2/articles/${id}`, {
      title: 'Installation',
      slug: data['slug'],
      categories: categories.map(({ value }) => ({ value })),
      excerpt: data['excerpt'],
      ordering: 0,
      status: 'published',
      content: data['content'],
      lang: 'fr',
    });
    expect((await world.run('resolve', 'article/install@en', '--local')).exit).toBe(0);
    expect((await world.run('plan')).stdout).toContain('article/install@fr  title Installer → Installation');
  });

  test('an edit of another language shows after a run that left it out', async () => {
    await site.edit('Update', (body) => (body['title'] = 'Updating'));
    expect((await world.run('sync', '--lang', 'fr')).exit).toBe(0);
    expect((await world.run('plan')).stdout).toContain('article/update@en  title Update → Updating');
  });
});

describe('a command line that cannot be meant', () => {
  test.each([
    [['resolve'], 'missing required argument'],
    [['resolve', 'article/update@en'], '--local (the file’s) or --remote (the site’s)'],
    [['resolve', 'article/update@en', '--local', '--remote'], 'cannot be used with'],
    [['resolve', 'update.md', '--local'], 'is not the key of a record'],
    [['resolve', 'article/updat@en', '--local'], 'did you mean `article/update@en`?'],
    [['resolve', 'article/a/long/way/below/update@en', '--local'], 'did you mean `article/update@en`?'],
  ])('%j', async (argv, message) => {
    const ran = await world.run(...argv);
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain(message);
  });
});

test('--json tells what became of each record', async () => {
  await twoConflicts();
  const ran = await world.run('resolve', 'article/update@en', 'tag/cli@en', '--remote', '--json');
  expect(JSON.parse(ran.stdout)).toMatchObject({
    format: 1,
    settled: [
      { key: 'article/update@en', end: expect.stringContaining('resolved: ') },
      { key: 'tag/cli@en', end: 'nothing to resolve' },
    ],
  });
});
