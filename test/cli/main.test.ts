import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BASE_URL, fakeWorld, SMALL, type FakeWorld, type Ran } from './support/fake-world.ts';
import { siteOf } from './support/site.ts';
import { loadSettings } from '../../src/config/settings.ts';
import type { Send } from '../../src/remote/remote.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
});
afterEach(() => world.close());

interface Json {
  readonly format: number;
  readonly [name: string]: unknown;
}

/** The one document on stdout; fails when there is anything else. */
function document(ran: Ran): Json {
  return JSON.parse(ran.stdout) as Json;
}

/** An editor at work: changes the record of one article over the API. */
function editOnSite(title: string, change: (body: Record<string, unknown>) => void): Promise<void> {
  return siteOf(world).edit(title, change);
}

async function removeFile(file: string): Promise<void> {
  const { rm } = await import('node:fs/promises');
  await rm(`${world.cwd}/${file}`);
}

const retitled = SMALL['content/en/articles/update.md']?.replace('Update', 'Upgrade') ?? '';

describe('every exit code', () => {
  test('0: a first sync writes all, a second one is in sync with three requests', async () => {
    const first = await world.run('sync');
    expect(first).toMatchObject({ exit: 0 });
    expect(first.stdout).toMatch(/^5 created, 0 unchanged in \d+\.\d s, \d+ requests\n$/);
    world.sent.length = 0;
    const second = await world.run('sync');
    expect(second.stdout).toMatch(/^in sync: 5 records unchanged in \d+\.\d s, 3 requests\n$/);
    expect(world.sent.sort()).toEqual(['GET /api/v2/articles', 'GET /api/v2/categories', 'GET /api/v2/tags']);
    expect(second.exit).toBe(0);
  });

  test('1 for plan and check, 5 for sync: a file with errors, with every problem shown and nothing sent for it', async () => {
    await world.write(
      'content/en/articles/bad.md',
      '---\ntitle: Bad\ntags: [clii]\n---\n\n[x](nowhere.md)\n',
    );
    for (const command of ['plan', 'sync', 'check']) {
      const ran = await world.run(command);
      expect(ran.exit).toBe(command === 'sync' ? 5 : 1);
      expect(ran.stdout + ran.stderr).toContain('content/en/articles/bad.md:3:');
      expect(ran.stdout + ran.stderr).toContain('error unknown-tag');
      expect(ran.stdout + ran.stderr).toContain('error dead-link');
    }
    const plan = JSON.parse((await world.run('plan', '--json')).stdout) as Record<string, unknown>;
    expect(plan['blocked']).toMatchObject([{ key: 'article/bad@en', reason: 'file-errors' }]);
  });

  test('1: a run whose every write fails', async () => {
    world.wrap = (send) => (request) =>
      request.method === 'PUT'
        ? Promise.resolve(
            new Response(JSON.stringify({ success: false, message: 'no room' }), {
              status: 400,
              headers: { 'content-type': 'application/json' },
            }),
          )
        : send(request);
    const ran = await world.run('sync');
    expect(ran.stdout).toContain('no room');
    expect([1, 5]).toContain(ran.exit);
  });

  test('2: plan --exit-code with changes pending, and 0 without the flag', async () => {
    expect((await world.run('plan')).exit).toBe(0);
    expect((await world.run('plan', '--exit-code')).exit).toBe(2);
    await world.run('sync');
    expect((await world.run('plan', '--exit-code')).exit).toBe(0);
  });

  test('3: a conflict stops its own record only', async () => {
    await world.run('sync');
    await editOnSite('Update', (body) => (body['title'] = 'Updating'));
    await world.write('content/en/articles/update.md', retitled);
    await world.write('content/en/tags/new.md', '---\nname: New\n---\n');
    const plan = await world.run('plan');
    expect(plan.exit).toBe(3);
    expect(plan.stdout).toContain('! conflict  article/update@en  title');
    expect(plan.stdout).toContain('base    Update    (state file)');
    expect(plan.stdout).toContain('file    Upgrade   content/en/articles/update.md:2');
    expect(plan.stdout).toContain('remote  Updating');
    expect(plan.stderr).toContain('next: resolve the conflict');
    const sync = await world.run('sync');
    expect(sync.exit).toBe(3);
    expect(sync.stdout).toContain('1 created');
    expect((await world.run('sync', '--on-conflict', 'local')).exit).toBe(0);
    expect((await world.run('sync')).stdout).toContain('in sync');
  });

  test('4: a guard refuses', async () => {
    await world.run('sync');
    for (const file of Object.keys(SMALL)) await removeFile(file);
    const ran = await world.run('sync', '--prune');
    expect(ran.exit).toBe(4);
    expect(ran.stdout).toContain('! refused');
    expect(ran.stdout).toContain('--allow-vanished');
  });

  test('5: partly done when the service fails in between, and the next run finishes', async () => {
    let writes = 0;
    world.wrap = (send) => (request) => {
      if (request.method !== 'PUT') return send(request);
      writes += 1;
      return writes === 3
        ? Promise.resolve(
            new Response(JSON.stringify({ success: false, message: 'no' }), {
              status: 422,
              headers: { 'content-type': 'application/json' },
            }),
          )
        : send(request);
    };
    const ran = await world.run('sync');
    expect(ran.exit).toBe(5);
    expect(ran.stdout).toMatch(/\d failed/);
    expect(ran.stderr).toContain(
      'next: resolve what failed, as it is named above, then run kbsync sync again',
    );
    world.wrap = (send) => send;
    expect((await world.run('sync')).exit).toBe(0);
  });

  test.each([
    [['frobnicate']],
    [['plan', '--prun']],
    [['sync', '--on-conflict', 'theirs']],
    [['sync', '--concurrency', '0']],
    [['sync', '--concurrency', '129']],
    [['sync', '--max-delete', 'all']],
    [['plan', 'surplus']],
    [['apply']],
    [['apply', 'missing.json']],
    [['plan', '--config', 'missing.yaml']],
    [['plan', '--env', 'staging']],
    [['plan', '--lang', 'xx']],
    [['plan', '--allow', 'dead-lnk']],
    [['plan', '--allow', 'bad-encoding']],
    [['plan', '--base-url', 'help.acme.test']],
    [[]],
  ])('64: %j', async (argv) => {
    const ran = await world.run(...argv);
    expect(ran.exit).toBe(64);
    expect(ran.stderr).not.toBe('');
    expect(ran.stdout).toBe('');
    expect(world.sent).toEqual([]);
  });

  test('130: a signal ends the run after what is under way', async () => {
    world.wrap = (send) => async (request) => {
      if (request.method === 'PUT') world.signal('SIGINT');
      return send(request);
    };
    const ran = await world.run('sync');
    expect(ran.exit).toBe(130);
    expect(ran.stderr).toContain('stopping: finishing what is under way, Ctrl-C again leaves now');
    expect(ran.stdout).toContain('running again is safe');
    world.wrap = (send) => send;
    // Nothing was cut off, so that nothing has to be waited for.
    expect((await world.run('sync')).exit).toBe(0);
    expect((await world.run('sync')).stdout).toContain('5 records unchanged');
  });

  test('130: a second signal leaves at once, and so does the end of 30 s', async () => {
    const hang: Send = (request) => {
      world.signal('SIGTERM');
      world.signal('SIGTERM');
      return world.service.fetch(request);
    };
    world.wrap = () => hang;
    await world.run('sync');
    expect(world.left[0]).toBe(130);
  });
});

