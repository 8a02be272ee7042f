import type { Kind, Row } from './row.ts';
import type { Rules } from './rules.ts';

/** An id for a new row, of the shape that the service uses. */
export function newId(shape: Rules['ids'], kind: Kind, rows: readonly Row[], random: () => number): string {
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  const living = rows.filter((row) => row.deleted === undefined);
  switch (shape) {
    case 'uuid':
      return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
    case 'number':
      return String(1001 + rows.length);
    case 'per-kind':
      return String(1 + rows.filter((row) => row.kind === kind).length);
    case 'lowest-free': {
      const taken = new Set(living.filter((row) => row.kind === kind).map(({ id }) => id));
      for (let number = 1; ; number++) if (!taken.has(String(number))) return String(number);
    }
    case 'hex':
      return hex(24);
    case 'slashed':
      return `kb/${hex(6)}+${rows.length}`;
    case 'unicode':
      return `ä${hex(4)}~é ${rows.length}`;
    case 'long':
      return hex(190);
    case 'huge-number':
      // Two neighbours are one and the same double.
      return String(9_007_199_254_740_993n + BigInt(rows.length) * 2n);
  }
}
