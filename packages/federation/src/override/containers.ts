/** The containers of the kinds that have a pod template, as overriders find them. Init containers are left alone. */

import { isRecord } from '@fleet/kube/is-record.ts';
import type { Budget } from './budget.ts';

export type Container = Record<string, unknown>;

const podSpecs = new Map<string, readonly string[]>([
  ['Pod', ['spec']],
  ...['ReplicaSet', 'Deployment', 'DaemonSet', 'StatefulSet', 'Job'].map(
    (kind) => [kind, ['spec', 'template', 'spec']] as const,
  ),
]);

/** Other kinds, and a manifest without containers, stay as they are. */
export function withContainers(
  manifest: unknown,
  kind: string,
  budget: Budget,
  change: (container: Container) => Container,
): unknown {
  const path = podSpecs.get(kind);
  if (!path) return manifest;
  const counted = (container: Container): Container => {
    budget.spend(1);
    return change(container);
  };
  return changedAt(manifest, [...path, 'containers'], counted);
}

function changedAt(node: unknown, [key, ...rest]: readonly string[], change: (one: Container) => Container): unknown {
  if (key === undefined) return changedList(node, change);
  if (!isRecord(node) || node[key] === undefined || node[key] === null) return node;
  return { ...node, [key]: changedAt(node[key], rest, change) };
}

function changedList(containers: unknown, change: (one: Container) => Container): Container[] {
  if (!Array.isArray(containers) || !containers.every(isRecord)) throw new Error('containers are no list of objects');
  return containers.map(change);
}
