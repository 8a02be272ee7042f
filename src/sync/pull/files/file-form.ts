import { withOwnBlocks } from '../../../content/splicing/own-blocks.ts';
import { formOf } from '../../../model/compare/difference.ts';
import { bodyFieldOf } from '../../../model/fields.ts';
import { hasSameWords } from '../../../model/html/words.ts';
import type { Kind } from '../../../model/key.ts';
import { habitOf, isMadeOf, waysIn } from '../../../plan/likeness.ts';
import type { PullRun } from '../context.ts';

/**
 * The site's text as the file may say it: what this service was seen making of texts is taken back, block by block. `own` is what
 * the file shows, and nobody has changed it since the last sync.
 */
export function inFileForm(kind: Kind, own: string, shown: string, { base }: Pick<PullRun, 'base'>): string {
  const ways = waysIn(base);
  const field = { kind, name: bodyFieldOf(kind) };
  const habit = habitOf(field, ways);
  const without = new Set(habit.rewritings);
  return withOwnBlocks(own, shown, {
    formOf: (block) => formOf('html', block, without, { habit, origin: ways.origin }),
    // An editor may have shortened what the service would cut.
    isMadeOf: (ours, theirs) => hasSameWords(ours, theirs) && isMadeOf(field, ours, theirs, ways),
  });
}