describe('the key', () => {
  test('without a key nothing is read or sent, and the way to one is named', async () => {
    delete world.env['KBSYNC_API_KEY'];
    const ran = await world.run('plan');
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain('KBSYNC_API_KEY is not set');
    expect(ran.stderr).toContain('kbsync serve keys create');
  });

  test('a key with a line end is refused without showing it', async () => {
    world.env['KBSYNC_API_KEY'] = 'canary-123\n456';
    const ran = await world.run('plan');
    expect(ran.exit).toBe(64);
    expect(ran.stdout + ran.stderr).not.toContain('canary');
  });

  test.each([
    ['another host', 'https://other.acme.test', 4],
    ['another scheme', 'http://help.acme.test', 4],
    ['another port', 'https://help.acme.test:8443', 4],
    ['no address', 'help.acme.test', 4],
    ['the same origin', 'https://help.acme.test/', 0],
    ['the same origin with a path', 'https://help.acme.test/kb', 0],
    ['nothing', '', 0],
  ])('KBSYNC_ORIGIN that names %s', async (_, bound, exit) => {
    world.env['KBSYNC_ORIGIN'] = bound;
    const ran = await world.run('plan');
    expect(ran.exit).toBe(exit);
    expect(world.sent.length > 0).toBe(exit === 0);
  });

  test.each([
    ['a user name in the address', 'https://me:secret@help.acme.test', 4],
    ['plain http to another machine', 'http://help.acme.test', 4],
    ['a scheme that is not http', 'ftp://help.acme.test', 64],
    ['a query', 'https://help.acme.test/?key=1', 64],
    ['the path of the API on this machine', 'http://127.0.0.1:4000/api/v2', 64],
  ])('%s is refused before anything is sent', async (_, address, exit) => {
    const ran = await world.run('plan', '--base-url', address);
    expect(ran.exit).toBe(exit);
    expect(ran.stderr).not.toContain('secret');
    expect(world.sent).toEqual([]);
  });

  test('an address with a path too much is asked for, where the service has nothing there', async () => {
    const ran = await world.run('plan', '--base-url', `${BASE_URL}/help`);
    expect(ran.exit).toBe(1);
    expect(ran.stderr).toContain(
      '= help: is `baseUrl` the address of the knowledge base? kbsync adds /api/v2 to it; some services answer so to a key that they do not know: check KBSYNC_API_KEY too\n',
    );
  });

  test('a key that the service does not know', async () => {
    world.env['KBSYNC_API_KEY'] = 'kb_000000000000_wrong';
    const ran = await world.run('sync');
    expect(ran.exit).toBe(1);
    expect(ran.stderr).toContain('error[unauthorized]');
    expect(ran.stderr).toContain('= help: check KBSYNC_API_KEY');
  });

  test('the key is in no output, whatever the service echoes', async () => {
    const { key } = world.service;
    world.wrap = () => () =>
      Promise.resolve(
        new Response(JSON.stringify({ success: false, message: `bad key ${key}` }), {
          status: 403,
          headers: { 'content-type': 'application/json' },
        }),
      );
    for (const argv of [['plan'], ['sync', '--verbose'], ['sync', '--json'], ['status']]) {
      const ran = await world.run(...argv);
      expect(ran.stdout + ran.stderr).not.toContain(key);
    }
    world.wrap = (send) => send;
    await world.run('sync', '--verbose');
    await world.run('plan', '--out', 'plan.json');
    for (const file of ['plan.json', '.kbsync/state.json']) expect(await world.read(file)).not.toContain(key);
  });
});

