/** Suites that a change does not wait for: in a short form they would show a part of what others show, too. */

export const longSuites: readonly string[] = [
  // COMPAT-3: what passes directly passes at every door; with every change the differentials compare the same doors.
  'test/conformance/conformance.bed.ts',
  // COMPAT-4: with every change the suites apiserver-* and client-go-embedded compare the same with kube-apiserver.
  'test/conformance/embedded.bed.ts',
];
