import { expect, test } from 'vitest';
import { live } from './support/life.ts';

/** `KBSYNC_INTERLEAVED_RUNS` worlds, from `KBSYNC_INTERLEAVED_SEED` on. */
const count = Number(process.env['KBSYNC_INTERLEAVED_RUNS'] ?? 40);
const from = Number(process.env['KBSYNC_INTERLEAVED_SEED'] ?? 1);

test(
  'editor, author, pull request and merge in any order: no edit is lost unseen, no page is made twice, and it ends in sync',
  { timeout: 600_000 + count * 20_000 },
  async () => {
    const wrong: string[] = [];
    const total: Record<string, number> = {};
    for (let seed = from; seed < from + count && wrong.length < 10; seed += 1) {
      const life = await live(seed);
      if (count >= 1000 && (seed - from) % 100 === 99)
        process.stderr.write(
          `interleaved: ${seed - from + 1} of ${count} worlds, ${wrong.length} with a finding\n`,
        );
      for (const [name, value] of Object.entries(life.counts)) total[name] = (total[name] ?? 0) + value;
      if (life.wrong.length === 0) continue;
      wrong.push(`seed ${seed}: ${life.wrong.join('; ')}`);
      if (process.env['KBSYNC_INTERLEAVED_TRACE'] !== undefined)
        console.log(`seed ${seed}\n${life.trace.join('\n')}`);
    }
    if (count > 1000) console.log(`interleaved: ${count} worlds, ${JSON.stringify(total)}`);
    expect(wrong).toEqual([]);
  },
);
