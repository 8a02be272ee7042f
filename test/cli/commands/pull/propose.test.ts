import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  gitHubStandIn,
  gitLabStandIn,
  TOKEN,
  type ForgeStandIn,
  type StandInRequest,
} from '../../../forge/support/forge-stand-in.ts';
import { openBase } from '../../../../src/base/store.ts';
import { BASE_URL, fakeWorld, SMALL, type FakeWorld, type Ran } from '../../support/fake-world.ts';
import { siteOf, type Site } from '../../support/site.ts';
import { newArticle } from '../../../sync/pull/support/editor.ts';

const FORGES = {
  GitHub: { standIn: gitHubStandIn, origin: 'https://api.git.test' },
  GitLab: { standIn: gitLabStandIn, origin: 'https://gitlab.test' },
} as const;

let world: FakeWorld;
let site: Site;
let bare: string;
let forge: ForgeStandIn;

afterEach(async () => {
  await world.close();
  await rm(bare, { recursive: true, force: true });
});

async function setUp(
  name: keyof typeof FORGES,
  files: Readonly<Record<string, string>> = SMALL,
): Promise<void> {
  bare = await mkdtemp(join(tmpdir(), 'kbsync-bare-'));
  git(bare, 'init', '-q', '--bare', '-b', 'main');
  world = await fakeWorld({ ...files, '.gitignore': '.kbsync\n' });
  site = siteOf(world);
  git(world.cwd, 'init', '-q', '-b', 'main');
  git(world.cwd, 'remote', 'add', 'origin', bare);
  commit('first');
  forge = FORGES[name].standIn(bare);
  world.elsewhere.set(FORGES[name].origin, forge.send);
}

