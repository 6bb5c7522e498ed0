/** Resolves `matchLabelKeys` of a new pod: the values of its own labels are added to the selectors. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { SelectorObject } from '../../selectors/selector-object.ts';
import type { PodSpec } from './pod-spec.ts';

interface Term {
  labelSelector?: SelectorObject;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}

interface Affinity {
  preferredDuringSchedulingIgnoredDuringExecution?: { podAffinityTerm: Term }[];
  requiredDuringSchedulingIgnoredDuringExecution?: Term[];
}

type Labels = Record<string, string>;

function select({ labelSelector }: Term, keys: string[] = [], operator: 'In' | 'NotIn', labels: Labels): void {
  // Without a selector nothing is selected.
  if (!labelSelector) return;
  for (const key of keys) {
    if (!Object.hasOwn(labels, key)) continue;
    labelSelector.matchExpressions = [
      ...(labelSelector.matchExpressions ?? []),
      { key, operator, values: [labels[key]!] },
    ];
  }
}

function applyTerm(term: Term, labels: Labels): void {
  select(term, term.matchLabelKeys, 'In', labels);
  select(term, term.mismatchLabelKeys, 'NotIn', labels);
}

export function applyLabelKeys({ metadata: { labels = {} }, spec }: KubeObject): void {
  const { affinity, topologySpreadConstraints = [] } = (spec ?? {}) as PodSpec & {
    affinity?: { podAffinity?: Affinity; podAntiAffinity?: Affinity };
    topologySpreadConstraints?: Term[];
  };
  for (const one of [affinity?.podAffinity, affinity?.podAntiAffinity]) {
    for (const { podAffinityTerm } of one?.preferredDuringSchedulingIgnoredDuringExecution ?? [])
      applyTerm(podAffinityTerm, labels);
    for (const term of one?.requiredDuringSchedulingIgnoredDuringExecution ?? []) applyTerm(term, labels);
  }
  for (const constraint of topologySpreadConstraints) select(constraint, constraint.matchLabelKeys, 'In', labels);
}
