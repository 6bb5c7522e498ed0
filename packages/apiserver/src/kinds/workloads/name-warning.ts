/** Warns about names that are valid for an object, but not for the host names of its pods. */

import { dnsLabelFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';

export function nameWarnings({ metadata: { name = '' } }: KubeObject): string[] {
  const faults = dnsLabelFaults(name);
  return faults.length === 0
    ? []
    : [
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${faults.join(' ')}]`,
      ];
}