function git(cwd: string, ...args: readonly string[]): string {
  const own = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgSign=false'];
  const { status, stdout, stderr } = spawnSync('git', [...own, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`test: git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

function commit(message: string): void {
  git(world.cwd, 'add', '-A');
  git(world.cwd, 'commit', '-q', '-m', message);
  git(world.cwd, 'push', '-q', 'origin', 'HEAD:main');
}

/** A job: a fresh variable set, the checkout at its commit. */
async function propose(...flags: readonly string[]): Promise<Ran> {
  Object.assign(world.env, forge.env(git(world.cwd, 'rev-parse', 'HEAD')));
  const ran = await world.run('pull', '--propose', ...flags);
  for (const name of Object.keys(forge.env(''))) delete world.env[name];
  expect(ran.stdout + ran.stderr).not.toContain(TOKEN);
  expect(git(world.cwd, 'status', '--porcelain')).toBe('');
  return ran;
}

/** What the forge's button does, and the next job's checkout. */
function merge(): void {
  git(world.cwd, 'fetch', '-q', 'origin');
  git(world.cwd, 'merge', '-q', '--no-ff', '-m', 'merge', 'origin/kbsync/pull');
  git(world.cwd, 'push', '-q', 'origin', 'HEAD:main');
}

const onBranch = (file: string): string => git(bare, 'show', `kbsync/pull:${file}`);
const branches = (): string => git(bare, 'for-each-ref', '--format=%(refname:short)', 'refs/heads');
const retitled = (title: string) => (body: Record<string, unknown>) => void (body['title'] = title);
const only = (): StandInRequest => {
  expect(forge.requests).toHaveLength(1);
  // One, as was checked.
  return forge.requests[0] as StandInRequest;
};

describe.each(['GitHub', 'GitLab'] as const)('on %s', (name) => {
  beforeEach(() => setUp(name));

  test('an edit of the site becomes one request, updated in place; merged, the next run is in sync', async () => {
    await world.run('sync');
    await site.edit('Install', retitled('Install it'));
    const first = await propose();
    expect(first.stdout).toContain('in the branch: 0 created, 1 updated');
    expect(first.stdout).toMatch(/^opened the request to merge kbsync\/pull: https:/m);
    expect(onBranch('content/en/articles/install.md')).toBe(
      '---\ntitle: Install it\ncategories: [start]\ntags: [cli]\n---\n\nRun it on your machine.',
    );
    expect(only()).toMatchObject({ state: 'open', title: 'Edits of the site: install.md' });
    expect(only().body).toContain('| `content/en/articles/install.md` | title | Install | Install it |');

    expect((await propose()).stdout).toContain('has these edits already');
    await site.edit('Update', (body) => {
      body['content'] = String(body['content']).replace('See', 'Read');
    });
    expect((await propose()).stdout).toMatch(/^updated the request/m);
    expect(only().body).toContain('| `content/en/articles/update.md` | content | See | Read |');
    expect(git(bare, 'rev-list', '--count', 'main..kbsync/pull')).toBe('1');

    merge();
    expect((await world.run('sync')).stdout).toMatch(/^in sync: /m);
    expect((await propose()).stdout).toMatch(/^nothing to propose$/m);
    expect(only().state).toBe('merged');
    expect(branches()).toBe('main');
  });

  test('what is taken back on the site closes the request and its branch', async () => {
    await world.run('sync');
    await site.edit('Install', retitled('Install it'));
    await propose();
    await site.edit('Install it', retitled('Install'));
    expect((await propose()).stdout).toMatch(/^closed the request/m);
    expect(only()).toMatchObject({ state: 'closed' });
    expect(only().body).toContain('Nothing is left to bring in');
    expect(branches()).toBe('main');
    await site.edit('Install', retitled('Install it'));
    expect((await propose()).stdout).toMatch(/^opened the request/m);
  });

  test('a request that somebody closed stays closed until the edits are others', async () => {
    await world.run('sync');
    await site.edit('Install', retitled('Install it'));
    await propose();
    only().state = 'closed';
    expect((await propose()).stdout).toMatch(/^somebody closed the request/m);
    git(bare, 'update-ref', '-d', 'refs/heads/kbsync/pull');
    expect((await propose()).stdout).toMatch(/^somebody closed the request/m);
    await site.edit('Install it', retitled('Install this'));
    expect((await propose()).stdout).toMatch(/^opened the request/m);
    expect(forge.requests.map(({ state }) => state)).toEqual(['closed', 'open']);
  });
});

describe('what must not be lost', () => {
  beforeEach(() => setUp('GitHub'));

  test('a sync between the edit and the merge leaves the edit alone, with and without a state', async () => {
    await world.run('sync');
    await site.edit('Install', retitled('Install it'));
    await propose();
    expect((await world.run('sync')).stdout).toContain('1 drift');
    await world.remove('.kbsync');
    expect((await world.run('sync')).stdout).toContain('1 drift');
    await world.remove('.kbsync');
    await propose();
    expect(await site.titles()).toContain('Install it');
    merge();
    await world.remove('.kbsync');
    const { stdout, exit } = await world.run('sync');
    expect({ exit, stdout }).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^(in sync|0 created|5 unchanged|\d+ unchanged)/m),
    });
    expect((await world.run('plan')).stdout).toContain('in sync');
  });

  test('an edit made while the request waits is a conflict after the merge, and stays on the site', async () => {
    await world.run('sync');
    await site.edit('Install', retitled('Install it'));
    await propose();
    await site.edit('Install it', retitled('Install this'));
    merge();
    const ran = await world.run('sync');
    expect(ran.exit).toBe(3);
    expect(await site.titles()).toContain('Install this');
    const next = await propose();
    expect(next.exit).toBe(3);
    expect(next.stdout).toContain('file and site both changed it');
    expect(await world.read('content/en/articles/install.md')).toContain('title: Install it');
  });

  test('a branch to which somebody committed stays as it is, and an amended commit too', async () => {
    await world.run('sync');
    await site.edit('Install', retitled('Install it'));
    await propose();
    for (const amend of [[], ['--amend']] as const) {
      git(world.cwd, 'fetch', '-q', 'origin');
      git(world.cwd, 'checkout', '-q', '-B', 'mine', 'origin/kbsync/pull');
      await world.write('content/en/articles/update.md', `---\ntitle: Mine ${amend.length}\n---\n`);
      git(world.cwd, 'commit', '-q', '-a', ...amend, '-m', 'mine');
      git(world.cwd, 'push', '-q', '--force', 'origin', 'mine:kbsync/pull');
      git(world.cwd, 'checkout', '-q', 'main');
      const { exit, stderr } = await propose();
      expect(exit).toBe(4);
      expect(stderr).toContain(
        'somebody else committed to the branch kbsync/pull (https://git.test/acme/docs/pull/1)',
      );
      expect(onBranch('content/en/articles/update.md')).toContain('title: Mine');
    }
    await site.edit('Install it', retitled('Install'));
    expect((await propose()).exit).toBe(4);
    expect(only().state).toBe('open');
  });

  test('what the checkout has otherwise than its commit is not committed for its author', async () => {
    await world.run('sync');
    await site.edit('Install', retitled('Install it'));
    git(world.cwd, 'update-index', '--assume-unchanged', 'content/en/articles/update.md');
    await world.write('content/en/articles/install.md', `${SMALL['content/en/articles/install.md']}More.\n`);
    Object.assign(world.env, forge.env(git(world.cwd, 'rev-parse', 'HEAD')));
    const ran = await world.run('pull', '--propose');
    expect(ran.stdout).not.toContain('opened');
    expect(branches()).toBe('main');
  });

  test('a list that may be cut closes nothing', async () => {
    await world.run('sync');
    await site.edit('Install', retitled('Install it'));
    await propose();
    await site.edit('Install it', retitled('Install'));
    world.wrap = (send) => (request) =>
      new URL(request.url).pathname === '/api/v2/tags'
        ? Promise.resolve(new Response('{"error":{"message":"later"}}', { status: 503 }))
        : send(request);
    const ran = await propose();
    expect(ran.exit).not.toBe(0);
    expect(only().state).toBe('open');
    expect(branches()).toContain('kbsync/pull');
  });

  test('an article that is new on the site is a new file of the branch, and adopted after the merge', async () => {
    await world.run('sync');
    await site.ask('PUT', '/api/v2/articles', {
      title: 'Remove',
      slug: 'remove',
      categories: [],
      tags: [],
      excerpt: '',
      ordering: 0,
      status: 'published',
      content: '<p>Delete it.</p>',
    });
    expect((await propose()).stdout).toContain('1 created');
    expect(only().body).toContain('| `content/en/articles/remove.md` |  |  | a new file |');
    merge();
    expect(await readFile(join(world.cwd, 'content/en/articles/remove.md'), 'utf8')).toContain('Delete it.');
    expect((await world.run('sync')).exit).toBe(0);
    expect((await world.run('plan')).stdout).toContain('in sync');
  });

  test('a new page that gets another title and address before a sync has seen its file stays one page', async () => {
    await world.run('sync');
    await site.ask('PUT', '/api/v2/articles', {
      title: 'Remove',
      slug: 'remove',
      categories: [],
      tags: [],
      excerpt: '',
      ordering: 0,
      status: 'published',
      content: '<p>Delete it.</p>',
    });
    await propose();
    const rename = (body: Record<string, unknown>): void =>
      void Object.assign(body, { title: 'Take it off', slug: 'take-off' });
    await site.edit('Remove', rename);
    // The request keeps the name of its file.
    await propose();
    expect(onBranch('content/en/articles/remove.md')).toContain('slug: take-off');
    merge();
    await site.edit('Take it off', (body) => void (body['title'] = 'Uninstall'));
    const ran = await world.run('sync');
    expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining('→ Uninstall on the site')]);
    expect(await site.titles()).toEqual(['Install', 'Uninstall', 'Update']);
    await propose();
    merge();
    expect((await world.run('sync')).exit).toBe(0);
    expect((await world.run('plan')).stdout).toContain('in sync');
    expect(await site.titles()).toEqual(['Install', 'Uninstall', 'Update']);
  });

  test('a sync that holds the state is waited for; if it takes too long, the proposal goes on and says what that costs', async () => {
    await world.run('sync');
    const page = { excerpt: '', ordering: 0, status: 'published', categories: [], tags: [] };
    await site.ask('PUT', '/api/v2/articles', {
      ...page,
      title: 'Remove',
      slug: 'remove',
      content: '<p>A</p>',
    });
    const file = join(world.cwd, '.kbsync/state.json');
    const isRemembered = async (): Promise<boolean> => (await readFile(file, 'utf8')).includes('"pulled"');
    const hold = () => openBase({ file, origin: BASE_URL, readOnly: false });
    const held = await hold();
    const late = await propose();
    expect([late.exit, late.stdout]).toEqual([0, expect.stringContaining('1 created')]);
    expect(late.stderr).toContain('another kbsync run holds this state');
    expect(late.stderr).toContain('The next kbsync pull --propose writes it.');
    expect([only().state, await isRemembered()]).toEqual(['open', false]);
    const { clock } = world.world();
    const sleep = clock.sleep.bind(clock);
    clock.sleep = async (delayMs) => {
      await held.close();
      return sleep(delayMs);
    };
    const waited = await propose();
    clock.sleep = sleep;
    expect([waited.exit, waited.stderr.includes('holds this state'), await isRemembered()]).toEqual([
      0,
      false,
      true,
    ]);
  });

  test.each([['with a state'], ['in a fresh clone']])(
    '%s: a file that its author deleted does not come back, and is told',
    async (state) => {
      await world.run('sync');
      await world.remove('content/en/articles/update.md');
      commit('no update');
      if (state === 'in a fresh clone') await world.remove('.kbsync');
      const ran = await propose('--json');
      const { records, proposal } = JSON.parse(ran.stdout) as {
        records: readonly { key: string; action: string; why: string }[];
        proposal: { state: string };
      };
      expect(records).toMatchObject([{ key: 'article/update@en', action: 'gone' }]);
      expect(proposal.state).toBe('none');
      await site.edit('Install', retitled('Install it'));
      await propose();
      expect(git(bare, 'diff', '--name-only', 'main', 'kbsync/pull')).toBe('content/en/articles/install.md');
      expect(only().body).toContain('content/en/articles/update.md');
      if (state === 'with a state') return;
      // A site without stamps has the history to tell it.
      await world.write('kbsync.yaml', 'stamp: false\n');
      commit('no stamps');
      await world.run('sync', '--adopt', 'local', '--on-drift', 'overwrite');
      await world.remove('.kbsync');
      expect(await world.run('pull', '--dry-run', '--json')).toMatchObject({
        stdout: expect.stringMatching(/"article\/update@en"[^}]*"gone"/),
      });
    },
  );

  test('of a file that the settings leave out, nobody says that it was deleted', async () => {
    await world.run('sync');
    await world.remove('.kbsync');
    await world.write('kbsync.yaml', "exclude: ['*/articles/update.md']\n");
    const { stdout } = await world.run('pull', '--dry-run');
    expect(stdout).toContain('no file makes this page now; take its file back from git or from `exclude`');
    expect(stdout).not.toContain('deleted');
  });

  test('a proposal about a part has a branch of its own, and leaves that of the whole alone', async () => {
    await world.run('sync');
    await site.edit('Install', retitled('Install it'));
    await site.edit('Update', retitled('Update it'));
    await propose();
    const whole = git(bare, 'rev-parse', 'kbsync/pull');
    const part = await propose('content/en/articles/update.md');
    const [branch = ''] =
      /kbsync\/pull-only-content-en-articles-update-md-[0-9a-f]{8}/.exec(part.stdout) ?? [];
    expect(branch).not.toBe('');
    expect(git(bare, 'diff', '--name-only', 'main', branch)).toBe('content/en/articles/update.md');
    expect(git(bare, 'rev-parse', 'kbsync/pull')).toBe(whole);
    expect((await propose('--lang', 'fr')).stdout).toContain('nothing to propose');
    expect(forge.requests.map(({ state }) => state)).toEqual(['open', 'open']);
    await site.edit('Update it', retitled('Update'));
    expect((await propose('content/en/articles/update.md')).stdout).toMatch(/^closed the request/m);
    expect(git(bare, 'rev-parse', 'kbsync/pull')).toBe(whole);
  });

  test('text of the site is text in the request', async () => {
    await world.run('sync');
    await site.edit('Install', retitled('<!-- x --> | @ada closes #1 [a](https://b.test)'));
    await propose();
    expect(only().body).toContain(
      String.raw`| title | Install | \<!-- x --\> \| @${'\u200b'}ada closes \#1 \[a\](https://b.test) |`,
    );
  });
});

