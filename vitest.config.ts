import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    coverage: {
      // What decides and what remembers: there, a branch that no test enters is a rule that nobody has stated.
      include: ['src/plan/**', 'src/base/**'],
      reporter: [['text', { skipFull: true }]],
      thresholds: { 'src/plan/**': { branches: 100 }, 'src/base/**': { branches: 100 } },
    },
  },
});
