import { mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeWorld, SMALL, type FakeWorld, type Ran } from '../../cli/support/fake-world.ts';
import { siteOf, type Site } from '../../cli/support/site.ts';
import { ODD_SERVICES, oddService } from '../../support/odd-services/odd-services.ts';

const CONTENT = join(import.meta.dirname, '../../../content-example');
/** A second folder with a state of its own: another person's clone. */
const ELSEWHERE = ['--content', 'pulled', '--state', 'elsewhere/state.json'] as const;

let world: FakeWorld;
let site: Site;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
  site = siteOf(world);
});
afterEach(() => world.close());

const writes = () => world.sent.filter((request) => !request.startsWith('GET'));

async function ok(...argv: readonly string[]): Promise<Ran> {
  const ran = await world.run(...argv);
  if (ran.exit !== 0) throw new Error(`${argv.join(' ')}: exit ${ran.exit}\n${ran.stdout}${ran.stderr}`);
  return ran;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(world.cwd, folder), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.md')).sort();
}

async function exampleFiles(): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(CONTENT, { recursive: true, encoding: 'utf8' });
  const texts = names
    .filter((name) => /\.(?:md|svg)$/.test(name))
    .map(async (name) => [`content/${name}`, await readFile(join(CONTENT, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

describe('into an empty folder', () => {
  test('an article whose status is a word of the service gets no file that would publish it', async () => {
    await ok('sync');
    world.wrap = (send) => async (request) => {
      const answer = await send(request);
      const text = await answer.text();
      // As a help desk that keeps deleted articles, and shows them to its team.
      const isArchived = /"Install(?:er)?"/.test(text);
      const told = isArchived ? text.replaceAll('"status":"published"', '"status":"archived"') : text;
      return new Response(told === '' ? null : told, { status: answer.status, headers: answer.headers });
    };
    const ran = await world.run('pull', ...ELSEWHERE);
    expect(ran.stdout).toContain('its status is "archived"; a file can say published or draft');
    expect(await filesIn('pulled')).not.toContain('en/articles/install.md');
    expect((await world.run('check', '--content', 'pulled')).stdout).not.toContain('archived');
  });

  test('a deleted article that only the list still shows, as archived, is passed over', async () => {
    await ok('sync');
    world.wrap = (send) => async (request) => {
      const answer = await send(request);
      if (!request.url.endsWith('/api/v2/articles')) return answer;
      const list = (await answer.json()) as { data: readonly Readonly<Record<string, unknown>>[] };
      const gone = {
        ...list.data[0],
        id: '00000000-0000-7000-8000-000000000000',
        name: 'Gone',
        status: 'archived',
      };
      return Response.json({ ...list, data: [...list.data, gone] });
    };
    const ran = await world.run('pull', ...ELSEWHERE);
    expect([ran.exit, ran.stdout]).toEqual([0, expect.not.stringContaining('does not exist')]);
    expect(await filesIn('pulled')).toContain('en/articles/install.md');
  });

  test('a pull that died before it saved its state lays nothing beside the files that it made', async () => {
    await ok('sync');
    await site.edit('Install', (body) => {
      body['content'] =
        '<div class="box"><p>a<br>b <span style="color: red">c</span></p></div><table><tr><td colspan=2>x</td></tr></table>';
    });
    await site.edit('Update', (body) => (body['content'] = '<p>By an editor.</p>'));
    await ok('pull', ...ELSEWHERE);
    const made = await filesIn('pulled');
    await rm(join(world.cwd, 'elsewhere'), { recursive: true });
    const [file] = made.filter((name) => name.endsWith('update.md'));
    const text = await readFile(join(world.cwd, 'pulled', file ?? ''), 'utf8');
    await world.write(`pulled/${file ?? ''}`, `${text}\nThe author has written since.\n`);
    const again = await world.run('pull', ...ELSEWHERE);
    expect(again.stdout).toContain('1 copied beside their files');
    expect(again.stdout).toMatch(/^! \S+\.remote\.md .*the site’s version of pulled\/\S+\.md/m);
    expect(again.stdout).toMatch(
      /^next: compare it with your file, decide with kbsync resolve( --\S+ \S+)+ \S+@en --local \| --remote, then delete the copy$/m,
    );
    expect(again.stdout).toContain(`kbsync resolve ${ELSEWHERE.join(' ')} article/`);
    const copies = (await filesIn('pulled')).filter((name) => !made.includes(name));
    expect(copies).toEqual([file?.replace('update.md', 'update.remote.md')]);
    world.sent.length = 0;
    expect((await world.run('sync', ...ELSEWHERE)).stdout).not.toContain('article/install@en');
    expect(writes()).toEqual([]);
  });

  test('the example comes back: the next sync is in sync and writes nothing', async () => {
    await world.close();
    world = await fakeWorld(await exampleFiles());
    await world.write('kbsync.yaml', 'assets: { baseUrl: https://cdn.example.com }\n');
    await ok('sync');
    world.sent.length = 0;
    const pulled = await ok('pull', ...ELSEWHERE);
    const records = (await filesIn('pulled')).length;
    expect(pulled.stdout).toContain(`${records} created`);
    expect(pulled.stdout).toContain(' clean Markdown\n');
    // Three lists and one read for each record and language.
    expect(world.sent).toHaveLength(records + 3);
    world.sent.length = 0;
    expect((await ok('sync', ...ELSEWHERE)).stdout).toMatch(/^in sync: /m);
    expect(writes()).toEqual([]);
    expect(world.sent).toHaveLength(3);
  });

  test('the author of the first folder finds everything in sync as well', async () => {
    await ok('sync');
    await ok('pull', ...ELSEWHERE);
    await ok('sync', ...ELSEWHERE);
    world.sent.length = 0;
    expect((await ok('sync')).stdout).toMatch(/^in sync: /m);
    expect(writes()).toEqual([]);
  });

  test('files have the names that stamps remember, links lead to files, and nothing is said that is the default', async () => {
    await ok('sync');
    await ok('pull', ...ELSEWHERE);
    expect(await filesIn('pulled')).toEqual(
      Object.keys(SMALL)
        .map((file) => file.replace('content/', ''))
        .sort(),
    );
    expect(await world.read('pulled/en/articles/update.md')).toBe(
      '---\ntitle: Update\ncategories: [start]\n---\n\nSee [install](install.md).\n',
    );
    expect(await world.read('pulled/fr/articles/install.md')).toBe(
      '---\ntitle: Installer\n---\n\nLancez-le.\n',
    );
  });

  test('a dry run writes no file and no state', async () => {
    await ok('sync');
    const ran = await ok('pull', '--dry-run', ...ELSEWHERE);
    expect(ran.stdout).toContain('would be: 5 created');
    await expect(readdir(join(world.cwd, 'pulled'))).rejects.toThrow('ENOENT');
    await expect(readdir(join(world.cwd, 'elsewhere'))).rejects.toThrow('ENOENT');
  });

  test('--lang, --status and paths choose; what was left out comes with the next pull', async () => {
    await ok('sync');
    await ok('pull', '--lang', 'fr', ...ELSEWHERE);
    expect(await filesIn('pulled')).toEqual(['fr/articles/install.md']);
    await ok('pull', 'pulled/en/articles/update.md', ...ELSEWHERE);
    expect(await filesIn('pulled')).toEqual(['en/articles/update.md', 'fr/articles/install.md']);
    // What it names and links to has no file yet.
    expect(await world.read('pulled/en/articles/update.md')).toBe(
      '---\ntitle: Update\n---\n\nSee [install](/en/articles/install).\n',
    );
    expect((await world.run('pull', '../outside', ...ELSEWHERE)).exit).toBe(64);
  });

  test('versions, links and review dates come as JSON', async () => {
    await ok('sync');
    await ok('pull', '--with-tools', ...ELSEWHERE);
    const links = JSON.parse(await world.read('elsewhere/tools/links.json')) as unknown;
    expect(Array.isArray(links)).toBe(true);
  });
});

describe('records of the web editor', () => {
  const make = async (kind: string, body: Readonly<Record<string, unknown>>): Promise<void> => {
    await site.ask('PUT', `/api/v2/${kind}`, body);
  };
  const article = (slug: string, content: string, more: object = {}) =>
    make('articles', {
      title: slug,
      slug,
      categories: [],
      excerpt: '',
      ordering: 0,
      status: 'published',
      content,
      ...more,
    });

  test('messy HTML becomes Markdown, and the site is not written', async () => {
    await article(
      'messy',
      '<p style="color:red"><span>Press&nbsp; <b>go</b></span></p><p>&nbsp;</p><div>x</div>',
    );
    const ran = await ok('pull', ...ELSEWHERE);
    expect(await world.read('pulled/en/articles/messy.md')).toBe(
      '---\ntitle: messy\n---\n\nPress **go**\n\nx\n',
    );
    expect(ran.stdout).toContain('cleaned of inline-styles (1)');
    expect((await ok('sync', ...ELSEWHERE)).stdout).toMatch(/^in sync: /m);
    expect(writes()).toEqual([]);
  });

  test.each([
    ['CON', 'CON-page'],
    ['index', 'index-page'],
    ['a'.repeat(300), 'a'.repeat(120)],
    ['notes.remote', 'notes-remote'],
    ['概要', '概要'],
  ])('the slug %s gets a file name that is safe everywhere', async (slug, name) => {
    world.wrap = (send) => async (request) => {
      const response = await send(request);
      if (!/\/articles\/./.test(request.url)) return response;
      const text = await response.text();
      return new Response(text.replaceAll('"placeholder"', JSON.stringify(slug)), response);
    };
    await article('placeholder', '<p>x</p>', { title: 'T' });
    await ok('pull', ...ELSEWHERE);
    expect(await filesIn('pulled')).toEqual([`en/articles/${name}.md`]);
  });

  test.each(['../../.git/hooks/x', '..', '.'])('the slug %s is named and left out', async (slug) => {
    world.wrap = (send) => async (request) => {
      const response = await send(request);
      if (!/\/articles\/./.test(request.url)) return response;
      return new Response(
        (await response.text()).replaceAll('"placeholder"', JSON.stringify(slug)),
        response,
      );
    };
    await article('placeholder', '<p>x</p>', { title: 'T' });
    const ran = await world.run('pull', ...ELSEWHERE);
    expect(ran.exit).toBe(5);
    expect(ran.stdout).toContain(`its slug ${JSON.stringify(slug)} cannot be one part of an address`);
    await expect(readdir(join(world.cwd, 'pulled'))).rejects.toThrow('ENOENT');
  });

  test.each([
    ['Guide', 'guide'],
    ['straße', 'strasse'],
  ])('of two slugs that content takes for one, the second is named and left out: %s', async (one, other) => {
    await article(one, '<p>a</p>');
    await article(other, '<p>b</p>');
    const ran = await world.run('pull', ...ELSEWHERE);
    expect(ran.exit).toBe(5);
    expect(ran.stdout).toContain('another record has its slug');
    expect(await filesIn('pulled')).toHaveLength(1);
    expect((await ok('sync', ...ELSEWHERE)).stdout).toMatch(/^in sync: /m);
  });

  test('a link in place of a folder is not followed', async () => {
    await article('one', '<p>a</p>');
    await mkdir(join(world.cwd, 'pulled/en'), { recursive: true });
    await mkdir(join(world.cwd, 'outside'));
    await symlink(join(world.cwd, 'outside'), join(world.cwd, 'pulled/en/articles'));
    const ran = await world.run('pull', ...ELSEWHERE, '--allow', 'unexpected-file');
    expect(ran.exit).toBe(5);
    expect(await readdir(join(world.cwd, 'outside'))).toEqual([]);
  });
});

describe('into files that are there', () => {
  const FILE = 'content/en/articles/install.md';
  const SOURCE =
    "---\r\n# for the docs team\r\ntags: [cli]   # keep\r\ntitle: 'Install'\r\ncategories:\r\n  - start # first\r\n---\r\n\r\nRun it on your machine.\r\n";

  test('an edit of the site is written; comments, order, quotes and line ends stay', async () => {
    await world.write(FILE, SOURCE);
    await ok('sync');
    await site.edit('Install', (body) => {
      body['title'] = "Install it's easy";
      body['content'] = '<p>Run <strong>it</strong>.</p>';
    });
    const ran = await ok('pull');
    expect(ran.stdout).toContain('~ content/en/articles/install.md  title, content');
    expect(await world.read(FILE)).toBe(
      SOURCE.replace("'Install'", "'Install it''s easy'").replace('Run it on your machine.', 'Run **it**.'),
    );
    world.sent.length = 0;
    expect((await ok('sync')).stdout).toMatch(/^in sync: /m);
    expect(writes()).toEqual([]);
  });

  test('what the site left alone keeps the spelling of its author', async () => {
    const text = `---\ntitle: Install\n---\n\nOne line\nand the *next*,\nsee [update](./update.md).\n\n* a\n* b\n\nThe end.\n`;
    await world.write(FILE, text);
    await ok('sync');
    await site.edit('Install', (body) => {
      body['content'] = String(body['content']).replace('The end.', 'The <strong>end</strong>.');
    });
    await ok('pull');
    expect(await world.read(FILE)).toBe(text.replace('The end', 'The **end**'));
    expect((await ok('sync')).stdout).toMatch(/^in sync: /m);
  });

  test('a file that was edited too is left alone, and the copy beside it is no content', async () => {
    await ok('sync');
    const edited = `${SMALL[FILE] ?? ''}\nMore.\n`;
    await world.write(FILE, edited);
    await site.edit('Install', (body) => (body['content'] = '<p>The site.</p>'));
    const ran = await world.run('pull');
    expect(ran.exit).toBe(3);
    expect(await world.read(FILE)).toBe(edited);
    expect(await world.read('content/en/articles/install.remote.md')).toContain('\nThe site.\n');
    // The same again, and a third text: no copy is overwritten.
    expect((await world.run('pull')).exit).toBe(3);
    await site.edit('Install', (body) => (body['content'] = '<p>The site again.</p>'));
    expect((await world.run('pull')).exit).toBe(3);
    expect((await filesIn('content/en/articles')).filter((name) => name.includes('remote'))).toEqual([
      'install.remote-2.md',
      'install.remote.md',
    ]);
    expect((await world.run('check')).stdout).not.toContain('remote');
    // A sync still knows that both sides changed.
    expect((await world.run('sync')).exit).toBe(3);
  });

  test('without a state the stamp says which side changed', async () => {
    await ok('sync');
    await site.edit('Install', (body) => {
      body['content'] = String(body['content']).replace('machine', 'computer');
    });
    await ok('pull', '--state', 'fresh/state.json');
    expect(await world.read(FILE)).toContain('Run it on your computer.');
  });

  test('a file that was deleted does not come back', async () => {
    await ok('sync');
    await world.remove('content/en/articles/update.md');
    await site.edit('Update', (body) => (body['content'] = '<p>New.</p>'));
    const ran = await ok('pull');
    expect(ran.stdout).toContain('- content/en/articles/update.md  its file is gone');
    expect(await filesIn('content/en/articles')).toEqual(['install.md']);
  });

  test('what nobody edited is not read: three requests', async () => {
    await ok('sync');
    world.sent.length = 0;
    expect((await ok('pull')).stdout).toMatch(/^0 created, 5 unchanged in/m);
    expect(world.sent).toHaveLength(3);
    expect((await ok('pull', 'content/en/articles')).stdout).toMatch(/^0 created, 2 unchanged in/m);
  });

  test('a record that is named itself is read, though the list shows no edit of it', async () => {
    const file = 'content/en/categories/start.md';
    await writeFile(join(world.cwd, file), '---\nname: Start\ndescription: As it was\n---\n');
    await ok('sync');
    const { data } = (await site.ask('GET', '/api/v2/categories')) as { data: { id: string }[] };
    await site.ask('POST', `/api/v2/categories/${data[0]?.id ?? ''}`, { description: 'By an editor' });
    expect((await ok('pull')).stdout).toContain('0 created, 5 unchanged');
    expect((await ok('pull', file)).stdout).toContain(`~ ${file}  description`);
    expect(await world.read(file)).toContain('By an editor');
  });

  test('articles are read whose list shows no date, so that an edit shows', async () => {
    const withoutDates = async (answer: Response): Promise<Response> => {
      const text = (await answer.text()).replaceAll(/"last_edited_date":"[^"]*"/g, '"last_edited_date":null');
      const headers = Object.fromEntries(
        [...answer.headers].filter(([name]) => !name.startsWith('kb-') && name !== 'content-length'),
      );
      return new Response(text === '' ? null : text, { status: answer.status, headers });
    };
    world.wrap = (send) => async (request) => withoutDates(await send(request));
    await ok('sync');
    await site.edit('Install', (body) => (body['content'] = '<p>By an editor.</p>'));
    await ok('pull');
    expect(await world.read('content/en/articles/install.md')).toContain('By an editor.');
  });

  test('errors in a file whose page nobody edited are named, and nothing is missing', async () => {
    await ok('sync');
    await writeFile(join(world.cwd, FILE), '---\ntitle: [\n---\n');
    const ran = await ok('pull');
    expect(ran.stderr).toContain('edits of these pages wait until they are fixed');
    expect(ran.stdout).toMatch(/^0 created, \d unchanged in/m);
  });
});

describe.each([
  ['html-normalised', ODD_SERVICES.stored['html-normalised']],
  ['comments-stripped', ODD_SERVICES.stored['comments-stripped']],
  ['html-sanitised', ODD_SERVICES.stored['html-sanitised']],
  ['translation-rows', ODD_SERVICES.lists['translation-rows']],
  ['ids-numbers', ODD_SERVICES.headers['ids-numbers']],
  ['lang-unreadable', ODD_SERVICES.languages['lang-unreadable']],
  ['all-at-once', ODD_SERVICES.headers['all-at-once']],
])('from a service that is odd: %s', (name, oddities) => {
  test('what can be read is pulled, and the next sync writes nothing', async () => {
    world.wrap = oddService(oddities, {
      now: () => world.world().clock.now(),
      harm: [],
    });
    await world.run('sync');
    await world.run('sync');
    const ran = await world.run('pull', ...ELSEWHERE);
    expect(ran.exit).toBe(name === 'lang-unreadable' ? 5 : 0);
    world.sent.length = 0;
    const synced = await world.run('sync', ...ELSEWHERE);
    expect(synced.stdout + synced.stderr).toMatch(/in sync: /);
    expect(writes()).toEqual([]);
  });
});

test('a list that may be cut is said to be, and the rest is pulled', async () => {
  const many = Array.from({ length: 30 }, (_, index) => [
    `content/en/articles/a${index}.md`,
    `---\ntitle: A${index}\n---\n\nText ${index}.\n`,
  ]);
  for (const [file = '', text = ''] of many) await world.write(file, text);
  await ok('sync');
  world.wrap = oddService(ODD_SERVICES.lists['cut-newest'], { now: () => 0, harm: [] });
  const ran = await world.run('pull', ...ELSEWHERE);
  expect(ran.exit).toBe(5);
  expect(ran.stdout).toContain('the article list shows 25 records');
});

describe('a key instead of a path', () => {
  test('brings the edit of that record into its file, and no other', async () => {
    await ok('sync');
    await site.edit('Install', (body) => (body['title'] = 'Set up'));
    await site.edit('Update', (body) => (body['title'] = 'Upgrade'));
    const ran = await ok('pull', 'article/update@en');
    expect(ran.stdout).toContain('~ content/en/articles/update.md  title');
    expect(await world.read('content/en/articles/update.md')).toContain('title: Upgrade');
    expect(await world.read('content/en/articles/install.md')).toContain('title: Install');
  });

  test('that no file has is refused, and the help says which keys are taken', async () => {
    await ok('sync');
    const ran = await world.run('pull', 'article/nothing@en');
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain('the key of a record that has a file');
  });
});