describe('a navigation above the content folder, in a project of a larger repository', () => {
  const SETTINGS = 'site_name: Docs\nnav:\n  - Install: install.md\n  - Update: update.md\n';
  beforeEach(() =>
    setUp('GitHub', {
      'kbsync.yaml': 'preset: mkdocs\ncontent: site/docs\nid: docs\n',
      'site/mkdocs.yml': SETTINGS,
      'site/docs/install.md': '# Install\n\nGo.\n',
      'site/docs/update.md': '# Update\n\nGo.\n',
    }),
  );

  test('comes with the new pages and titles; merged, the next run is in sync', async () => {
    await world.run('sync');
    await newArticle(site, 'x1');
    await site.edit('Install', retitled('Set up'));
    expect((await propose()).stdout).toContain('+ site/docs/new-x1.md  entered in site/mkdocs.yml\n');
    expect(git(bare, 'diff', '--name-only', 'main', 'kbsync/pull').split('\n')).toEqual([
      'site/docs/install.md',
      'site/docs/new-x1.md',
      'site/mkdocs.yml',
    ]);
    expect(onBranch('site/mkdocs.yml')).toBe(
      `${SETTINGS.replace('Install:', 'Set up:')}  - New x1: new-x1.md`,
    );
    merge();
    expect((await world.run('sync')).stdout).toMatch(/^in sync: 3 records/m);
    expect((await propose()).stdout).toMatch(/^nothing to propose$/m);
  });

  test('that git does not have keeps its pages out of the branch', async () => {
    await world.run('sync');
    git(world.cwd, 'rm', '-q', '--cached', 'site/mkdocs.yml');
    await world.write('.gitignore', '.kbsync\nmkdocs.yml\n');
    commit('a build makes it');
    await newArticle(site, 'x1');
    await site.edit('Install', retitled('Set up'));
    const { stdout, exit } = await propose();
    expect(stdout).toContain('? site/docs/new-x1.md  ../mkdocs.yml: git does not have this file\n');
    expect(stdout).toContain('? site/docs/install.md  title  ../mkdocs.yml: git does not have this file\n');
    expect([exit, branches()]).toEqual([0, 'main']);
  });
});

