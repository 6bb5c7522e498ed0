/** The suites of merged views, which also run with every kind registered (CACHE-17). */
export const cachedSuites: readonly string[] = [
  'test/chaos/chaos.bed.ts',
  'test/suites/client-go.bed.ts',
  'test/suites/request-routing.bed.ts',
  'test/suites/all-members-proxy.bed.ts',
  'test/suites/kubectl-matrix/matrix.bed.ts',
  'test/suites/kubectl-restarts.bed.ts',
  'test/suites/kubectl-vanilla.bed.ts',
  // With the steps of Kubernetes' own tests "Watchers" and "API Streaming".
  'test/suites/merged-watch.bed.ts',
  'test/suites/pages.bed.ts',
  'test/suites/vanilla-differential.bed.ts',
  'test/suites/watch-load.bed.ts',
];
