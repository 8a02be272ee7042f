import { execFile } from 'node:child_process';
import { copyFile, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../support/random.ts';
import { liveWorld, type LiveWorld } from '../../support/live-world.ts';

/**
 * A campaign, not a part of every run: `KBSYNC_STORMS=200 npx vitest run test/cli/watch-storms.test.ts`. Files, watcher
 * and service run in real time here, so no two runs are the same. A translation whose file moves later than its original's,
 * in the middle of copies of it, may end as a conflict for a person instead of a move.
 */
const STORMS = Number(process.env['KBSYNC_STORMS'] ?? 0);
if (STORMS === 0) console.log('skipped: the storm campaign of watch runs with KBSYNC_STORMS=200');
const STORMS_A_WORLD = 10;
const run = promisify(execFile);

/** Twelve articles in two languages and folders, linked to each other, and what they are in. */
function garden(): Record<string, string> {
  const files: Record<string, string> = {
    'content/en/categories/a.md': '---\nname: A\n---\n',
    'content/en/categories/b.md': '---\nname: B\n---\n',
    'content/en/tags/t.md': '---\nname: T\n---\n',
  };
  for (let at = 0; at < 12; at += 1) {
    const folder = at % 2 === 0 ? 'a' : 'b';
    files[`content/en/articles/${folder}/p${at}.md`] = page(`P${at}`, `Text ${at}.`);
    if (at % 3 === 0) files[`content/fr/articles/${folder}/p${at}.md`] = page(`Q${at}`, `Texte ${at}.`);
  }
  return files;
}

const page = (title: string, body: string): string => `---\ntitle: ${title}\ntags: [t]\n---\n\n${body}\n`;

/** What people and programs do to files, several at a time, some faster than any watcher. */
async function storm(world: LiveWorld, random: () => number, round: number): Promise<void> {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const { stdout } = await run('find', ['content', '-name', '*.md', '-path', '*articles*'], {
    cwd: world.cwd,
  });
  const files = stdout.trim().split('\n').sort();
  const words = (): string => `Words ${Math.floor(random() * 1e6)} of round ${round}.`;
  const bump = async (file: string): Promise<string> =>
    (await world.read(file)).replace(/\n\n[\s\S]*$/, `\n\n${words()}\n`);
  const deeds: readonly (() => Promise<unknown>)[] = [
    async () => {
      const file = pick(files);
      await world.write(file, await bump(file));
    },
    // An editor that truncates and writes in two steps.
    async () => {
      const file = pick(files);
      const text = await bump(file);
      const handle = await open(join(world.cwd, file), 'w');
      await handle.write(text.slice(0, 20));
      await new Promise((resolve) => setTimeout(resolve, random() * 60));
      await handle.write(text.slice(20));
      await handle.close();
    },
    // An atomic rename over the file.
    async () => {
      const file = pick(files);
      await writeFile(join(world.cwd, `${file}.tmp`), await bump(file));
      await world.move(`${file}.tmp`, file);
    },
    // Format on save: written twice.
    async () => {
      const file = pick(files);
      const text = await bump(file);
      await world.write(file, `${text}\n\n\n`);
      await new Promise((resolve) => setTimeout(resolve, random() * 80));
      await world.write(file, text);
    },
    async () => {
      const file = pick(files);
      await world.remove(file);
    },
    async () =>
      world.write(`content/en/articles/${pick(['a', 'b'])}/n${round}.md`, page(`N${round}`, words())),
    async () => {
      const file = pick(files);
      await world.move(file, file.replace(/[^/]+$/, `m${round}.md`));
    },
    async () => {
      const [from, to] = random() < 0.5 ? ['a', 'c'] : ['c', 'a'];
      if (
        files.some((file) => file.startsWith(`content/en/articles/${from}/`)) &&
        !files.some((file) => file.startsWith(`content/en/articles/${to}/`))
      )
        await world.move(`content/en/articles/${from}`, `content/en/articles/${to}`);
    },
    async () => {
      const file = pick(files);
      await world.write(
        file,
        (await world.read(file)).replace(/^title: (.*)$/m, (_, title: string) => `title: ${title}x`),
      );
    },
    // Faulty for a moment.
    async () => {
      const file = pick(files);
      const text = await world.read(file);
      await world.write(file, text.replace('tags: [t]', 'tags: [nobody]'));
      await new Promise((resolve) => setTimeout(resolve, random() * 120));
      await world.write(file, text);
    },
    async () => {
      await run('git', ['add', '-A'], { cwd: world.cwd });
      await run('git', ['commit', '-q', '--allow-empty', '-m', `${round}`], { cwd: world.cwd });
      await run('git', ['checkout', '-q', random() < 0.5 ? 'HEAD~1' : 'HEAD', '--', 'content'], {
        cwd: world.cwd,
      });
    },
    async () => {
      const file = pick(files);
      const text = await world.read(file);
      const copy = `content/en/articles/a/k${round}.md`;
      await copyFile(join(world.cwd, file), join(world.cwd, copy));
      await world.write(copy, text.replace(/^title: .*$/m, `title: K${round}`));
    },
  ];
  for (let deed = 0; deed < 4; deed += 1) {
    // A deed may meet a file that another one has taken away.
    await pick(deeds)().catch(ignoreMissing);
    if (random() < 0.5) await new Promise((resolve) => setTimeout(resolve, random() * 150));
  }
}

function ignoreMissing(error: unknown): void {
  const text = String(error);
  if (!text.includes('ENOENT') && !text.includes('pathspec') && !text.includes('HEAD~1')) throw error;
}

/** Worlds that ended with nothing open at all. */
let settled = 0;

for (let first = 0; first < STORMS; first += STORMS_A_WORLD) {
  test(`after storms ${first} to ${first + STORMS_A_WORLD - 1} the service shows what the files say, and nothing was written needlessly`, async () => {
    const random = seededRandom(4100 + first);
    const world = await liveWorld(garden());
    try {
      await run('git', ['init', '-q'], { cwd: world.cwd });
      await run('git', ['config', 'user.email', 'a@b.test'], { cwd: world.cwd });
      await run('git', ['config', 'user.name', 'A'], { cwd: world.cwd });
      await writeFile(join(world.cwd, '.gitignore'), '.kbsync/\n');
      const watch = world.start('watch');
      await watch.until(/watching content\//);
      let latest = new Map<string, string>();
      let needless = 0;
      world.wrap = (send) => async (request) => {
        const isWrite = request.method === 'POST';
        const key = new URL(request.url).pathname;
        const body = isWrite ? await request.clone().text() : '';
        const answer = await send(request);
        // A write that was refused (412: somebody was faster) is sent again, and rightly.
        if (!isWrite || !answer.ok) return answer;
        if (latest.get(`${key} ${langIn(body)}`) === body) needless += 1;
        latest.set(`${key} ${langIn(body)}`, body);
        return answer;
      };
      for (let round = first; round < first + STORMS_A_WORLD; round += 1) await storm(world, random, round);
      await quiet(world);
      latest = new Map();
      expect(await watch.interrupt()).toBe(0);
      world.sent.length = 0;
      const plan = world.start('plan', '--json');
      await plan.exit;
      const { changes, conflicts, problems } = JSON.parse(plan.stdout()) as {
        changes: readonly { key: string; action: string; fields: readonly unknown[] }[];
        conflicts: readonly { readonly code: string; readonly key: string }[];
        problems: readonly { severity: string }[];
      };
      // A storm may leave files behind that are faulty: what hangs on them is not sent, and that is right.
      const isFaulty = problems.some(({ severity }) => severity === 'error');
      // A translation that was moved at another moment than its original, and copies of it, may be for a person to settle:
      // watch has said so, and has written nothing there.
      const isOpen =
        conflicts.length > 0 &&
        conflicts.every(({ code, key }) => code === 'both-new' && !key.endsWith('@en'));
      const left = isFaulty || isOpen ? [] : [...changes, ...conflicts];
      settled += isFaulty || isOpen ? 0 : 1;
      if (left.length > 0)
        throw new Error(`test: ${JSON.stringify(left)}\n${watch.stdout()}${watch.stderr()}`);
      expect(needless).toBe(0);
    } finally {
      await world.close();
    }
  });
}

test.skipIf(STORMS === 0)('most worlds end with nothing open', () => {
  expect(settled).toBeGreaterThan(STORMS / STORMS_A_WORLD / 2);
});

const langIn = (body: string): string => /"lang":"([^"]*)"/.exec(body)?.[1] ?? '';

/** Nothing asked of the service for two seconds: longer than every pause of the watch but those of an outage. */
async function quiet(world: LiveWorld): Promise<void> {
  for (let sent = -1; sent !== world.sent.length;) {
    sent = world.sent.length;
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}
