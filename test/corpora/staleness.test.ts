import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeWorld, type FakeWorld } from '../cli/support/fake-world.ts';
import { hasCorpora, unpackCorpus } from '../support/corpus.ts';

const MARKER = /^default_lang_commit: *([0-9a-f]{7,40})/m;

let world: FakeWorld;
let corpora: string;
beforeAll(async () => {
  if (!hasCorpora) return;
  corpora = unpackCorpus('dev-raw');
  world = await fakeWorld({});
});
afterAll(async () => {
  if (!hasCorpora) return;
  rmSync(corpora, { recursive: true });
  await world.close();
});

function git(...args: readonly string[]): string {
  const own = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgSign=false'];
  return execFileSync('git', [...own, ...args], {
    cwd: world.cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  }).trim();
}

/** Files of translations, relative to the content folder, with their text. */
function marked(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.md') && !name.startsWith('en/'));
  const texts = files.map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  return new Map(texts.filter(([, text]) => MARKER.test(text)));
}

/**
 * Two snapshots of OpenTelemetry's documentation as two commits. A translation whose marker is the same in both was made
 * from the first, one with another marker from the second.
 */
test.runIf(hasCorpora)(
  'of OpenTelemetry every translation with a marker is as stale as git says',
  async () => {
    const content = join(world.cwd, 'content');
    git('init', '-q', '-b', 'main');
    cpSync(join(corpora, 'dev/otel-docs-prev/content'), content, { recursive: true });
    const before = marked(content);
    git('add', '-A');
    git('commit', '-q', '-m', 'prev');
    const first = git('rev-parse', 'HEAD');
    rmSync(content, { recursive: true });
    cpSync(join(corpora, 'dev/otel-docs/content'), content, { recursive: true });
    git('add', '-A');
    git('commit', '-q', '-m', 'now');
    const second = git('rev-parse', 'HEAD');
    const commits = new Map<string, string>();
    for (const [file, text] of marked(content)) {
      const isSame = MARKER.exec(before.get(file) ?? '')?.[1] === MARKER.exec(text)?.[1];
      commits.set(`content/${file}`, isSame ? first : second);
      writeFileSync(
        join(content, file),
        text.replace(MARKER, `default_lang_commit: ${isSame ? first : second}`),
      );
    }
    await world.write('kbsync.yaml', 'preset: hugo\n');

    const { stdout } = await world.run('status', '--stale', '--json');
    const { stale } = JSON.parse(stdout) as {
      stale: readonly { file: string; original: string; witness: string }[];
    };
    const ours = new Map(
      stale.filter(({ witness }) => witness === 'commit').map(({ file, original }) => [file, original]),
    );
    const wrong: string[] = [];
    let behind = 0;
    for (const [file, commit] of commits) {
      const original = file.replace(/^content\/[^/]+\//, 'content/en/');
      // Parts that pages include are no pages.
      if (!existsSync(join(world.cwd, original)) || file.includes('/_includes/')) continue;
      const isStale =
        spawnSync('git', ['diff', '--quiet', commit, '--', original], { cwd: world.cwd }).status === 1;
      if (isStale) behind += 1;
      if (isStale !== ours.has(file)) wrong.push(`${file}: git says ${isStale ? 'stale' : 'up to date'}`);
    }
    expect(wrong).toEqual([]);
    expect(behind).toBeGreaterThan(20);
    expect(commits.size).toBeGreaterThan(500);
  },
);
