import { expect, test } from 'vitest';
import { SHARDS, runShard } from './shard.ts';

test(
  `whole lives of a knowledge base break none of the invariants (2 of ${SHARDS})`,
  () => runShard(1, (wrong) => expect(wrong).toEqual([])),
  36_000_000,
);
