/** Suites that a change does not wait for: in a short form they would show a part of what others show, too. */

/** Takes half an hour, and changes with the simulator alone: a step of its own. */
export const simulatedConformance = 'test/conformance/simulated.bed.ts';

/** Not Kubernetes' tests but Karmada's, whose suite is built for it alone: a step of its own. */
export const karmadaSearch = 'test/conformance/karmada-search.bed.ts';

/** What the cache has under faults, and for whom, while both change: each starts many products, and takes minutes. */
export const cacheAtLength = ['test/chaos/cached-permissions.bed.ts', 'test/suites/cache-faults.bed.ts'];

export const longSuites: readonly string[] = [
  // With every change `test/suites/cache.bed.ts` and `test/simulated/cache*` show the same cases one by one.
  ...cacheAtLength,
  // COMPAT-3: what passes directly passes at every door; with every change the differentials compare the same doors.
  'test/conformance/conformance.bed.ts',
  // COMPAT-4: with every change the suites apiserver-* and client-go-embedded compare the same with kube-apiserver.
  'test/conformance/embedded.bed.ts',
  // With every change `packages/simulator` and `test/simulated` test the same controllers.
  simulatedConformance,
  // With every change `test/suites/document-002.bed.ts` and `test/simulated/aggregation*.sim.ts` show the same endpoints.
  karmadaSearch,
];
