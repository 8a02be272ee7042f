import { expect, test } from 'vitest';
import { recordsIn } from './support/knowledge-base.ts';
import { twoServices, type Ended, type Running, type TwoServices } from './support/two-services.ts';

/** `npm run campaign:migrate` asks for 5,000 of them, each in three languages. */
const ARTICLES = Number(process.env['KBSYNC_MIGRATE_ARTICLES'] ?? 100);
const RUNS_MAX = 5;

test(
  `${ARTICLES} articles in three languages move whole, though the run and then the target are killed midway`,
  { timeout: 60_000 + ARTICLES * 600 },
  async () => {
    const rig = await twoServices({ articles: ARTICLES });
    try {
      const before = await recordsIn(rig.files.from);
      const killed = rig.start();
      await until(rig, killed, Math.floor(ARTICLES * 0.8));
      killed.kill();
      expect((await killed.ended).exit).toBeNull();
      const halted = rig.start('--yes');
      await until(rig, halted, Math.floor(ARTICLES * 2));
      await rig.killTarget();
      await rig.startTarget();
      const runs = [await halted.ended];
      while (runs.at(-1)?.exit !== 0 && runs.length < RUNS_MAX) runs.push(await rig.migrate('--settle', '0'));
      expect(runs.at(-1)).toMatchObject({ exit: 0 });
      expect(runs.at(-1)?.stdout).toContain(`both sides equal: ${grouped(before.length)} records compared`);
      const again = await rig.migrate('--json');
      expect(again.exit).toBe(0);
      const document = documentOf(again.stdout);
      expect(document).toMatchObject({
        results: [],
        summary: { created: 0, updated: 0, deleted: 0, unchanged: before.length },
        verification: { equal: true },
      });
      await rig.stop();
      expect(await recordsIn(rig.files.to)).toEqual(before);
      expect(await recordsIn(rig.files.from)).toEqual(before);
      print([await killed.ended, ...runs], again, before.length);
    } finally {
      await rig.close();
    }
  },
);

/** Until the journal holds so many lines, which are two for a create and one for an edit. */
async function until(rig: TwoServices, running: Running, lines: number): Promise<void> {
  while (running.isAlive() && (await rig.written()) < lines)
    await new Promise((resolve) => setTimeout(resolve, 5));
  if (!running.isAlive())
    throw new Error(`test: it ended before ${lines} lines: ${(await running.ended).stdout}`);
}

interface Document {
  readonly requests: { readonly source: number; readonly target: number };
}

function documentOf(text: string): Document {
  // What `--json` prints; the test looks at the parts it needs.
  return JSON.parse(text) as Document;
}

function print(runs: readonly Ended[], again: Ended, records: number): void {
  const lines = [...runs, again].map(({ exit, durationMs, memoryMb, stdout }) => {
    const sum = stdout.startsWith('{') ? JSON.stringify(documentOf(stdout).requests) : sumOf(stdout);
    return `exit ${String(exit)}, ${Math.round(durationMs)} ms, ${Math.round(memoryMb)} MB: ${sum}`;
  });
  process.stdout.write(`${records} records\n${lines.join('\n')}\n`);
}

function sumOf(text: string): string {
  const lines = text.trim().split('\n');
  return [...lines.filter((line) => / requests?$/.test(line)), lines.at(-1) ?? ''].join(' | ');
}

function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
