import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { fakeWorld, SMALL } from '../support/fake-world.ts';

const FAULTY = {
  'content/en/articles/a.md': '---\ntitle: A\ntags: [refnd]\nodd: 1\n---\n\n[gone](missing.md) <&"> \n',
  'content/en/articles/b c.md': '---\nslug: b\n---\n',
};

interface Sarif {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly name: string;
        readonly rules: readonly {
          readonly id: string;
          readonly shortDescription: { readonly text: string };
        }[];
      };
    };
    readonly invocations: readonly {
      readonly executionSuccessful: boolean;
      readonly toolExecutionNotifications: readonly { readonly descriptor: { readonly id: string } }[];
    }[];
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number; readonly startColumn: number };
        };
      }[];
      readonly partialFingerprints: Readonly<Record<string, string>>;
    }[];
  }[];
}

test('sarif has what the standard and code scanning require of each result', async () => {
  const world = await fakeWorld(FAULTY);
  const { exit, stdout } = await world.run('check', '--format', 'sarif');
  await world.close();
  // The shape is what is tested below.
  const log = JSON.parse(stdout) as Sarif;
  expect(exit).toBe(1);
  expect(log.version).toBe('2.1.0');
  const [run] = log.runs;
  expect(run?.tool.driver.name).toBe('kbsync');
  expect(run?.results.map(({ ruleId }) => ruleId).sort()).toEqual([
    'dead-link',
    'missing-field',
    'unknown-key',
    'unknown-tag',
  ]);
  for (const result of run?.results ?? []) {
    expect(run?.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
    expect(['none', 'note', 'warning', 'error']).toContain(result.level);
    expect(result.message.text).not.toBe('');
    const place = result.locations[0]?.physicalLocation;
    expect(place?.artifactLocation.uri).toMatch(/^content\/en\/articles\/(a|b%20c)\.md$/);
    expect(place?.region.startLine).toBeGreaterThan(0);
    expect(place?.region.startColumn).toBeGreaterThan(0);
  }
  const prints = run?.results.map(({ partialFingerprints }) => partialFingerprints['kbsync/v1']);
  expect(new Set(prints).size).toBe(run?.results.length);
});

test('sarif names a file so that every reader of addresses finds it, and says what a column is', async () => {
  const names = ['b #c?d %41.md', 'a:b.md', "it's (1)&2.md", '\u00e9\u{1f4a5}.md'];
  const world = await fakeWorld(
    Object.fromEntries(names.map((name) => [`content/en/articles/${name}`, '---\nslug: b\n---\n'])),
  );
  const { stdout } = await world.run('check', '--format', 'sarif');
  await world.close();
  // The shape is what is tested above.
  const { runs } = JSON.parse(stdout) as Sarif;
  const found = runs[0]?.results.map(({ locations }) => {
    const address = new URL(locations[0]?.physicalLocation.artifactLocation.uri ?? '', 'file:///repo/');
    return decodeURIComponent(address.pathname);
  });
  expect(new Set(found)).toEqual(new Set(names.map((name) => `/repo/content/en/articles/${name}`)));
  expect(runs[0]).toMatchObject({ columnKind: 'utf16CodeUnits' });
});

test('a finding keeps its fingerprint when lines above it are added', async () => {
  const world = await fakeWorld(FAULTY);
  const printsOf = async (): Promise<readonly unknown[]> => {
    // Only the fingerprints are read.
    const log = JSON.parse((await world.run('check', '--format', 'sarif')).stdout) as Sarif;
    return (log.runs[0]?.results ?? []).map((result) => result.partialFingerprints);
  };
  const before = await printsOf();
  await world.write(
    'content/en/articles/a.md',
    FAULTY['content/en/articles/a.md'].replace('\n\n[gone]', '\n\nA line.\n\n[gone]'),
  );
  expect(await printsOf()).toEqual(before);
  await world.close();
});

test('junit is XML whose counts are those of its cases, with file, code and place in their names', async () => {
  const world = await fakeWorld(FAULTY);
  const { exit, stdout } = await world.run('check', '--format', 'junit');
  await world.close();
  expect(exit).toBe(1);
  const cases: Record<string, string>[] = [];
  let suite: Record<string, string> = {};
  let failures = 0;
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        open.push(name);
        if (name === 'testsuite') suite = attributes;
        if (name === 'testcase') cases.push(attributes);
        if (name === 'failure') failures += 1;
      },
      onclosetag: (name, implied) => {
        expect(implied).toBe(false);
        expect(open.pop()).toBe(name);
      },
    },
    { xmlMode: true },
  );
  parser.end(stdout);
  expect(open).toEqual([]);
  expect(suite).toMatchObject({ tests: String(cases.length), failures: String(failures) });
  expect(failures).toBe(3);
  expect(cases).toContainEqual({ classname: 'content/en/articles/a.md', name: 'unknown-tag 3:8' });
});

