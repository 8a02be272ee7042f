import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld, type Ran } from '../../support/fake-world.ts';

let world: FakeWorld;
beforeEach(async () => {
  world = await fakeWorld();
});
afterEach(() => world.close());

/** Starts `serve`, hands its address to `use`, then ends it with a signal. */
async function serving(argv: readonly string[], use: (address: string) => Promise<void>): Promise<Ran> {
  const running = world.run('serve', '--port', '0', ...argv);
  const state = { isRunning: true };
  void running.then(() => (state.isRunning = false));
  while (!world.stderrNow().includes('Ctrl-C ends') && state.isRunning)
    await new Promise((resolve) => setImmediate(resolve));
  const address = /http:\/\/[\d.:]+/.exec(world.stdoutNow())?.[0];
  if (address !== undefined) {
    await use(address);
    world.signal('SIGTERM');
  }
  return running;
}

async function statusOf(address: string, path: string, key: string): Promise<number> {
  const response = await fetch(address + path, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}

describe('serve', () => {
  test('prints its address, takes the key it made, and ends with 0', async () => {
    const ran = await serving(
      ['--db', 'kb.sqlite', '--key-file', 'key.txt', '--languages', 'en,fr'],
      async (address) => {
        const key = (await world.read('key.txt')).trim();
        expect(await statusOf(address, '/api/v2/articles', key)).toBe(200);
        expect(await statusOf(address, '/api/v2/articles', 'kb_wrong')).toBe(401);
        expect(await statusOf(address, '/healthz', '')).toBe(200);
      },
    );
    expect(ran.exit).toBe(0);
    expect(ran.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
    expect(ran.stderr).toContain('made a key: export KBSYNC_API_KEY="$(cat key.txt)"');
    expect(ran.stderr).toContain('stopping');
  });

  test('makes the key file for its owner only, and keeps it at the next start', async () => {
    await serving(['--key-file', 'key.txt'], async () => undefined);
    const key = await world.read('key.txt');
    expect((await stat(`${world.cwd}/key.txt`)).mode & 0o777).toBe(0o600);
    const again = await serving(['--key-file', 'key.txt'], async (address) => {
      expect(await statusOf(address, '/api/v2/tags', key.trim())).toBe(200);
    });
    expect(again.stderr).toContain('the key is in key.txt');
    expect(await world.read('key.txt')).toBe(key);
  });

  test('a key file that belongs to another database is refused', async () => {
    await serving(['--db', 'one.sqlite', '--key-file', 'key.txt'], async () => undefined);
    const ran = await serving(['--db', 'two.sqlite', '--key-file', 'key.txt'], async () => undefined);
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('key.txt holds no live key of two.sqlite');
    expect(ran.stderr).toContain('name another file with --key-file');
    const other = await serving(['--db', 'two.sqlite', '--key-file', 'two.txt'], async () => undefined);
    expect(other.exit).toBe(0);
  });

  test('without a key it says how to make one', async () => {
    const ran = await serving([], async () => undefined);
    expect(ran.stderr).toContain('no key yet: kbsync serve keys create --db kbsync.db --name laptop');
  });

  test('a port that is taken is a failure with a way out', async () => {
    await serving(['--db', 'a.sqlite'], async (address) => {
      const other = await fakeWorld();
      const ran = await other.run('serve', '--port', new URL(address).port);
      await other.close();
      expect(ran.exit).toBe(1);
      expect(ran.stderr).toContain('is taken');
      expect(ran.stderr).toContain('--port 0');
    });
  });

  test('a new database takes the default language of the files in its folder, and an old one keeps its own', async () => {
    const languageSaid = async (db: string): Promise<string | undefined> =>
      /default language (\w+)/.exec((await serving(['--db', db], async () => undefined)).stderr)?.[1];
    await world.write('kbsync.yaml', 'defaultLanguage: fr\n');
    expect(await languageSaid('kb.sqlite')).toBe('fr');
    await world.write('kbsync.yaml', 'defaultLanguage: de\n');
    expect(await languageSaid('kb.sqlite')).toBe('fr');
    // What is wrong with the settings is for the commands that read the files.
    await world.write('kbsync.yaml', 'defaultLanguage: [\n');
    expect(await languageSaid('new.sqlite')).toBe('en');
  });

  test('another default language than the database has is refused', async () => {
    await serving(['--languages', 'en,fr'], async () => undefined);
    const ran = await serving(['--languages', 'fr,en'], async () => undefined);
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toContain('error[language]');
  });

  test('a database in a folder that does not exist is a failure with its name, not a bug', async () => {
    const ran = await world.run('serve', '--db', 'nowhere/kb.sqlite', '--port', '0');
    expect(ran.exit).toBe(1);
    expect(ran.stderr).toMatch(/^error\[unopened\]: .*nowhere\/kb\.sqlite cannot be opened or made/);
  });

  test('a file that is no database of ours is refused and left alone', async () => {
    await world.write('notes.txt', 'x'.repeat(5000));
    const ran = await serving(['--db', 'notes.txt'], async () => undefined);
    expect(ran.exit).toBe(4);
    expect(await world.read('notes.txt')).toBe('x'.repeat(5000));
  });

  test.each([['english'], ['en,'], ['en fr'], ['../en']])(
    '--languages %s is a usage error',
    async (codes) => {
      expect((await world.run('serve', '--languages', codes)).exit).toBe(64);
    },
  );

  test('--verbose shows each request; --json prints one document', async () => {
    const ran = await serving(['--verbose'], async (address) => {
      await statusOf(address, '/healthz', '');
    });
    expect(ran.stderr).toMatch(/GET \/healthz {2}200 {2}\d+ ms/);
    const json = await serving(['--json'], async () => undefined);
    expect(JSON.parse(json.stdout)).toMatchObject({ format: 1, url: expect.stringMatching(/^http/) });
  });
});

describe('serve keys', () => {
  test('a key is printed once, listed without itself, and useless after it is revoked', async () => {
    const made = await world.run('serve', 'keys', 'create', '--db', 'kb.sqlite', '--name', 'ci');
    expect(made.exit).toBe(0);
    const key = made.stdout.trim();
    expect(made.stdout).toMatch(/^kb_[0-9a-f]+_\S+\n$/);
    const listed = await world.run('serve', 'keys', 'list', '--db', 'kb.sqlite');
    expect(listed.stdout).toMatch(/^[0-9a-f]+ {2}ci {4}write {2}made /);
    expect(listed.stdout).not.toContain(key);
    await serving(['--db', 'kb.sqlite'], async (address) => {
      expect(await statusOf(address, '/api/v2/tags', key)).toBe(200);
    });
    expect(await world.run('serve', 'keys', 'revoke', 'ci', '--db', 'kb.sqlite')).toMatchObject({ exit: 0 });
    await serving(['--db', 'kb.sqlite'], async (address) => {
      expect(await statusOf(address, '/api/v2/tags', key)).toBe(401);
    });
    expect((await world.run('serve', 'keys', 'list', '--db', 'kb.sqlite')).stdout).toContain('revoked');
    expect((await world.run('serve', 'keys', 'revoke', 'ci', '--db', 'kb.sqlite')).exit).toBe(64);
  });

  test('two keys of one name are revoked by their prefix', async () => {
    for (let i = 0; i < 2; i += 1) await world.run('serve', 'keys', 'create', '--name', 'ci');
    const ran = await world.run('serve', 'keys', 'revoke', 'ci');
    expect(ran.exit).toBe(64);
    const prefix = /name one of ([0-9a-f]+)/.exec(ran.stderr)?.[1] ?? '';
    expect((await world.run('serve', 'keys', 'revoke', prefix)).exit).toBe(0);
    expect((await world.run('serve', 'keys', 'revoke', 'ci')).exit).toBe(0);
  });

  test('a database that is not there is not made by mistake', async () => {
    for (const argv of [
      ['keys', 'list'],
      ['keys', 'revoke', 'x'],
      ['versions', 'list'],
      ['versions', 'add', '1.0', '--name', 'x'],
    ]) {
      const ran = await world.run('serve', ...argv, '--db', 'typo.sqlite');
      expect(ran.exit).toBe(64);
      expect(ran.stderr).toContain('there is no database `typo.sqlite`');
    }
  });

  test('--json prints the key in a document; a key needs a name', async () => {
    const made = await world.run('serve', 'keys', 'create', '--name', 'ci', '--json');
    expect(JSON.parse(made.stdout)).toMatchObject({
      format: 1,
      name: 'ci',
      key: expect.stringMatching(/^kb_/),
    });
    expect(JSON.parse((await world.run('serve', 'keys', 'list', '--json')).stdout)).toMatchObject({
      format: 1,
      keys: [{ name: 'ci' }],
    });
    expect((await world.run('serve', 'keys', 'create')).exit).toBe(64);
    expect((await world.run('serve', 'keys', 'create', '--name', ' ')).exit).toBe(64);
  });
});

describe('serve versions', () => {
  test('an added version is listed and answered over the API', async () => {
    const key = (await world.run('serve', 'keys', 'create', '--name', 'ci')).stdout.trim();
    const added = await world.run(
      'serve',
      'versions',
      'add',
      '2.4.0',
      '--name',
      'Autumn',
      '--active',
      '--released',
      '--feature',
      'Search: finds two characters',
    );
    expect(added).toMatchObject({ exit: 0, stdout: 'added 2.4.0 (Autumn)\n' });
    expect((await world.run('serve', 'versions', 'list')).stdout).toMatch(
      /^2\.4\.0 {2}Autumn {2}\S+ {2}active, released\n$/,
    );
    await serving([], async (address) => {
      const response = await fetch(`${address}/api/v2/versions`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(await response.json()).toMatchObject({
        data: [
          {
            version: '2.4.0',
            active_version: true,
            changelog_features: [{ name: 'Search', description: 'finds two characters' }],
          },
        ],
      });
    });
  });

  test('a version that is there already, or is no number, is a usage error', async () => {
    await world.run('serve', 'keys', 'create', '--name', 'ci');
    await world.run('serve', 'versions', 'add', '1.0', '--name', 'One');
    expect((await world.run('serve', 'versions', 'add', '1.0', '--name', 'One')).stderr).toContain(
      'is there already',
    );
    expect((await world.run('serve', 'versions', 'add', 'one', '--name', 'One')).exit).toBe(64);
  });
});