describe('settings', () => {
  test('flags win over the environment, the environment over the file', async () => {
    await world.write('kbsync.yaml', 'baseUrl: https://file.acme.test\ncontent: elsewhere\n');
    delete world.env['KBSYNC_BASE_URL'];
    expect((await world.run('plan')).stderr).toContain('elsewhere');
    world.env['KBSYNC_BASE_URL'] = BASE_URL;
    expect((await world.run('plan', '--content', 'content')).exit).toBe(0);
    const flag = await world.run('plan', '--content', 'content', '--base-url', 'https://me@flag.acme.test');
    expect(flag.stderr).toContain('--base-url');
  });

  test('without an address the way to one is named', async () => {
    delete world.env['KBSYNC_BASE_URL'];
    const ran = await world.run('plan');
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain('kbsync init');
  });

  test('faults of kbsync.yaml are shown with their places', async () => {
    await world.write('kbsync.yaml', 'stamp: maybe\nhtlm: trust\n');
    const ran = await world.run('plan');
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain('kbsync.yaml:1:8: error config: `stamp` is "maybe"; it takes true or false');
    expect(ran.stderr).toContain(
      'kbsync.yaml:2:1: error config: unknown setting `htlm`, did you mean `html`?',
    );
    expect(ran.stderr).toContain('2 errors in kbsync.yaml; nothing was sent');
  });

  test('without a terminal a fault of kbsync.yaml keeps its way out', async () => {
    await world.write('kbsync.yaml', 'apiKey: kb_1\n');
    const help = 'put the key into the environment variable KBSYNC_API_KEY';
    expect((await world.run('plan')).stderr).toContain(`unknown setting \`apiKey\`; ${help}`);
    expect((await world.run('plan', '--json')).stdout).toContain(help);
    world.env['GITHUB_ACTIONS'] = 'true';
    expect((await world.run('plan')).stderr).toMatch(/^::error .*; put the key into/m);
  });

  test('a terminal sees a frame around a fault of kbsync.yaml', async () => {
    await world.write('kbsync.yaml', 'stamp: maybe\n');
    world.tty = { stdout: true, stderr: true, stdin: true };
    const ran = await world.run('plan', '--no-color');
    expect(ran.stderr).toContain('1 | stamp: maybe\n  |        ^^^^^\n');
  });

  test('an environment has its own address and its own state', async () => {
    await world.write(
      'kbsync.yaml',
      `baseUrl: https://live.acme.test\nstate: live.json\nenvironments: { staging: { baseUrl: ${BASE_URL} } }\n`,
    );
    delete world.env['KBSYNC_BASE_URL'];
    expect((await world.run('sync', '--env', 'staging')).exit).toBe(0);
    expect(await world.read('.kbsync/state.staging.json')).toContain(BASE_URL);
    const wrong = await world.run('sync', '--env', 'stagin');
    expect(wrong.exit).toBe(64);
    expect(wrong.stderr).toContain('did you mean `staging`?');
  });

  test('--state puts the state elsewhere, and a state of another knowledge base is refused', async () => {
    await world.run('sync', '--state', 'kb/state.json');
    const text = await world.read('kb/state.json');
    await world.write('.kbsync/state.json', text);
    world.env['KBSYNC_BASE_URL'] = 'https://other.acme.test';
    const ran = await world.run('status');
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('error[other-origin]');
    expect(ran.stderr).toContain('--state FILE');
  });

  test('a damaged state is refused and never taken for empty', async () => {
    await world.run('sync');
    await world.write('.kbsync/state.json', (await world.read('.kbsync/state.json')).slice(0, -40));
    const ran = await world.run('sync');
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('error[damaged]');
  });

  test('--allow turns one problem into a warning', async () => {
    await world.write('content/en/articles/bad.md', '---\ntitle: Bad\n---\n\n[x](nowhere.md)\n');
    expect((await world.run('check')).exit).toBe(1);
    const allowed = await world.run('check', '--allow', 'dead-link');
    expect(allowed.exit).toBe(0);
    expect(allowed.stdout).toContain('warning dead-link');
    await world.write('kbsync.yaml', 'allow: [dead-link]\n');
    expect((await world.run('check')).exit).toBe(0);
    expect((await world.run('plan')).stdout).toContain('[dead-link]');
  });

  test('--lang limits a run to a language', async () => {
    const plan = document(await world.run('plan', '--lang', 'en', '--json'));
    const languages = (plan['changes'] as { lang: string }[]).map(({ lang }) => lang);
    expect([...new Set(languages)]).toEqual(['en']);
  });

  test('--no-cache names no cache, else it lies beside the state', async () => {
    const flags = { lang: [], allow: [], json: false, quiet: false, verbose: false, yes: false, color: true };
    const cached = await loadSettings({ ...flags, cache: true, state: 'kb/state.json' }, world.world());
    expect(cached.cacheFile).toBe(`${world.cwd}/kb/cache.json`);
    expect((await loadSettings({ ...flags, cache: false }, world.world())).cacheFile).toBeUndefined();
    expect((await world.run('sync', '--no-cache')).exit).toBe(0);
  });
});

