/** Decides whether a node is eligible for a DaemonSet's pod: by name, node selector, node affinity and taints. */

import { hasLabels, isAmong } from '@fleet/apiserver/selectors/selector-object.ts';
import type { Node } from '../../nodes/node.ts';
import type { NodeSelectorTerm, PodSpec, Toleration } from '../../pods/pod.ts';
import { type DaemonSet, daemonTolerations } from './daemon-set.ts';

export interface Eligibility {
  shouldRun: boolean;
  /** A pod that runs there already may continue. */
  shouldContinue: boolean;
}

export function eligibilityOf({ spec }: DaemonSet, node: Node): Eligibility {
  const pod = spec.template.spec;
  if ((pod.nodeName && pod.nodeName !== node.metadata.name) || !fitsAffinity(pod, node)) {
    return { shouldRun: false, shouldContinue: false };
  }
  const tolerations = daemonTolerations(pod);
  const isTolerated = (effects: readonly string[]): boolean =>
    (node.spec?.taints ?? [])
      .filter(({ effect }) => effects.includes(effect))
      .every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)));
  if (isTolerated(['NoExecute', 'NoSchedule'])) return { shouldRun: true, shouldContinue: true };
  return { shouldRun: false, shouldContinue: isTolerated(['NoExecute']) };
}

function tolerates(
  { key, operator = 'Equal', value = '', effect }: Toleration,
  taint: { key: string; value?: string; effect: string },
): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return operator === 'Equal' && value === (taint.value ?? '');
}

function fitsAffinity({ nodeSelector = {}, affinity }: PodSpec, node: Node): boolean {
  const { labels = {} } = node.metadata;
  if (!hasLabels(labels, nodeSelector)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required) return true;
  return (required.nodeSelectorTerms ?? []).some((term) => fitsTerm(term, node));
}

/** An empty term selects nothing. */
function fitsTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const { labels = {}, name } = metadata;
  return (
    matchExpressions.every(({ key, operator, values = [] }) =>
      fits(Object.hasOwn(labels, key) ? labels[key] : undefined, operator, values),
    ) && matchFields.every(({ key, operator, values = [] }) => key === 'metadata.name' && fits(name, operator, values))
  );
}

function fits(value: string | undefined, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && isAmong(values, value);
    case 'NotIn':
      return value === undefined || !isAmong(values, value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
