/** Controllers that forget a step, each in a script that has to notice. */

import type { Mutant } from '@fleet/bed/mutant.ts';

export interface PlantedBug extends Mutant {
  name: string;
  scriptName: string;
  /** The difference that it makes. */
  noticed: RegExp;
}

const controllers = 'simulator/src/controllers';

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'a Deployment keeps the last pod of an old ReplicaSet',
    scriptName: 'rollouts',
    noticed: /never settled\n.*deployment\/web/,
    file: `${controllers}/deployments/rollout.ts`,
    from: 'isScaledDown = (await state.resize(size.set, size.replicas)) || isScaledDown;',
    to: 'isScaledDown = (await state.resize(size.set, Math.max(1, size.replicas))) || isScaledDown;',
  },
  {
    name: 'a new ReplicaSet has the revision of the first',
    scriptName: 'rollouts',
    noticed: /- \.metadata\.annotations\.deployment\.kubernetes\.io\/revision="2"/,
    file: `${controllers}/deployments/current-set.ts`,
    from: 'bigint => maxRevision(old) + 1n;',
    to: 'bigint => 1n;',
  },
  {
    name: 'no Event reports that a pod was deleted',
    scriptName: 'rollouts',
    noticed: /SuccessfulDelete.*Deleted pod/,
    file: `${controllers}/shared/pod-control.ts`,
    from: "events.event(about, 'Normal', 'SuccessfulDelete',",
    to: 'String(about,',
  },
  {
    name: 'EndpointSlices keep what they were made with',
    scriptName: 'services',
    noticed: /never settled\n.*service\//,
    file: `${controllers}/endpoints/endpoint-slice-controller.ts`,
    from: 'for (const slice of changes.update) {',
    to: 'for (const slice of changes.update.slice(1)) {',
  },
  {
    name: 'the status of a disruption budget is written once',
    scriptName: 'budgets',
    noticed: /poddisruptionbudgets? ?\/?db|Cannot evict pod/,
    file: `${controllers}/disruption/disruption-controller.ts`,
    from: 'if (isDeepStrictEqual(status, budget.status)) return;',
    to: 'if (budget.status?.conditions?.length) return;',
  },
  {
    name: 'a StatefulSet is updated below its partition',
    scriptName: 'statefulsets',
    // The pod itself, or, while it is being replaced, where it is missing.
    noticed: /\bdb-0\b/,
    file: `${controllers}/stateful-sets/stateful-set-sync.ts`,
    from: 'ordinal >= startOrdinal(set) + partition);',
    to: 'ordinal >= startOrdinal(set));',
  },
  {
    name: 'templates are hashed with another function',
    scriptName: 'daemonsets',
    noticed: /controllerrevisions agent-/,
    file: 'simulator/src/hashes.ts',
    from: 'hash = Math.imul(hash ^ byte, prime);',
    to: 'hash = Math.imul(hash, prime) ^ byte;',
  },
  {
    name: 'a Job that is suspended counts its pods as failed',
    scriptName: 'jobs',
    noticed: /\+ \.status\.failed=/,
    file: `${controllers}/jobs/job-sync.ts`,
    from: 'await this.#delete(active, true);',
    to: 'await this.#delete(active, false);',
  },
  {
    name: 'a drain evicts whatever disruption budgets allow',
    scriptName: 'nodes',
    noticed: / {4}- error when evicting .*: Cannot evict pod as it would violate/,
    file: 'apiserver/src/pod-requests/eviction.ts',
    from: 'if (budget && !isPinned) await takeDisruption(',
    to: 'if (budget && isPinned) await takeDisruption(',
  },
];
