/** Validates names of resources that containers request (Kubernetes' `core/validation`). */

import { labelKeyFaults } from '../../names/name-rules.ts';

const ofContainers = ['cpu', 'memory', 'ephemeral-storage'];

const standard = [
  ...ofContainers.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
];

const isOfContainers = (name: string): boolean => ofContainers.includes(name) || name.startsWith('hugepages-');

const isStandard = (name: string): boolean =>
  isOfContainers(name) || standard.includes(name) || name.startsWith('requests.hugepages-');

const isExtended = (name: string): boolean =>
  !name.startsWith('requests.') && labelKeyFaults(`requests.${name}`).length === 0;

export function containerResourceFaults(name: string): string[] {
  const faults = labelKeyFaults(name);
  if (name.includes('/')) {
    const isKnown = name.includes('kubernetes.io/') || isExtended(name);
    return isKnown ? faults : [...faults, "doesn't follow extended resource name standard"];
  }
  if (faults.length === 0 && !isStandard(name)) faults.push('must be a standard resource type or fully qualified');
  return isOfContainers(name) ? faults : [...faults, 'must be a standard resource for containers'];
}
