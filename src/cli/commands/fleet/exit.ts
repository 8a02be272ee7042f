import type { Verdict } from '../../../fleet/runs/verdict.ts';
import { EXIT } from '../../run/exit.ts';

/** The exit code of one run: the same numbers as those of `kbsync sync`. */
export function exitOf({ condition }: Pick<Verdict, 'condition'>): number {
  switch (condition) {
    case 'in-sync':
    case 'drift':
      return EXIT.done;
    case 'conflict':
      return EXIT.conflicts;
    case 'stopped':
      return EXIT.failed;
    case 'failing':
    case undefined:
      return EXIT.partly;
  }
}

/** The worst of many runs: what needs a person, then conflicts, then what a later run may finish. */
export function worstExit(exits: readonly number[]): number {
  return [EXIT.failed, EXIT.conflicts, EXIT.partly].find((one) => exits.includes(one)) ?? EXIT.done;
}
