import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../../../src/service/index.ts';
import { SendError } from '../../../../src/remote/http/send-error.ts';
import { fakeWorld, SMALL, type FakeWorld } from '../../support/fake-world.ts';

const STATES = 'https://states.acme.test';
const ADDRESS = `${STATES}/api/state/docs`;
const STATE_KEY = 'the-key-of-the-states-0123456789';
const LOCK = {
  ID: 'b'.repeat(32),
  Operation: 'kbsync sync',
  Who: 'bob@ci',
  Created: '2026-11-23T01:00:00.000Z',
};

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld(SMALL);
  const clock = { now: () => world.world().clock.now() };
  const app = createApp({ store: world.service.store, clock, teamStates: { key: STATE_KEY } });
  world.elsewhere.set(STATES, (request) => app.fetch(request));
});
afterEach(() => world.close());

const share = (): void => {
  world.env['KBSYNC_STATE'] = ADDRESS;
  world.env['KBSYNC_STATE_PASSWORD'] = STATE_KEY;
};

async function ran(...argv: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await world.run(...argv);
  if (exit !== 0) throw new Error(`${exit}: ${stdout}${stderr}`);
  return stdout;
}

const asked = async (method: string, body?: object, headers = {}): Promise<Response> =>
  (world.elsewhere.get(STATES) ?? fetch)(
    new Request(ADDRESS, {
      method,
      headers: { authorization: `Bearer ${STATE_KEY}`, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );

const writes = (): readonly string[] => world.sent.filter((request) => !request.startsWith('GET'));

describe('a state that machines share', () => {
  test('is what the next machine knows', async () => {
    share();
    await ran('sync');
    const made = writes().length;
    expect(made).toBeGreaterThan(3);
    await world.remove('.kbsync');
    expect((await world.run('sync')).stdout).toContain('in sync');
    expect(writes()).toHaveLength(made);
    expect(await ran('status')).toContain('5 in sync, 0 changed');
    expect(await ran('doctor')).toContain('records');
  });

  test('stops a second run before its first write, with who holds the lock', async () => {
    share();
    await asked('LOCK', LOCK, { timeout: 'Second-300' });
    const { exit, stderr } = await world.run('sync');
    expect([exit, writes()]).toEqual([4, []]);
    expect(stderr).toMatch(
      /another kbsync run holds this state: bob@ci \(kbsync sync, since 2026-11-23T01:00:00.000Z\)[^]*its lock ends by itself at [^]*kbsync state unlock b{32}/,
    );
    expect((await world.run('plan')).exit).toBe(0);
    expect(await ran('state', 'unlock', LOCK.ID, '--yes')).toContain('the lock is free');
    expect((await world.run('state', 'unlock', LOCK.ID, '--yes')).exit).toBe(4);
    await ran('sync');
  });

  test('stops a run before its first write if it cannot be reached or the key is wrong', async () => {
    share();
    world.env['KBSYNC_STATE_PASSWORD'] = 'another-key-0123456789';
    const wrong = await world.run('sync');
    expect([wrong.exit, wrong.stderr]).toEqual([1, expect.stringContaining('check KBSYNC_STATE_USERNAME')]);
    world.elsewhere.set('https://nowhere.acme.test', () =>
      Promise.reject(
        new SendError('not-sent', 'nothing listens at that address', { isTimeout: false, cause: undefined }),
      ),
    );
    world.env['KBSYNC_STATE'] = 'https://nowhere.acme.test/state';
    const gone = await world.run('sync');
    expect(gone.exit).toBe(1);
    expect(gone.stderr).toContain('https://nowhere.acme.test/state cannot be reached');
    expect(`${wrong.stderr}${gone.stderr}`).not.toContain('0123456789');
    expect(writes()).toEqual([]);
  });

  test('sends nothing more once its lock is lost', async () => {
    share();
    let isTaken = false;
    world.wrap = (send) => async (request) => {
      if (!isTaken && request.method !== 'GET') {
        isTaken = true;
        const held = (await (await asked('LOCK', LOCK)).json()) as { readonly ID: string };
        await asked('UNLOCK', { ID: held.ID });
        await asked('LOCK', LOCK);
      }
      return send(request);
    };
    const { exit, stderr } = await world.run('sync', '--concurrency', '1');
    expect(exit).toBe(4);
    expect(stderr).toContain("this run's lock is lost");
    expect(stderr).toContain('bob@ci');
    expect(writes().length).toBeLessThanOrEqual(2);
    // What left is looked up by the next run, and nothing is made twice.
    await asked('UNLOCK', LOCK);
    world.wrap = (send) => send;
    await ran('sync');
    expect((await world.run('sync')).stdout).toContain('in sync');
    const titles = await world.service.store.read((sql) =>
      sql.all<{ readonly name: string }>('select name from articles where language is null'),
    );
    expect(new Set(titles.map(({ name }) => name)).size).toBe(titles.length);
  });

  test('is never used beside a state file; push moves the file there', async () => {
    await ran('sync');
    const made = writes().length;
    share();
    const two = await world.run('sync');
    expect([two.exit, two.stderr]).toEqual([4, expect.stringContaining('there are two states')]);
    expect(await ran('state', 'push')).toBe('pushed a state of 5 records\n');
    expect((await world.run('sync')).stdout).toContain('in sync');
    expect(writes()).toHaveLength(made);
    expect((await world.run('state', 'push')).stderr).toContain('there is no state file');
  });

  test('is replaced by a copy only when asked, and never by one of another knowledge base', async () => {
    share();
    await ran('sync');
    await world.write('copy.json', await ran('state', 'pull'));
    await ran('state', 'rm', 'article/install@fr');
    const refused = await world.run('state', 'push', 'copy.json');
    expect([refused.exit, refused.stderr]).toEqual([4, expect.stringContaining('holds a state already')]);
    expect(await ran('state', 'list')).not.toContain('article/install@fr');
    await ran('state', 'push', 'copy.json', '--force');
    expect(await ran('state', 'list')).toContain('article/install@fr');
    world.env['KBSYNC_BASE_URL'] = 'https://other.acme.test';
    expect((await world.run('state', 'push', 'copy.json', '--force')).stderr).toContain('belongs to');
  });
});

describe('where the state is', () => {
  test('a file that another setting overrules is still a second state, and push finds it', async () => {
    await world.write('kbsync.yaml', 'state: state/docs.json\n');
    await ran('sync');
    share();
    const two = await world.run('sync');
    expect([two.exit, two.stderr]).toEqual([4, expect.stringContaining('state/docs.json, and https')]);
    expect(await ran('state', 'push')).toContain('pushed a state of 5 records');
    expect(await ran('sync')).toContain('in sync');
  });

  test('a file of the environment or the command line never stands beside an address', async () => {
    await world.write('kbsync.yaml', `state: ${ADDRESS}\n`);
    world.env['KBSYNC_STATE'] = 'mine.json';
    const own = await world.run('sync');
    expect([own.exit, own.stderr]).toEqual([
      4,
      expect.stringContaining('KBSYNC_STATE mine.json would be a second state: `state` in kbsync.yaml'),
    ]);
    world.env['KBSYNC_STATE'] = ADDRESS;
    const flag = await world.run('sync', '--state', 'mine.json');
    expect([flag.exit, flag.stderr]).toEqual([
      4,
      expect.stringContaining('--state mine.json would be a second state: KBSYNC_STATE'),
    ]);
    expect(writes()).toEqual([]);
  });

  test('commands of a shared state say what they need if the state is a file', async () => {
    await world.write('kbsync.yaml', '{}\n');
    const push = await world.run('state', 'push');
    expect([push.exit, push.stderr]).toEqual([
      64,
      expect.stringContaining('first set `state:` in kbsync.yaml'),
    ]);
    const unlock = await world.run('state', 'unlock', 'x');
    expect([unlock.exit, unlock.stderr]).toEqual([64, expect.stringContaining('there is no lock to free')]);
  });

  test('an address that keeps no state is no path of this machine', async () => {
    await world.write('kbsync.yaml', 'state: s3://acme-docs/state.json\n');
    const { exit, stderr } = await world.run('sync');
    expect([exit, stderr]).toEqual([
      64,
      expect.stringContaining('`state` in kbsync.yaml cannot be used: kbsync keeps no state at s3://\n'),
    ]);
    expect(stderr).toContain('write a path, https://…, postgres://… or git:refs/kbsync/NAME');
    // No address at all, as a URL is read.
    const other = await world.run('sync', '--state', 's3://[acme');
    expect([other.exit, other.stderr]).toEqual([
      64,
      expect.stringContaining('--state cannot be used: kbsync keeps no state at s3://\n'),
    ]);
    expect(writes()).toEqual([]);
  });

  test('kbsync.yaml alone does not say where a password goes', async () => {
    await world.write('kbsync.yaml', `state: ${ADDRESS}\n`);
    world.env['KBSYNC_STATE_PASSWORD'] = STATE_KEY;
    const asks: string[] = [];
    const states = world.elsewhere.get(STATES) ?? fetch;
    world.elsewhere.set(STATES, (request) => {
      asks.push(request.url);
      return states(request);
    });
    const { exit, stderr } = await world.run('sync');
    expect([exit, stderr, asks]).toEqual([
      4,
      expect.stringContaining(`set KBSYNC_STATE_ORIGIN=${STATES} beside the password`),
      [],
    ]);
    world.env['KBSYNC_STATE_ORIGIN'] = STATES;
    await ran('sync');
    expect(asks.length).toBeGreaterThan(3);
  });

  test('an accepted translation is kept where the state is', async () => {
    share();
    await ran('sync');
    const path = 'content/en/articles/install.md';
    await world.write(path, `${await world.read(path)}\nOne more line.\n`);
    await ran('sync');
    await ran('translations', 'accept', 'article/install@fr');
    await expect(world.read('.kbsync/state.json')).rejects.toThrow('ENOENT');
    expect((await world.run('sync')).stdout).toContain('in sync');
  });
});

describe('kbsync state', () => {
  test('lists and shows what is known', async () => {
    await ran('sync');
    expect(await ran('state', 'list')).toMatch(/article\/install@en +\S+\n/);
    expect(JSON.parse(await ran('state', 'show', 'article/install@en'))).toMatchObject({
      key: 'article/install@en',
      ownership: 'created',
    });
    const { exit, stderr } = await world.run('state', 'show', 'article/instal@en');
    expect([exit, stderr]).toEqual([64, expect.stringContaining('article/install@en')]);
  });

  test('lets another file have a record, which is then edited and not made again', async () => {
    const text = '---\ntitle: Extra\ncategories: [start]\n---\n\nMore.\n';
    await world.write('content/en/articles/extra.md', text);
    await ran('sync');
    await world.remove('content/en/articles/extra.md');
    await world.write('content/en/articles/new/more.md', text.replace('Extra', 'More'));
    expect(await ran('state', 'mv', 'article/extra@en', 'article/new/more@en')).toContain('is');
    const { exit, stdout } = await world.run('sync', '--json');
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      0,
      { summary: { created: 0, updated: 1, deleted: 0 } },
    ]);
    const wrong = await world.run('state', 'mv', 'article/new/more@en', 'tag/more@en');
    expect(wrong.exit).toBe(64);
  });

  test('says that the lock of a file ends with its run', async () => {
    const { exit, stderr } = await world.run('state', 'unlock', 'b'.repeat(32));
    expect([exit, stderr]).toEqual([64, expect.stringContaining('the lock of a file ends with its run')]);
  });
});

test('an address with a password is taken from the environment only', async () => {
  await world.write('kbsync.yaml', `state: https://ada:secret@states.acme.test/api/state/docs\n`);
  const { exit, stderr } = await world.run('sync');
  expect([exit, stderr]).toEqual([4, expect.stringContaining('`state` in kbsync.yaml holds a password')]);
  expect(stderr).not.toContain('secret');
  const flag = await world.run('sync', '--state', 'state.json');
  expect([flag.exit, flag.stderr]).toEqual([4, expect.stringContaining('would be a second state')]);
});
