/** Suites that a change does not wait for: in a short form they would show a part of what others show, too. */

import { globSync } from 'node:fs';

/** Takes half an hour, and changes with the simulator alone: a step of its own. */
export const simulatedConformance = 'test/conformance/simulated.bed.ts';

/** Not Kubernetes' tests but Karmada's, whose suite is built for them alone: steps of their own. */
export const karmadaSearch = 'test/conformance/karmada-search.bed.ts';
export const karmadaFederation = 'test/conformance/karmada-federation.bed.ts';

/** What the cache has under faults, and for whom, while both change: each starts many products, and takes minutes. */
const cacheAtLength = ['test/chaos/cached-permissions.bed.ts', 'test/suites/cache-faults.bed.ts'];

/** Takes minutes: one product for each bug that is planted in it. */
export const hostileAgents = 'test/simulated/agents-hostile-controls.bed.ts';

/** Packs and installs the whole product, which writes thousands of files. */
export const packedProduct = 'test/simulated/packed.bed.ts';

/** Agents that are killed, frozen and cut off, and what is left after thousands of requests: bounds of 45 s are waited for. */
export const agentsAtLength = [
  'test/simulated/agents-faults.bed.ts',
  'test/simulated/agents-silence.bed.ts',
  'test/simulated/agents-two.bed.ts',
  'test/simulated/agents-leaks.bed.ts',
  'test/suites/agent-namespace.bed.ts',
];

/** Bugs planted in the product, one product for each; the checks that notice them run with every change, most of them as `*.sim.ts`. */
export const plantedBugs = [
  'test/simulated/agents-controls.bed.ts',
  'test/simulated/aggregation-controls.bed.ts',
  'test/simulated/cache-named-controls.bed.ts',
  'test/simulated/kubesphere-controls.bed.ts',
  'test/simulated/templates-controls.bed.ts',
  'test/simulated/views-controls.bed.ts',
];

/** kubectl at length: with every change the matrix, `kubectl-vanilla`, `kubectl-endpoints` and `test/simulated` run the same commands. */
export const kubectlAtLength = [
  'test/suites/kubectl-matrix/embedded.bed.ts',
  'test/suites/kubectl-restarts.bed.ts',
  'test/suites/kubectl-scripts.bed.ts',
];

/** With every change `apiserver-differential` sends generated requests to the same API server, one after the other. */
const apiserverLoad = 'test/suites/apiserver-load.bed.ts';

/** It measures a busy product, which shows nothing beside two other suites. With every change `slow-clients` and `merged-watch` test its rules. */
const watchLoad = 'test/suites/watch-load.bed.ts';

/** Takes eight minutes. With every change `slow-clients` and `limits` cut requests, and `packages/tunnel` counts what a thousand streams leave. */
export const leaks = 'test/suites/leaks.bed.ts';

/** Six agents, each of which a member is used through. */
export const stockAgents = 'test/simulated/agents-stock.bed.ts';

/** Kubernetes' own tests: at every endpoint of one member (COMPAT-3), and of the embedded control plane (COMPAT-4). */
export const conformanceSuites = ['test/conformance/conformance.bed.ts', 'test/conformance/embedded.bed.ts'];

/** Waits for probes, backoffs and a time without writes. */
export const federationMembers = 'test/simulated/federation-faulty-members.bed.ts';

export const longSuites: readonly string[] = [
  // With every change `test/simulated/agents-hostile.bed.ts` has the same agents.
  hostileAgents,
  ...plantedBugs,
  ...kubectlAtLength,
  apiserverLoad,
  watchLoad,
  leaks,
  // With every change `test/suites/src/pack.test.ts` packs single files.
  packedProduct,
  // With every change `packages/tunnel` and `packages/agent` test the same clients and proxies without a fleet.
  stockAgents,
  // With every change `test/suites/cache.bed.ts` and `test/simulated/cache*` show the same cases one by one.
  ...cacheAtLength,
  // With every change `test/simulated/agents.sim.ts` cuts connections, and one of two agents under load.
  ...agentsAtLength,
  // With every change the differentials compare the same endpoints, and the suites apiserver-* and client-go-embedded the same API server.
  ...conformanceSuites,
  // With every change `packages/simulator` and `test/simulated` test the same controllers.
  simulatedConformance,
  // With every change `test/suites/aggregation-proxy.bed.ts` and `test/simulated/aggregation*` show the same endpoints.
  karmadaSearch,
  // With every change `test/suites/federation.bed.ts` and `test/simulated/federation*` show the same pipeline.
  karmadaFederation,
  // With every change `test/simulated/federation-faults.bed.ts` has faults at writes, `federation-leaving` an unreachable member.
  federationMembers,
];

/** All others: those that run with every change. */
export const ordinarySuites = (): string[] =>
  globSync('test/**/*.bed.ts')
    .sort()
    .filter((suite) => !longSuites.includes(suite));
