import { defineConfig } from 'vitest/config';

/** `unit` needs nothing but Node; `bed` runs on real clusters and builds them first. */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['packages/**/*.test.ts', 'test/*/src/**/*.test.ts'] } },
      {
        test: {
          name: 'bed',
          include: ['test/**/*.bed.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
