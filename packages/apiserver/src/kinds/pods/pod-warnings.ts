/** Warnings for the creator of a Pod. */

import { dnsLabelFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { ipWarnings } from '../rules/ip-rules.ts';
import { specOf } from './pod-changes.ts';
import { podSpecWarnings } from './spec-warnings.ts';

export function podWarnings(pod: KubeObject, old: KubeObject | undefined, subresource?: string): string[] {
  if (subresource === 'status') return addressWarnings(pod);
  if (old) return [];
  const faults = dnsLabelFaults(pod.metadata.name ?? '');
  const why = `this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${faults.join(' ')}]`;
  return [...(faults.length > 0 ? [`metadata.name: ${why}`] : []), ...podSpecWarnings(specOf(pod), pod.metadata, '')];
}

interface Addresses {
  podIPs?: { ip?: string }[];
  hostIPs?: { ip?: string }[];
}

function addressWarnings({ status }: KubeObject): string[] {
  const addresses = (status ?? {}) as Addresses;
  return (['podIPs', 'hostIPs'] as const).flatMap((field) =>
    (addresses[field] ?? []).flatMap(({ ip = '' }, index) => ipWarnings(ip, `status.${field}[${index}].ip`)),
  );
}
