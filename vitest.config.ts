import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Many tests wait for processes, and leave a core to others; Vitest's own figure for two cores is one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    coverage: {
      // What decides and what remembers: there, a branch that no test enters is a rule that nobody has stated.
      include: ['src/plan/**', 'src/base/**'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { 'src/plan/**': { branches: 100 }, 'src/base/**': { branches: 100 } },
    },
  },
});
