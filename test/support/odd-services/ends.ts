import { expect, test } from 'vitest';
import { ODD_SERVICES } from './odd-services.ts';
import type { OddGroup } from './odd-services.ts';
import { play } from './play.ts';
import type { Play } from './play.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Step } from './scenarios.ts';
import type { Oddity } from './seam.ts';

/** Many scenarios on a machine that may be busy. */
const TIMEOUT_MS = 300_000;
const ENDS = `${import.meta.dirname}/../../sync/odd-services`;

/**
 * Plays every scenario against every service of a group, and compares the ends with the group's table: `ok` in sync with
 * the files, or the codes of what stands open and the tool's words for it. A line is missing where the end is `ok` and
 * nothing is said. `vitest -u` writes the table anew; the diff shows what changed in behaviour.
 */
export function testOddServices(group: OddGroup): void {
  const lines: string[] = [];
  for (const [service, oddities] of Object.entries<readonly Oddity[]>(ODD_SERVICES[group])) {
    test(
      `${service}: every scenario ends in sync or with an explanation`,
      async () => {
        const violations: string[] = [];
        lines.push(service);
        for (const [scenario, steps] of Object.entries<readonly Step[]>(SCENARIOS)) {
          const end = await play(oddities, steps);
          violations.push(...end.violations.map((text) => `${scenario}: ${text}`));
          lines.push(...rowOf(scenario, end));
          const isSaid = end.says.length > 0 || !/blocked|refused|failed|skipped|pending/.test(end.end);
          if (!isSaid || end.end.startsWith('restless'))
            violations.push(`${scenario}: ${end.end} unexplained`);
        }
        expect(violations).toEqual([]);
      },
      TIMEOUT_MS,
    );
  }

  test('the ends are those of the table', async () => {
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`${ENDS}/${group}.txt`);
  });
}

function rowOf(scenario: string, { end, says }: Play): readonly string[] {
  if (end === 'ok') return [];
  const [first, ...more] = says;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return [`  ${scenario.padEnd(24)}${end}`, ...(first === undefined ? [] : [`      ${first}${others}`])];
}
