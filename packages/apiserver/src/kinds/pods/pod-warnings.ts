/** What whoever makes a Pod is warned of. */

import { dnsLabelFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { specOf } from './pod-changes.ts';

export function podWarnings(pod: KubeObject, old: KubeObject | undefined): string[] {
  if (old) return [];
  const faults = dnsLabelFaults(pod.metadata.name ?? '');
  const why = `this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${faults.join(' ')}]`;
  return [
    ...(faults.length > 0 ? [`metadata.name: ${why}`] : []),
    ...(specOf(pod).imagePullSecrets ?? []).flatMap(({ name }, index) =>
      name ? [] : [`spec.imagePullSecrets[${index}].name: invalid empty name ""`],
    ),
  ];
}
