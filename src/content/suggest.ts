import { editDistance } from '../text/edit-distance.ts';

/** The candidate that `name` most likely meant: at most a third of its letters differ, case aside. */
export function suggest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let bestCost = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestCost) continue;
    const cost = editDistance(wanted, candidate.toLowerCase(), bestCost - 1);
    if (cost < bestCost) {
      best = candidate;
      bestCost = cost;
    }
  }
  return best;
}

/** ", did you mean `x`?" or nothing. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const found = suggest(word, known);
  return found === undefined ? '' : `, did you mean \`${found}\`?`;
}
