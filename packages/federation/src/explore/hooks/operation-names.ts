/** The names of the operations in the two kinds of configurations. */

import { type Codec, type Operation, operations } from './hook-model.ts';

export const exploreNames = {
  replica: 'ExploreReplica',
  status: 'ExploreStatus',
  packing: 'ExplorePacking',
  revising: 'ExploreReplicaRevising',
  retaining: 'ExploreRetaining',
  aggregating: 'ExploreStatusAggregating',
  healthy: 'ExploreHealthy',
  dependencies: 'ExploreDependencies',
} as const satisfies Record<Operation, string>;

/** Karmada has no name for packing that a configuration may use: it refuses `Prune`. */
export const interpretNames = {
  replica: 'InterpretReplica',
  status: 'InterpretStatus',
  revising: 'ReviseReplica',
  retaining: 'Retain',
  aggregating: 'AggregateStatus',
  healthy: 'InterpretHealth',
  dependencies: 'InterpretDependency',
} as const satisfies Partial<Record<Operation, string>>;

const names: Record<Codec, Partial<Record<Operation, string>>> = { explore: exploreNames, interpret: interpretNames };

/** What a rule may name beside `*`. InterpretComponent is accepted and never called. */
export const acceptedNames: Record<Codec, readonly string[]> = {
  explore: Object.values(exploreNames),
  interpret: [...Object.values(interpretNames), 'InterpretComponent'],
};

const all: Record<Codec, readonly Operation[]> = {
  explore: operations,
  interpret: operations.filter((operation) => operation in interpretNames),
};

const byName: Record<Codec, ReadonlyMap<string, Operation>> = {
  explore: inverse('explore'),
  interpret: inverse('interpret'),
};

function inverse(codec: Codec): Map<string, Operation> {
  return new Map(all[codec].map((operation) => [names[codec][operation]!, operation]));
}

/** Of what a stored rule names. What is not known is left out: nothing calls it. */
export function operationsNamed(codec: Codec, named: readonly string[]): readonly Operation[] {
  if (named.includes('*')) return all[codec];
  return [...new Set(named)].flatMap((name) => byName[codec].get(name) ?? []);
}
