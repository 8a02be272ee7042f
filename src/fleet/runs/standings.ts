import { placesOf, type Fleet, type KnowledgeBase } from '../settings/settings.ts';
import { readOutcome, type Outcome } from './outcome.ts';
import type { Condition } from './verdict.ts';

/** How a knowledge base stands, as its folder says. */
export interface Standing {
  readonly name: string;
  readonly owner: string | undefined;
  readonly repository: string;
  readonly ref: string;
  readonly origin: string;
  readonly condition: Condition | 'never-run';
  readonly outcome: Outcome | undefined;
}

/** What needs a person comes first. */
const ORDER: readonly Standing['condition'][] = [
  'stopped',
  'conflict',
  'failing',
  'never-run',
  'drift',
  'in-sync',
];

/** The knowledge bases, those that need somebody first, then by name. */
export async function standingsOf(
  fleet: Fleet,
  bases: readonly KnowledgeBase[] = fleet.bases,
): Promise<readonly Standing[]> {
  const standings = await Promise.all(
    bases.map(async (base): Promise<Standing> => {
      const { name, owner, repository, ref, origin } = base;
      const outcome = await readOutcome(placesOf(fleet, base).outcome);
      return { name, owner, repository, ref, origin, condition: outcome?.condition ?? 'never-run', outcome };
    }),
  );
  const rank = ({ condition }: Standing): number => ORDER.indexOf(condition);
  return standings.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}