describe('deletes', () => {
  beforeEach(async () => {
    await world.run('sync');
    await removeFile('content/en/articles/update.md');
  });

  test('a record whose file is gone is kept without --prune', async () => {
    const plan = await world.run('plan');
    expect(plan.stdout).toContain('- article  update  kept: deletes need --prune');
    expect(plan.stdout).toContain('0 delete (1 kept)');
    const sync = await world.run('sync');
    expect(sync.exit).toBe(0);
    expect(sync.stdout).toContain('kept      article/update@en: no file; deletes need --prune');
  });

  test('without a terminal --prune is enough', async () => {
    const ran = await world.run('sync', '--prune');
    expect(ran).toMatchObject({ exit: 0 });
    expect(ran.stdout).toContain('1 deleted');
    expect(world.asked).toEqual([]);
  });

  test('a person at a terminal is asked, and no is no', async () => {
    world.tty = { stdout: true, stderr: true, stdin: true };
    for (const answer of ['n', '', 'what']) {
      world.typed.push(answer);
      const ran = await world.run('sync', '--prune');
      expect(ran.exit).toBe(4);
      expect(ran.stderr).toContain('nothing was sent');
    }
    world.typed.push('y');
    expect((await world.run('sync', '--prune')).exit).toBe(0);
    expect(world.asked).toHaveLength(4);
    expect(world.asked[0]).toBe(`Delete 1 record from ${BASE_URL}? [y/N] `);
  });

  test('--yes asks nothing', async () => {
    world.tty = { stdout: true, stderr: true, stdin: true };
    expect((await world.run('sync', '--prune', '--yes')).exit).toBe(0);
    expect(world.asked).toEqual([]);
  });

  test('--max-delete 0 refuses any delete', async () => {
    const ran = await world.run('sync', '--prune', '--max-delete', '0');
    expect(ran.exit).toBe(4);
    expect(ran.stdout).toContain('[too-many-deletes]');
  });

  test('what is deleted is kept in the trash', async () => {
    await world.run('sync', '--prune');
    const { readdir } = await import('node:fs/promises');
    const [run] = await readdir(`${world.cwd}/.kbsync/trash`);
    const [file] = await readdir(`${world.cwd}/.kbsync/trash/${run}`);
    expect(await world.read(`.kbsync/trash/${run}/${file}`)).toContain('"title": "Update"');
  });
});

