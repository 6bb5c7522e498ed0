/** The suites that run on the control plane in the product, too: all that have a fleet (CP-4). */

/** Short, and together they use all that the product asks of a control plane: with every change. */
export const shortEmbeddedSuites = [
  'test/suites/clusters-removal.bed.ts',
  'test/suites/document-000.bed.ts',
  'test/suites/join.bed.ts',
  'test/suites/reviews.bed.ts',
  'test/suites/rights.bed.ts',
];

export const embeddedSuites = [
  ...shortEmbeddedSuites,
  'test/chaos/chaos.bed.ts',
  'test/chaos/worked-example.bed.ts',
  'test/suites/bad-input.bed.ts',
  'test/suites/client-go.bed.ts',
  'test/suites/clusters-health.bed.ts',
  'test/suites/clusters-ways.bed.ts',
  'test/suites/document-001.bed.ts',
  'test/suites/faults-trust.bed.ts',
  'test/suites/faults.bed.ts',
  'test/suites/front.bed.ts',
  'test/suites/frozen-member.bed.ts',
  'test/suites/hostile.bed.ts',
  'test/suites/idle-watch.bed.ts',
  'test/suites/kubectl-doors.bed.ts',
  'test/suites/kubectl-restarts.bed.ts',
  'test/suites/kubectl-top.bed.ts',
  'test/suites/kubectl-vanilla.bed.ts',
  'test/suites/limits.bed.ts',
  'test/suites/merged-watch-kubectl.bed.ts',
  'test/suites/merged-watch.bed.ts',
  'test/suites/pages.bed.ts',
  'test/suites/readme.bed.ts',
  'test/suites/unjoin.bed.ts',
  'test/suites/upstream-watchers.bed.ts',
];
