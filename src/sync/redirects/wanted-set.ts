import {
  oldAddressFault,
  REDIRECT_BYTES_MAX,
  REDIRECT_LINES_MAX,
  targetFault,
} from '../../contract/redirects.ts';
import type { OldAddress } from '../../model/address/redirect.ts';
import { digestOfText } from '../../model/digest.ts';
import type { DesiredState } from '../../model/record.ts';
import { plainAddress } from '../../text/plain-address.ts';
import { bytesOf, inOrder } from './set-lines.ts';

export interface WantedSet {
  /** In the order of their old addresses; each address once. */
  readonly lines: readonly OldAddress[];
  /** Lines that the service does not take, and why. */
  readonly leftOut: readonly { readonly from: string; readonly why: string }[];
}

/** The set of old addresses that the files want, as the service with this origin takes it. */
export function wantedSet({ redirects = [] }: Pick<DesiredState, 'redirects'>, origin: string): WantedSet {
  const lines = new Map<string, OldAddress>();
  const leftOut: { from: string; why: string }[] = [];
  let bytes = 0;
  for (const redirect of redirects) {
    const from = plainAddress(redirect.from);
    const to = redirect.to.startsWith(`${origin}/`) ? redirect.to.slice(origin.length) : redirect.to;
    const fault = oldAddressFault(from) ?? targetFault(to);
    const line = { from, to, ...(redirect.key === undefined ? {} : { key: redirect.key }) };
    bytes += bytesOf(line);
    if (fault !== undefined) leftOut.push({ from, why: `an old address of a service ${fault}` });
    else if (lines.size >= LINES_MAX || bytes > BYTES_MAX) leftOut.push({ from, why: 'the set is full' });
    else if (from !== plainAddress(to)) lines.set(from, line);
  }
  return { lines: inOrder(lines.values()), leftOut };
}

/** Of the lines, and of the names of the records that the files make: with a file, lines that stayed without one may go. */
export function filesTag(
  lines: readonly OldAddress[],
  { records, withheld = new Map() }: Pick<DesiredState, 'records' | 'withheld'>,
): string {
  const keys = [[...records.keys()].sort(), [...withheld.keys()].sort()];
  return digestOfText(JSON.stringify([lines, keys]));
}

/** Room for lines that stay without a file. */
const LINES_MAX = REDIRECT_LINES_MAX - 2_000;
const BYTES_MAX = REDIRECT_BYTES_MAX - 512 * 1024;
