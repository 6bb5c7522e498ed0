/** The specs that passed directly beside those that passed through the product (COMPAT-3). */

import type { Outcome } from './report.ts';

type Outcomes = ReadonlyMap<string, Outcome>;

export interface Difference {
  spec: string;
  /** The side it passed on. */
  passed: 'direct' | 'through';
  /** Why it did not on the other. */
  message: string;
}

export interface Comparison {
  direct: number;
  through: number;
  differences: Difference[];
}

const passedIn = (outcomes: Outcomes): string[] =>
  [...outcomes].filter(([, { passed }]) => passed).map(([spec]) => spec);

export function compare(direct: Outcomes, through: Outcomes): Comparison {
  const lacking = (passed: Difference['passed'], here: Outcomes, there: Outcomes): Difference[] =>
    passedIn(here)
      .filter((spec) => !there.get(spec)?.passed)
      .map((spec) => ({ spec, passed, message: there.get(spec)?.message ?? 'was not run' }));
  return {
    direct: passedIn(direct).length,
    through: passedIn(through).length,
    differences: [...lacking('direct', direct, through), ...lacking('through', through, direct)],
  };
}

export const summary = ({ direct, through, differences }: Comparison): string =>
  `direct ${direct}, through ${through}, differ ${differences.length}`;

/** The summary, and each spec that differs with why. */
export function describeComparison(comparison: Comparison): string {
  const lines = comparison.differences.map(({ spec, passed, message }) => `  only ${passed}: ${spec}\n    ${message}`);
  return [summary(comparison), ...lines].join('\n');
}
