import type { Outcome } from '../../../fleet/runs/outcome.ts';
import type { Standing } from '../../../fleet/runs/standings.ts';
import type { Verdict } from '../../../fleet/runs/verdict.ts';
import { visible } from '../../../model/visible.ts';
import { ago } from '../../print/terminal/numbers.ts';
import { tableLines } from '../../print/terminal/text.ts';

export function runDocument({ condition, mayRetry, message }: Verdict, outcome: Outcome | undefined): object {
  return { ...(condition === undefined ? {} : { condition }), mayRetry, message, outcome };
}

/** `billing: conflict: 1 updated, 1 conflict` */
export function runLine(
  name: string,
  { condition, message }: Pick<Verdict, 'condition' | 'message'>,
): string {
  const words = [name, ...(condition === undefined ? [] : [conditionWords(condition)]), visible(message)];
  return words.filter((word) => word !== '').join(': ');
}

function conditionWords(condition: Standing['condition']): string {
  return condition === 'in-sync' ? 'in sync' : condition === 'never-run' ? 'never run' : condition;
}

const HEAD = ['name', 'condition', 'since', 'last run', 'behind', 'owner', 'message'];

/** `fleet status`: one line for each knowledge base, the ones that need somebody first. */
export function standingLines(standings: readonly Standing[], nowMs: number): readonly string[] {
  const rows = standings.map(({ name, owner, condition, outcome }) => [
    name,
    conditionWords(condition),
    outcome === undefined ? '-' : ago(nowMs - Date.parse(outcome.since)),
    outcome === undefined ? '-' : ago(nowMs - Date.parse(outcome.at)),
    outcome?.behind === undefined ? '-' : String(outcome.behind),
    owner ?? '-',
    outcome?.message ?? '',
  ]);
  return tableLines([HEAD, ...rows]);
}