describe('drift and adoption', () => {
  test('an edit on the site is drift: reported, left alone, overwritten when asked', async () => {
    await world.run('sync');
    await editOnSite('Update', (body) => (body['title'] = 'Updating'));
    const plan = await world.run('plan');
    expect(plan.exit).toBe(0);
    expect(plan.stdout).toContain(
      'drift     article/update@en  title Update → Updating on the site; left alone',
    );
    expect((await world.run('sync')).stdout).toContain('1 drift');
    expect((await world.run('sync', '--on-drift', 'overwrite')).stdout).toContain('1 updated');
    expect((await world.run('sync')).stdout).toContain('in sync');
  });

  test('--adopt local settles records that nobody can vouch for', async () => {
    await world.write('kbsync.yaml', 'stamp: false\n');
    await world.run('sync');
    await editOnSite('Update', (body) => (body['title'] = 'Updating'));
    const { rm } = await import('node:fs/promises');
    await rm(`${world.cwd}/.kbsync`, { recursive: true });
    const plan = await world.run('plan');
    expect(plan.exit).toBe(3);
    expect(plan.stdout).toContain('→ kbsync resolve article/update@en --local | --remote');
    expect((await world.run('sync', '--adopt', 'local')).exit).toBe(0);
    expect((await world.run('sync')).stdout).toContain('in sync');
  });
});

describe('a saved plan', () => {
  test('is carried out when it is still the plan', async () => {
    expect((await world.run('plan', '--out', 'plan.json')).stderr).toContain('next: kbsync apply plan.json');
    const ran = await world.run('apply', 'plan.json');
    expect(ran).toMatchObject({ exit: 0 });
    expect(ran.stdout).toContain('5 created');
  });

  test('is refused when a file changed since, with what differs', async () => {
    await world.run('plan', '--out', 'plan.json');
    await world.write('content/en/articles/update.md', retitled);
    const sentBefore = world.sent.filter((line) => !line.startsWith('GET')).length;
    const ran = await world.run('apply', 'plan.json');
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('article/update@en  other values: create');
    expect(world.sent.filter((line) => !line.startsWith('GET'))).toHaveLength(sentBefore);
  });

  test('is refused when the site changed since', async () => {
    await world.run('sync');
    await world.write('content/en/articles/update.md', retitled);
    await world.run('plan', '--out', 'plan.json');
    await editOnSite('Update', (body) => (body['title'] = 'Updating'));
    const ran = await world.run('apply', 'plan.json');
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('article/update@en  update became conflict');
  });

  test('keeps the policy it was made with', async () => {
    await world.run('sync');
    await removeFile('content/en/articles/update.md');
    await world.run('plan', '--prune', '--out', 'plan.json');
    expect((await world.run('apply', 'plan.json')).stdout).toContain('1 deleted');
  });

  test('of a part of the files that was carried out in part names no command for all of them', async () => {
    await world.run('plan', '--only', 'update', '--out', 'my plan.json');
    world.wrap = (send) => (request) =>
      request.method === 'PUT' && request.url.includes('/articles')
        ? Promise.resolve(Response.json({ success: false, message: 'no' }, { status: 422 }))
        : send(request);
    const ran = await world.run('apply', 'my plan.json', '--content', 'content');
    expect(ran.exit).toBe(5);
    expect(ran.stderr).toContain("then run kbsync plan --content content --out 'my plan.json' again");
  });

  test('is refused for another knowledge base, and when it is no plan', async () => {
    await world.run('plan', '--out', 'plan.json');
    await world.write(
      'other.json',
      (await world.read('plan.json')).replaceAll(BASE_URL, 'https://other.acme.test'),
    );
    expect((await world.run('apply', 'other.json')).exit).toBe(4);
    await world.write('no.json', '{"kbsync": "plan", "format": 2}');
    expect((await world.run('apply', 'no.json')).exit).toBe(64);
    await world.write('bad.json', '{');
    expect((await world.run('apply', 'bad.json')).stderr).toContain(
      'bad.json is not a saved plan: it is not JSON',
    );
    await world.write('other.json', '{}');
    expect((await world.run('apply', 'other.json')).stderr).toContain(
      'other.json is not a saved plan: `kbsync` is missing, or is not what a plan has there',
    );
  });

  test('that changes nothing any more is refused, because it was done', async () => {
    await world.run('plan', '--out', 'plan.json');
    await world.run('sync');
    const ran = await world.run('apply', 'plan.json');
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('is in sync by now');
  });
});

