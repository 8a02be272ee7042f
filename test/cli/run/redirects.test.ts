import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../support/fake-world.ts';

let world: FakeWorld;
afterEach(() => world.close());

const page = (title: string, more = '') => `---\ntitle: ${title}\n${more}---\n\nText of ${title}.\n`;
const FAX = 'content/en/articles/fax.md';
const MAIL = 'content/en/articles/mail.md';

async function folder(files: Readonly<Record<string, string>>, config = ''): Promise<void> {
  world = await fakeWorld(files);
  await world.write('kbsync.yaml', `id: docs\n${config}`);
}

describe('check finds redirects that cannot be meant', () => {
  const cases = {
    'the page’s own address': [
      page('Fax', 'aliases: [/en/articles/fax/]\n'),
      '',
      '`/en/articles/fax/` is the address that the page has now, so it redirects nowhere; take it out',
    ],
    'the address of another page': [
      page('Fax', 'aliases: /en/articles/mail\n'),
      '',
      '`/en/articles/mail` is the address of another page, content/en/articles/mail.md',
    ],
    'an address that two claim': [
      page('Fax', 'aliases: /old\n'),
      'redirects: { /old: /en/articles/mail }\n',
      'content/en/articles/fax.md sends `/old` elsewhere',
    ],
    'a circle': [
      page('Fax'),
      'redirects: { /a: /b, /b: /a }\n',
      '`/a` leads to `/b` and from there back to itself',
    ],
    'a page that no file makes': [
      page('Fax'),
      'redirects: { /a: /en/articles/gone }\n',
      '`/a` leads to `/en/articles/gone`, and no file makes that page',
    ],
    'an address with a star, which would stand for others': [
      page('Fax', 'aliases: [/old, "/older/*"]\n'),
      '',
      'or a list of them; it is the text `/older/*`',
    ],
    'no address': [
      page('Fax', 'aliases: [fax]\n'),
      '',
      '`aliases` must be an address that the page had before, like `/old/page`',
    ],
  } as const;
  test.each(Object.entries(cases))('%s', async (_, [fax, config, words]) => {
    await folder({ [FAX]: fax, [MAIL]: page('Mail') }, config);
    const { stdout, stderr } = await world.run('check');
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(words);
  });

  test('nothing if a translation has copied the lines of its original: they lead to the original', async () => {
    const fax = page('Fax', 'aliases: [/old]\n');
    await folder({ [FAX]: fax, 'content/de/articles/fax.md': fax });
    expect((await world.run('check')).stdout).not.toContain('wrong-redirect');
    await world.run('plan', '--redirects', 'moved.csv');
    expect(await world.read('moved.csv')).toContain('/old,/en/articles/fax,article,en');
  });

  test('nothing in those that can: a chain, another host, a page of a language', async () => {
    await folder(
      { [FAX]: page('Fax', 'aliases: [/old, /older/]\n'), 'content/fr/articles/fax.md': page('Fax') },
      'redirects: { /oldest: /old, /status: https://status.test, /vieux: /fr/articles/fax }\n',
    );
    const { exit, stdout } = await world.run('check');
    expect([exit, stdout]).toEqual([0, expect.not.stringContaining('wrong-redirect')]);
  });
});

