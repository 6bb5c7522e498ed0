import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/** Suites wait more than they compute: with two at once the whole takes little more than half as long. */
const suitesAtOnce = Number(process.env['FLEET_BED_SUITES_AT_ONCE'] ?? 1);

/** `unit` needs nothing but Node, nor does `simulated`: the whole product on simulated clusters; `bed` runs on real clusters and builds them first. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'test/*/src/**/*.test.ts'],
          // Those that try hundreds of inputs take seconds where others are at work, too.
          testTimeout: 20_000,
          // Vitest's own count leaves one core to itself, which is half of them where there are two.
          maxWorkers: availableParallelism(),
        },
      },
      {
        test: {
          name: 'simulated',
          include: ['test/simulated/*.sim.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: availableParallelism(),
        },
      },
      {
        test: {
          name: 'bed',
          include: ['test/**/*.bed.ts'],
          fileParallelism: suitesAtOnce > 1,
          maxWorkers: suitesAtOnce,
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
