import { globSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/**
 * The threads and the commands that tests start read TypeScript by themselves: where it is kept as compiled once, they take a quarter
 * less of the CPU. The folder is the one that `fleet` uses.
 */
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');

/** Suites wait for much of their time, so that some at once take less than one after the other. */
const suitesAtOnce = Number(process.env['FLEET_BED_SUITES_AT_ONCE'] ?? 1);

const unitTests = ['packages/**/*.test.ts', 'test/*/src/**/*.test.ts'];
/**
 * These put something else in the place of modules, timers or functions, or measure their memory: they share no process with what others
 * left running.
 */
const mocking = globSync(unitTests).filter((file) =>
  /vi\.(mock|useFakeTimers|spyOn|stubGlobal)\(|setFlagsFromString\(/.test(readFileSync(file, 'utf8')),
);

/** One more than there are cores: a third of their time tests wait, for timers and for processes of their own. */
const testsAtOnce = availableParallelism() + 1;

const unit = {
  // Those that try hundreds of inputs take seconds where others are at work, too.
  testTimeout: 20_000,
  maxWorkers: testsAtOnce,
};

const simulated = {
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  maxWorkers: testsAtOnce,
};

/** With every kind registered each product of a suite is filled before it is asked. */
const patience = process.env['FLEET_BED_CACHED'] === '1' ? 3 : 1;

/** `unit` and `mocking` need nothing but Node, nor does `simulated`: the whole product on simulated clusters; `bed` runs on real clusters and builds them first. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...unit,
          name: 'unit',
          include: unitTests,
          exclude: mocking,
          // Reading the same modules for each of 400 files takes as long as the tests themselves.
          isolate: false,
        },
      },
      {
        test: {
          ...unit,
          name: 'mocking',
          include: mocking,
        },
      },
      {
        test: {
          ...simulated,
          name: 'simulated',
          include: ['test/simulated/*.sim.ts'],
        },
      },
      {
        // Guides that take a minute each and are no first look: `.ci/run` follows them with the kubectl of the bed.
        test: {
          ...simulated,
          name: 'guides',
          include: ['test/simulated/*.guide.ts'],
        },
      },
      {
        test: {
          name: 'bed',
          include: ['test/**/*.bed.ts'],
          setupFiles: ['test/bed/src/cached/check-share.ts', 'test/bed/src/agents/check-tunnel.ts'],
          fileParallelism: suitesAtOnce > 1,
          maxWorkers: suitesAtOnce,
          testTimeout: patience * 60_000,
          hookTimeout: patience * 180_000,
        },
      },
    ],
  },
});