describe('--redirects', () => {
  test('has aliases, lines of settings and changed slugs, each in one step, and grows from run to run', async () => {
    await folder(
      { [FAX]: page('Fax', 'aliases: /old/fax\n'), [MAIL]: page('Mail') },
      'redirects: { /very/old/fax: /old/fax }\n',
    );
    expect(await world.run('sync')).toMatchObject({ exit: 0 });
    await world.write(FAX, page('Fax', 'slug: telefax\naliases: /old/fax\n'));
    const plan = await world.run('plan', '--redirects', 'moved.csv');
    expect(plan.stderr).toContain('3 redirects in moved.csv');
    // Nothing is read anew the second time, and an edit of the text alone changes none of them.
    await world.remove('moved.csv');
    await world.write(FAX, `${page('Fax', 'slug: telefax\naliases: /old/fax\n')}More.\n`);
    const again = await world.run('plan', '--redirects', 'moved.csv');
    expect(again.stderr).toContain('3 redirects in moved.csv');
    expect(await world.run('sync', '--redirects', 'moved.csv')).toMatchObject({ exit: 0 });
    const lines = [
      '/old/fax,/en/articles/telefax,article,en',
      '/very/old/fax,/en/articles/telefax,article,en',
      '/en/articles/fax,/en/articles/telefax,article,en',
    ];
    const read = async () => (await world.read('moved.csv')).trim().split('\r\n').slice(1).sort();
    expect(await read()).toEqual([...lines].sort());
    await world.write(FAX, page('Fax', 'slug: paper\n'));
    await world.write('kbsync.yaml', 'id: docs\n');
    expect(await world.run('sync', '--redirects', 'moved.csv')).toMatchObject({ exit: 0 });
    const froms = ['/en/articles/fax', '/en/articles/telefax', '/old/fax', '/very/old/fax'];
    expect(await read()).toEqual(froms.map((from) => `${from},/en/articles/paper,article,en`));
    // The page went back to its first slug: that address is the page's, and redirects no more.
    await world.write(FAX, page('Fax'));
    expect(await world.run('sync', '--redirects', 'moved.csv')).toMatchObject({ exit: 0 });
    expect(await read()).not.toContainEqual(expect.stringMatching(/^\/en\/articles\/fax,/));
    expect(await read()).toContainEqual(expect.stringMatching(/^\/old\/fax,\/en\/articles\/fax/));
  });

  test('a form that does not grow says what the next run would leave out', async () => {
    await folder({ [FAX]: page('Fax', 'aliases: /old\n') });
    expect((await world.run('sync', '--redirects', 'moved.conf')).stderr).not.toContain('the next run');
    await world.write(FAX, page('Fax', 'slug: telefax\naliases: /old\n'));
    const { stderr } = await world.run('plan', '--redirects', 'moved.conf');
    expect(stderr).toContain(
      '1 of them is from slugs that change in this run; the next run knows them only by',
    );
    expect((await world.run('sync', '--redirects', 'moved.csv')).stderr).not.toContain('the next run');
  });

  test('a map of a migration or an import is read by `redirects`', async () => {
    await folder({ [FAX]: page('Fax') }, 'redirects: redirects.csv\n');
    await world.write(
      'redirects.csv',
      'from,to,kind,lang\r\nhttps://old.test/hc/1-fax,/en/articles/fax,,\r\n/gone,/en/articles/gone,,\r\n',
    );
    expect((await world.run('check')).stdout).toContain('redirects.csv:3:1');
    await world.run('plan', '--redirects', 'moved.conf');
    expect(await world.read('moved.conf')).toContain('  "/hc/1-fax" "/en/articles/fax";');
  });

  test('pages that an older system told apart by a query keep a line each; a form that compares paths alone says which it lacks', async () => {
    const [fax, mail] = ['/en/articles/fax', '/en/articles/mail'];
    await folder(
      { [FAX]: page('Fax'), [MAIL]: page('Mail') },
      `redirects: { "/?p=12": ${fax}, "/index.php?id=3": ${fax}, "/?p=13": ${mail}, "/index.php?id=4": ${mail} }\n`,
    );
    expect((await world.run('check')).stdout).not.toContain('wrong-redirect');
    await world.run('plan', '--redirects', 'moved.csv');
    const lines = (await world.read('moved.csv')).trim().split('\r\n').slice(1).sort();
    expect(lines).toEqual([
      '/?p=12,/en/articles/fax,article,en',
      '/?p=13,/en/articles/mail,article,en',
      '/index.php?id=3,/en/articles/fax,article,en',
      '/index.php?id=4,/en/articles/mail,article,en',
    ]);
    const { stderr } = await world.run('plan', '--redirects', '_redirects');
    expect(stderr).toContain('4 lines with a query left out');
    expect(await world.read('_redirects')).not.toContain('/en/articles');
  });

  test('a file of somebody else stays as it is', async () => {
    await folder({ [FAX]: page('Fax', 'aliases: /old\n') });
    await world.write('_redirects', '/mine /yours 301\n');
    const plan = await world.run('plan', '--redirects', '_redirects');
    expect([plan.exit, plan.stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining('_redirects` exists and is no map'),
    ]);
    expect(await world.read('_redirects')).toBe('/mine /yours 301\n');
  });

  test('a map that is missing, or has no columns from and to, is said', async () => {
    await folder({ [FAX]: page('Fax') }, 'redirects: none.csv\n');
    expect((await world.run('check')).stderr).toContain(
      '`redirects` names none.csv, and there is no such file',
    );
    await world.write('none.csv', 'old,new\n');
    expect((await world.run('check')).stderr).toContain('begins with `from,to`');
    await world.write('none.csv', 'from,to\n/old,/en/articles/fax\n/older,javascript:alert(1)\n');
    expect((await world.run('check')).stderr).toContain(
      'none.csv:3: `javascript:alert(1)` must begin with / or https://',
    );
  });
});