describe('--json', () => {
  test('plan: one document in the shape of the design', async () => {
    const ran = await world.run('plan', '--json');
    const plan = document(ran);
    expect(plan).toMatchObject({
      format: 1,
      conflicts: [],
      drift: [],
      unmanaged: [],
      problems: [],
      summary: {
        create: 5,
        update: 0,
        delete: 0,
        unchanged: 0,
        conflict: 0,
        drift: 0,
        unmanaged: 0,
        problem: 0,
      },
      requests: 3,
    });
    const [change] = plan['changes'] as Record<string, unknown>[];
    expect(change).toMatchObject({
      action: 'create',
      kind: 'category',
      key: 'category/start@en',
      lang: 'en',
      slug: 'start',
    });
    expect(ran.stderr).toContain('kbsync 0.0.0-test plan');
  });

  test('sync: the same with results and its own summary', async () => {
    const sync = document(await world.run('sync', '--json'));
    expect(sync).toMatchObject({
      format: 1,
      summary: {
        created: 5,
        updated: 0,
        deleted: 0,
        unchanged: 0,
        conflict: 0,
        drift: 0,
        failed: 0,
        pending: 0,
      },
    });
    const results = sync['results'] as Record<string, unknown>[];
    expect(results).toHaveLength(5);
    for (const result of results)
      expect(Object.keys(result)).toEqual(['key', 'lang', 'action', 'outcome', 'message']);
  });

  test('problems: code, message, file, line, column, severity', async () => {
    await world.write('content/en/articles/bad.md', '---\ntitle: Bad\ntags: [clii]\n---\n');
    for (const command of ['check', 'plan', 'sync']) {
      const { problems } = document(await world.run(command, '--json')) as unknown as { problems: unknown };
      expect(problems).toEqual([
        {
          code: 'unknown-tag',
          message: expect.stringContaining('`clii`'),
          file: 'content/en/articles/bad.md',
          line: 3,
          column: 8,
          severity: 'error',
        },
      ]);
    }
  });

  test('a failure is a document too', async () => {
    delete world.env['KBSYNC_API_KEY'];
    const failure = document(await world.run('sync', '--json'));
    expect(failure).toMatchObject({
      format: 1,
      error: { code: 'usage', message: expect.stringContaining('KBSYNC_API_KEY') },
    });
    expect(document(await world.run('sync', '--json', '--frob'))).toMatchObject({
      format: 1,
      error: { code: 'usage' },
    });
    await world.write('kbsync.yaml', 'stamp: 1\n');
    expect(document(await world.run('sync', '--json'))).toMatchObject({
      error: { code: 'config' },
      problems: [{ line: 1, column: 8 }],
    });
  });

  test('status and init', async () => {
    await world.run('sync');
    expect(document(await world.run('status', '--json'))).toMatchObject({
      format: 1,
      origin: BASE_URL,
      summary: { inStep: 5, changed: 0, new: 0, gone: 0 },
    });
    expect(document(await world.run('init', '--json'))).toMatchObject({
      format: 1,
      file: 'kbsync.yaml',
      content: 'content',
      languages: ['en', 'fr'],
    });
  });
});

