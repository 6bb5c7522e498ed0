/** Selects candidates if a placement limits their number (FED-21, by cluster only). */

import type { BindingSpec } from '../api/bindings.ts';
import { compareText } from './by-name.ts';
import type { SchedulableCluster } from './candidates.ts';
import { strategyOf } from './strategy.ts';

/** Undefined: there are fewer than the constraint needs. */
export function selectClusters(
  spec: BindingSpec,
  candidates: readonly SchedulableCluster[],
): readonly SchedulableCluster[] | undefined {
  const placement = spec.placement ?? {};
  const constraint = placement.spreadConstraints?.find(
    ({ spreadByField, spreadByLabel }) => spreadByField === 'cluster' || (!spreadByField && !spreadByLabel),
  );
  if (!constraint || strategyOf(placement) === 'StaticWeight') return candidates;
  if (candidates.length < (constraint.minGroups ?? 1)) return undefined;
  const { maxGroups } = constraint;
  return maxGroups ? chosenFirst(spec, candidates).slice(0, maxGroups) : candidates;
}

/** Clusters that have the object already stay, so that a newcomer moves nothing. */
function chosenFirst({ clusters }: BindingSpec, candidates: readonly SchedulableCluster[]): SchedulableCluster[] {
  const chosen = new Set(clusters?.map(({ name }) => name));
  const rank = ({ metadata }: SchedulableCluster): number => (chosen.has(metadata.name) ? 0 : 1);
  return candidates.toSorted(
    (left, right) => rank(left) - rank(right) || compareText(left.metadata.name, right.metadata.name),
  );
}