test('junit of clean files has one case that passes', async () => {
  const world = await fakeWorld(SMALL);
  const { exit, stdout } = await world.run('check', '--format', 'junit');
  await world.close();
  expect(exit).toBe(0);
  expect(stdout).toContain('tests="1" failures="0"');
});

test('github prints workflow commands on stdout, once, with paths from the workspace', async () => {
  const world = await fakeWorld(FAULTY);
  world.env['GITHUB_ACTIONS'] = 'true';
  world.env['GITHUB_WORKSPACE'] = `${world.cwd}/content`;
  const { stdout, stderr } = await world.run('plan', '--format', 'github');
  await world.close();
  expect(stdout).toContain('::error file=en/articles/a.md,line=3,col=8,title=unknown-tag::');
  expect(stdout).toContain('::warning file=en/articles/a.md');
  expect(stderr).not.toContain('::error');
});

test('ndjson starts with its format and gives each line a type and a message', async () => {
  const world = await fakeWorld(SMALL);
  const { stdout } = await world.run('plan', '--format', 'ndjson');
  const synced = await world.run('sync', '--format', 'ndjson');
  await world.close();
  for (const text of [stdout, synced.stdout]) {
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { format?: number; type: string; message: string });
    expect(lines[0]).toMatchObject({ format: 1, type: 'start' });
    expect(lines.at(-1)?.type).toBe('summary');
    for (const { type, message } of lines) expect([type, message]).not.toContain('');
    expect(lines.filter(({ type }) => type === 'change')).toHaveLength(5);
  }
  expect(synced.stdout).toContain('"outcome":"done","message":"created","type":"result"');
});

test('format json is --json, and the two together with another are a usage error', async () => {
  const world = await fakeWorld(SMALL);
  const format = await world.run('check', '--format', 'json');
  const json = await world.run('check', '--json');
  const both = await world.run('check', '--json', '--format', 'sarif');
  await world.close();
  expect(format.stdout).toBe(json.stdout);
  expect(both.exit).toBe(64);
});

test('a conflict is a result at its line, and a guard that refuses is told besides', async () => {
  const world = await fakeWorld(SMALL);
  await world.run('sync');
  await world.write('content/en/tags/cli.md', '---\nname: Console\n---\n');
  const headers = { authorization: `Bearer ${world.service.key}`, 'content-type': 'application/json' };
  const list = await world.service.fetch(new Request('https://help.acme.test/api/v2/tags', { headers }));
  const { data } = (await list.json()) as { data: readonly { id: string }[] };
  const id = data[0]?.id ?? '';
  await world.service.fetch(
    new Request(`https://help.acme.test/api/v2/tags/${id}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ id, lang: 'en', name: 'Shell', slug: 'cli' }),
    }),
  );
  const conflict = await world.run('plan', '--format', 'sarif');
  const junit = await world.run('sync', '--format', 'junit');
  for (const file of Object.keys(SMALL)) await world.remove(file);
  await world.write('content/en/tags/other.md', '---\nname: Other\n---\n');
  const refused = await world.run('plan', '--prune', '--format', 'sarif');
  await world.close();
  expect(conflict.exit).toBe(3);
  expect(conflict.stdout).toContain('"ruleId": "conflict"');
  expect(conflict.stdout).toContain('"uri": "content/en/tags/cli.md"');
  expect(junit.stdout).toContain('classname="content/en/tags/cli.md" name="conflict 2:');
  expect(refused.exit).toBe(4);
  expect(refused.stdout).toContain('"executionSuccessful": false');
});
