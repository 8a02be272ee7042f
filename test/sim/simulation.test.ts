import { expect, test } from 'vitest';
import { SHARDS, runShard } from './shard.ts';

test(
  `whole lives of a knowledge base break none of the invariants (1 of ${SHARDS})`,
  () => runShard(0, (wrong) => expect(wrong).toEqual([])),
  36_000_000,
);