describe('what is said', () => {
  test('--quiet says only the answer', async () => {
    expect(await world.run('sync', '--quiet')).toMatchObject({ stderr: '' });
    expect((await world.run('plan', '--quiet')).stdout).toBe('in sync: 5 records unchanged, 3 requests\n');
  });

  test('--verbose shows each request', async () => {
    expect((await world.run('sync', '--verbose')).stderr).toMatch(
      / {2}PUT \/api\/v2\/articles {2}2\d\d {2}\d+ ms/,
    );
  });

  test('a terminal gets colour and --no-color takes it away', async () => {
    world.tty = { stdout: true, stderr: true, stdin: true };
    expect((await world.run('plan')).stdout).toContain('\u001b[32m+\u001b[39m article');
    const plain = await world.run('plan', '--no-color');
    expect(plain.stdout).not.toContain('\u001b[');
  });

  test('a pipe gets no colour and no redrawing', async () => {
    const ran = await world.run('sync');
    expect(ran.stdout + ran.stderr).not.toContain('\u001b');
    expect(ran.stdout + ran.stderr).not.toContain('\r');
  });

  test('GitHub gets annotations for problems and conflicts', async () => {
    world.env['GITHUB_ACTIONS'] = 'true';
    await world.write('content/en/articles/bad.md', '---\ntitle: Bad\ntags: [clii]\n---\n');
    expect((await world.run('check')).stderr).toContain(
      '::error file=content/en/articles/bad.md,line=3,col=8,title=unknown-tag::',
    );
    await removeFile('content/en/articles/bad.md');
    await world.run('sync');
    await editOnSite('Update', (body) => (body['title'] = '##[error]Updating'));
    await world.write('content/en/articles/update.md', retitled);
    const ran = await world.run('sync');
    expect(ran.stderr).toContain('::error file=content/en/articles/update.md,line=2,col=8,title=conflict::');
    expect(ran.stdout).not.toContain('##[');
  });

  test('check with nothing wrong says what it read', async () => {
    expect(await world.run('check')).toMatchObject({
      exit: 0,
      stdout: '5 files, 2 languages, nothing wrong\n',
    });
  });

  test('check and status need no key and send nothing', async () => {
    delete world.env['KBSYNC_API_KEY'];
    expect((await world.run('check')).exit).toBe(0);
    const status = await world.run('status');
    expect(status.stdout).toContain('never synced');
    expect(status.stdout).toContain('0 in sync, 0 changed, 5 new, 0 gone');
    expect(world.sent).toEqual([]);
  });

  test('status tells what changed since the last sync', async () => {
    await world.run('sync');
    await world.write('content/en/articles/update.md', retitled);
    await world.write('content/fr/tags/cli.md', '---\nname: CLI\n---\n');
    await removeFile('content/fr/articles/install.md');
    const ran = await world.run('status');
    expect(ran.stdout).toContain('5 files, 6 records: 3 in sync, 1 changed, 1 new, 1 gone');
    expect(ran.stdout).toContain('last sync just now');
  });

  test('every command has help with an example', async () => {
    for (const command of [
      ['init'],
      ['check'],
      ['plan'],
      ['sync'],
      ['apply'],
      ['status'],
      ['serve'],
      ['serve', 'keys', 'create'],
      ['serve', 'keys', 'list'],
      ['serve', 'keys', 'revoke'],
      ['serve', 'versions', 'add'],
      ['serve', 'versions', 'list'],
    ]) {
      const ran = await world.run(...command, '--help');
      expect(ran.exit).toBe(0);
      expect(ran.stdout).toMatch(/Examples?:\n {2}\$ kbsync /);
    }
    const top = await world.run('--help');
    expect(top.stdout).toContain('Exit codes:');
    expect(await world.run('--version')).toMatchObject({ exit: 0, stdout: '0.0.0-test\n' });
  });

  test('help of a command is asked in either order', async () => {
    expect(await world.run('help')).toEqual(await world.run('--help'));
    expect(await world.run('help', 'help')).toEqual(await world.run('--help'));
    expect(await world.run('help', 'sync')).toEqual(await world.run('sync', '--help'));
    expect(await world.run('help', 'serve', 'keys')).toEqual(await world.run('serve', 'keys', '--help'));
  });

  test('a command that does not exist is told so, also if its help is asked', async () => {
    const said = "error: unknown command 'propose'\n(kbsync --help lists the commands)\n";
    for (const words of [['propose'], ['propose', '--help'], ['help', 'propose'], ['propose', '--json']]) {
      expect(await world.run(...words)).toMatchObject({ exit: 64, stderr: said });
    }
    expect((await world.run('serve', 'keys', 'make')).stderr).toContain('(kbsync serve keys --help lists');
  });

  test('a misspelt command or flag is answered with the one that is near', async () => {
    expect((await world.run('snyc')).stderr).toContain('(Did you mean sync?)');
    expect((await world.run('resolve')).stderr).toBe(
      "error: missing required argument 'key'\n(kbsync resolve --help explains it)\n",
    );
    expect((await world.run('sync', '--prun')).stderr).toContain('(Did you mean --prune?)');
    expect((await world.run('sync', '--dry-run')).stderr).toBe(
      "error: unknown option '--dry-run'\n(kbsync plan shows what a sync would do, and writes nothing)\n(kbsync sync --help explains it)\n",
    );
  });
});