test('Hugo’s aliases and Jekyll’s redirect_from lead to the page, also those beside it', async () => {
  await folder(
    { 'content/posts/fax.md': page('Fax', 'aliases: [/old/fax/, facsimile]\n') },
    'preset: hugo\n',
  );
  await world.write('hugo.toml', 'baseURL = "https://example.test/"\n');
  await world.run('plan', '--redirects', 'moved.csv');
  expect(await world.read('moved.csv')).toMatch(
    /\/old\/fax\/,\/en\/articles\/posts-fax,[^]*\n\/posts\/facsimile,\/en\/articles\/posts-fax,/,
  );
  await world.close();
  await folder({ 'content/fax.md': page('Fax', 'redirect_from:\n  - /old-fax\n') }, 'preset: jekyll\n');
  await world.run('plan', '--redirects', 'moved.csv');
  expect(await world.read('moved.csv')).toContain('/old-fax,/en/articles/fax,');
});

test('build has a page at each old address, and the list for hosts of pages', async () => {
  await folder({ [FAX]: page('Fax', 'aliases: [/old/fax, /fax.html]\n') });
  expect(await world.run('build', '--out', 'site')).toMatchObject({ exit: 0 });
  for (const file of ['site/old/fax/index.html', 'site/fax.html']) {
    expect(await world.read(file)).toContain('content="0; url=/en/articles/fax"');
  }
  expect(await world.read('site/_redirects')).toContain('/old/fax /en/articles/fax 301\n');
});

test('no host is told to lead away from a page that is there', async () => {
  await folder(
    {
      'mkdocs.yml':
        'site_name: X\nplugins:\n  - redirects:\n      redirect_maps:\n        en/articles/fax/index.md: mail.md\n        index.md: mail.md\n        old.md: mail.md\n',
      'docs/fax.md': '# Fax\n\nText.\n',
      'docs/mail.md': '# Mail\n\nText.\n',
    },
    'preset: mkdocs\ncontent: docs\n',
  );
  expect(await world.run('build', '--out', 'site')).toMatchObject({ exit: 0 });
  expect((await world.read('site/_redirects')).split('\n').slice(1)).toEqual([
    '/old/ /en/articles/mail 301',
    '',
  ]);
  expect(await world.read('site/en/articles/fax/index.html')).toContain('Text.');
});

test('build writes no old address outside of its folder, and none over a file or a folder of the site', async () => {
  const aliases = [
    '/../../up/x',
    '/%2e%2e/..\\up.html',
    '/EN/Articles/Fax',
    '/_redirects',
    '/.kbsync-build.json',
    '/llms.txt/',
    '/en.html/a',
    '/en.html',
  ];
  await folder({
    [FAX]: page('Fax', `aliases: ${JSON.stringify(aliases)}\n`),
    [MAIL]: page('Mail').replace('Text of', '<a href="/x/../../../en/articles/fax">Fax</a> and'),
  });
  const { exit, stderr } = await world.run('build', '--out', 'a/b/site', '--allow', 'dead-link');
  expect([exit, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  const { files } = JSON.parse(await world.read('a/b/site/.kbsync-build.json')) as { files: string[] };
  expect(files).toEqual(expect.arrayContaining(['up/x/index.html', 'up.html', 'en.html/a/index.html']));
  expect(files.filter((file) => /\.\.|^EN|^_redirects\/|^llms\.txt\/|^\.kbsync/.test(file))).toEqual([]);
  expect(readdirSync(join(world.cwd, 'a'), { recursive: true })).not.toContainEqual(
    expect.stringMatching(/^(?!b$|b\/site)/),
  );
});
