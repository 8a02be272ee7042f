import type { Plan } from '../plan/plan.ts';

/** Old addresses that lead elsewhere from then on, a sentence each; `show` makes an address fit for where they stand. */
export function redirectWords(
  { redirects }: Pick<Plan, 'redirects'>,
  show: (address: string) => string = (address) => address,
  linesMax = 200,
): readonly string[] {
  if (redirects?.repository === undefined) return [];
  const { added, changed, removed, unread } = redirects;
  if (unread !== undefined) return [`old addresses cannot be read: ${show(unread)}`];
  const words = [
    ...[...added, ...changed].map(({ from, to }) => `old address ${show(from)} leads to ${show(to)}`),
    ...removed.map(({ from }) => `old address ${show(from)} leads nowhere any more`),
  ];
  const rest = words.length - linesMax;
  return rest <= 0 ? words : [...words.slice(0, linesMax), `${rest} more old addresses`];
}
