/** The suites that run on the control plane in the product, too (CP-4). */

/** Short, and together they use all that the product asks of a control plane: with every change. */
export const shortEmbeddedSuites = [
  'test/suites/clusters-removal.bed.ts',
  'test/suites/join.bed.ts',
  'test/suites/reviews.bed.ts',
];

export const embeddedSuites = [
  ...shortEmbeddedSuites,
  'test/suites/clusters-health.bed.ts',
  'test/suites/clusters-ways.bed.ts',
  'test/suites/front.bed.ts',
  'test/suites/kubectl-doors.bed.ts',
  'test/suites/kubectl-vanilla.bed.ts',
  'test/suites/merged-watch.bed.ts',
  'test/suites/pages.bed.ts',
  'test/suites/rights.bed.ts',
  'test/suites/unjoin.bed.ts',
];
