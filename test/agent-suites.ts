/** The suites that also run with every member behind an agent (AGENT-5): what matters of one cluster, of merged views and of faults. */
export const agentSuites: readonly string[] = [
  // Informers and a controller while members and products come and go.
  'test/chaos/chaos.bed.ts',
  'test/conformance/conformance.bed.ts',
  'test/suites/client-go.bed.ts',
  'test/suites/dead-member.bed.ts',
  'test/suites/faults-trust.bed.ts',
  'test/suites/faults.bed.ts',
  'test/suites/frozen-member.bed.ts',
  'test/suites/idle-watch.bed.ts',
  // The endpoints of one cluster, with exec, attach, cp, logs and port-forward.
  'test/suites/kubectl-endpoints.bed.ts',
  'test/suites/kubectl-matrix/matrix.bed.ts',
  'test/suites/kubectl-restarts.bed.ts',
  'test/suites/limits.bed.ts',
  'test/suites/merged-watch.bed.ts',
  'test/suites/openapi.bed.ts',
  'test/suites/pages.bed.ts',
  'test/suites/proxy-differential.bed.ts',
  'test/suites/permissions.bed.ts',
  'test/suites/slow-clients.bed.ts',
  'test/suites/vanilla-differential.bed.ts',
  'test/suites/watch-load.bed.ts',
];