describe('init', () => {
  test('writes a config that check takes, and names the next command', async () => {
    const ran = await world.run('init', '--base-url', BASE_URL);
    expect(ran).toMatchObject({ exit: 0, stdout: 'wrote kbsync.yaml for content: 2 languages (en, fr)\n' });
    expect(ran.stderr).toContain('next: kbsync check');
    expect(await world.read('kbsync.yaml')).toContain(`baseUrl: "${BASE_URL}"`);
    delete world.env['KBSYNC_BASE_URL'];
    expect((await world.run('sync')).exit).toBe(0);
  });

  test('overwrites nothing', async () => {
    await world.write('kbsync.yaml', 'stamp: true\n');
    const ran = await world.run('init');
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('exists already');
    expect(await world.read('kbsync.yaml')).toBe('stamp: true\n');
  });

  test('finds language folders that are written another way', async () => {
    await world.write('docs/zh-cn/articles/a.md', '---\ntitle: A\n---\n');
    const ran = await world.run('init', '--content', 'docs');
    expect(ran.exit).toBe(0);
    const text = await world.read('kbsync.yaml');
    expect(text).toContain('languages: { zh-cn: zh-CN }');
    expect(text).toContain('defaultLanguage: "zh-CN"');
  });

  test('names the schema for editors when the package is installed in the folder', async () => {
    await world.write('node_modules/kbsync/dist/kbsync.schema.json', '{}');
    await world.run('init');
    expect(await world.read('kbsync.yaml')).toMatch(/^# yaml-language-server: \$schema=\.\/node_modules/);
  });

  test('a folder without languages is told what is expected', async () => {
    const ran = await world.run('init', '--content', 'nowhere');
    expect(ran.exit).toBe(64);
    expect(ran.stderr).toContain('nowhere/en/articles');
  });
});

test('a value that a flag does not take is told in one line, with the one that is perhaps meant', async () => {
  const world = await fakeWorld();
  try {
    const message = '--on-drift is `overwrit`; it takes report, overwrite, did you mean `overwrite`?';
    expect((await world.run('sync', '--on-drift', 'overwrit')).stderr).toContain(`error: ${message}\n`);
    const ran = await world.run('sync', '--on-drift', 'overwrit', '--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'usage', message } });
  } finally {
    await world.close();
  }
});

test('the next command that a plan names does what the plan shows: same address, same records, same decisions', async () => {
  const world = await fakeWorld({
    ...SMALL,
    'kbsync.yaml': `baseUrl: https://live.acme.test\nenvironments: { staging: { baseUrl: ${BASE_URL} } }\n`,
  });
  delete world.env['KBSYNC_BASE_URL'];
  const nextOf = ({ stderr }: { readonly stderr: string }): string | undefined =>
    /^next: (.*)$/m.exec(stderr)?.[1];
  try {
    expect(nextOf(await world.run('plan', '--env', 'staging'))).toBe('kbsync sync --env staging');
    const flags = [
      '--env',
      'staging',
      '--only',
      'install',
      '--lang',
      'en',
      '--prune',
      '--on-drift',
      'overwrite',
    ];
    const next = nextOf(await world.run('plan', ...flags, '--max-delete', '7', '--assume-complete'));
    expect(next).toBe('kbsync sync --env staging --lang en --only install --prune --on-drift overwrite');
    const ran = await world.run(...(next ?? '').split(' ').slice(1));
    expect(ran).toMatchObject({ exit: 0 });
    expect(ran.stdout).toContain('partial:');
    const saved = await world.run('plan', '--env', 'staging', '--out', 'my plan.json');
    expect(nextOf(saved)).toBe("kbsync apply --env staging 'my plan.json'");
    expect(nextOf(await world.run('status', '--env', 'staging'))).toBe('kbsync plan --env staging');
    expect((await world.run('log', '--env', 'staging')).stderr).toContain('kbsync undo --env staging RUN');
  } finally {
    await world.close();
  }
});