describe('who may not', () => {
  beforeEach(() => setUp('GitHub'));

  test.each([
    [
      'a job for a pull request',
      { GITHUB_EVENT_NAME: 'pull_request_target' },
      4,
      'its files may be those of a fork',
    ],
    ['a checkout of something else', { GITHUB_SHA: 'f'.repeat(40) }, 4, 'and the job is about fffffff'],
    ['no token', { GITHUB_TOKEN: undefined }, 4, 'GITHUB_TOKEN is not set'],
    [
      'a token without rights',
      { GITHUB_TOKEN: 'other' },
      1,
      'GitHub answered 401 to GET /repos/acme/docs/pulls: Bad credentials',
    ],
    ['no job', { GITHUB_ACTIONS: undefined }, 64, 'in a job of GitHub Actions or GitLab CI'],
  ])('%s: nothing is pushed', async (_, change, exit, said) => {
    await world.run('sync');
    await site.edit('Install', retitled('Install it'));
    Object.assign(world.env, forge.env(git(world.cwd, 'rev-parse', 'HEAD')), change);
    const ran = await world.run('pull', '--propose');
    expect(ran.stderr).toContain(said);
    expect(ran.exit).toBe(exit);
    expect(branches()).toBe('main');
    expect(forge.requests).toEqual([]);
  });
});
