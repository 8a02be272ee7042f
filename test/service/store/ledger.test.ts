import { describe, expect, test } from 'vitest';
import { atRest, GONE, type LedgerEntry, saw, settled, wrote } from '../support/ledger.ts';

const entry = (): LedgerEntry => ({
  id: 'i',
  slug: 's',
  value: 0,
  etag: '"0"',
  pending: new Set(),
  refused: new Set(),
  seen: new Set(),
  floor: 0,
});

describe('the ledger of the disturbed service', () => {
  test('finds an acknowledged write that is lost', () => {
    const lost = entry();
    wrote(lost, 1, 'yes', '"1"');
    expect(atRest(lost, 1)).toEqual([]);
    expect(atRest(lost, 0)).toHaveLength(2);
    expect(atRest(lost, GONE)).toHaveLength(1);
  });

  test('lets an unclear write be there or not, and a refused one never', () => {
    const record = entry();
    wrote(record, 1, 'unclear');
    expect([atRest(record, 0), atRest(record, 1), atRest(record, 2).length]).toEqual([[], [], 1]);
    wrote(record, 2, 'refused');
    expect(atRest(record, 2)).toHaveLength(2);
    saw(record, 2, 0);
    expect(atRest(record, 1)).not.toEqual([]);
  });

  test('finds a read that goes back behind what was certain when it began', () => {
    const record = entry();
    wrote(record, 1, 'yes', '"1"');
    expect(saw(record, 0, 0)).toEqual([]); // it began before
    expect(saw(record, 0, record.floor)).toHaveLength(1);
    expect(saw(record, GONE, 1)).toEqual([]);
    expect(atRest(record, 1)).toHaveLength(1); // it was seen gone
  });

  test('finds a version conflict without another write, and a tag that names two contents', () => {
    const record = entry();
    expect(wrote(record, 1, 'stale')).toHaveLength(1);
    expect(settled(record, 1, '"0"')).toHaveLength(1);
    expect(settled(record, 1, '"1"')).toHaveLength(1);
    wrote(record, 2, 'unclear');
    expect(wrote(record, 3, 'stale')).toEqual([]);
    expect(settled(record, 2, '"2"')).toEqual([]);
    expect([record.value, record.etag, record.pending.size]).toEqual([2, '"2"', 0]);
  });
});
