/** Runs specs one by one: each in a process and with a deadline of its own, several of them at once. */

import { runSuite, type Suite } from './e2e.ts';
import type { Outcome } from './report.ts';
import { named } from './selection.ts';

export interface SpecRuns extends Pick<Suite, 'member' | 'at'> {
  /** Full names. */
  specs: readonly string[];
  atOnce: number;
  /** Whether a failure is to be seen twice before it counts. */
  isTriedAgain?(spec: string): boolean;
  /** As Go writes it; undefined: five minutes, ten for those that Kubernetes marks as slow. */
  deadlineOf?(spec: string): string | undefined;
}

/** Kubernetes' own marks. */
const isSerial = (spec: string): boolean => spec.includes('[Serial]');
const isSlow = (spec: string): boolean => spec.includes('[Slow]');

export async function runEach({
  specs,
  atOnce,
  deadlineOf,
  isTriedAgain,
  ...suite
}: SpecRuns): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const runOnce = async (spec: string): Promise<Outcome> => {
    const timeout = deadlineOf?.(spec) ?? (isSlow(spec) ? '10m' : '5m');
    const ended = await runSuite({ ...suite, selection: named([spec]), timeout });
    const outcome = ended.get(spec);
    if (!outcome) throw new Error(`${spec} was not run, but ${[...ended.keys()].join(', ')}`);
    return outcome;
  };
  const run = async (spec: string): Promise<void> => {
    const first = await runOnce(spec);
    outcomes.set(spec, first.passed || !isTriedAgain?.(spec) ? first : await runOnce(spec));
  };
  // The slow ones first, so that nothing waits for them at the end.
  const together = specs.filter((spec) => !isSerial(spec)).sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)));
  await inTurns(together, atOnce, run);
  await inTurns(specs.filter(isSerial), 1, run);
  return outcomes;
}

async function inTurns(specs: readonly string[], atOnce: number, run: (spec: string) => Promise<void>): Promise<void> {
  const queue = specs.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const spec of queue) await run(spec);
    }),
  );
}
