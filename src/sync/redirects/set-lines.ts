import { lastOf, type OldAddress } from '../../model/address/redirect.ts';
import { digestOfText } from '../../model/digest.ts';
import { plainAddress } from '../../text/plain-address.ts';

/** What a line takes of the body that replaces a set, in bytes. */
export function bytesOf(line: OldAddress): number {
  return Buffer.byteLength(JSON.stringify(line)) + 1;
}

export function inOrder(lines: Iterable<OldAddress>): readonly OldAddress[] {
  return [...lines].sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** Puts a line into a set by its old address; false, and the set as it was: together with the others it would lead back to itself. */
export function puts(set: Map<string, OldAddress>, line: OldAddress): boolean {
  const before = set.get(line.from);
  set.set(line.from, line);
  if (lastOf(line, set, plainAddress) !== undefined) return true;
  if (before === undefined) set.delete(line.from);
  else set.set(line.from, before);
  return false;
}

/** As soon as the pages of these lines are sent, the files alone give another tag, and the lines follow. */
export function tagWhile(waiting: readonly OldAddress[], tag: string): string {
  return waiting.length === 0 ? tag : digestOfText(JSON.stringify([tag, waiting]));
}
