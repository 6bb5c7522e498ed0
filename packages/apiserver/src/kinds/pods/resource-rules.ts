/** Validates the resources that a container requests. */

import { parseQuantity } from '@fleet/kube/quantity.ts';
import { type FieldError, forbiddenField, invalidNamedText, invalidValue, required } from '../../errors/field-error.ts';
import { labelKeyFaults } from '../../names/name-rules.ts';
import { faultsAt, nonNegativeQuantityErrors } from '../field-rules.ts';
import type { Resources } from './pod-spec.ts';
import { isWhole } from './resource-list.ts';

const forContainers = ['cpu', 'memory', 'ephemeral-storage'];
const standard = [
  ...forContainers,
  ...['requests.cpu', 'requests.memory', 'requests.ephemeral-storage', 'requests.storage', 'storage'],
  ...['limits.cpu', 'limits.memory', 'limits.ephemeral-storage', 'pods', 'resourcequotas', 'services'],
  ...['replicationcontrollers', 'secrets', 'configmaps', 'persistentvolumeclaims'],
  ...['services.nodeports', 'services.loadbalancers'],
];

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
const isOvercommitable = (name: string): boolean => isNative(name) && !isHugePages(name);

function nameErrors(field: string, name: string): FieldError[] {
  const faults = faultsAt(field, name, labelKeyFaults(name));
  if (!name.includes('/')) {
    const isKnown = faults.length > 0 || standard.includes(name) || isHugePages(name);
    const forOthers = isKnown
      ? []
      : [invalidNamedText(field, name, 'must be a standard resource type or fully qualified')];
    const isContainers = forContainers.includes(name) || isHugePages(name);
    return [
      ...faults,
      ...forOthers,
      ...(isContainers ? [] : [invalidNamedText(field, name, 'must be a standard resource for containers')]),
    ];
  }
  const isExtended = isNative(name) || (!name.startsWith('requests.') && faults.length === 0);
  return isExtended
    ? faults
    : [...faults, invalidNamedText(field, name, "doesn't follow extended resource name standard")];
}

/** Resources that are counted in integers. */
const counted = [
  ...['pods', 'resourcequotas', 'services', 'replicationcontrollers', 'secrets', 'configmaps'],
  ...['persistentvolumeclaims', 'services.nodeports', 'services.loadbalancers'],
];

const isCounted = (name: string): boolean =>
  counted.includes(name) || (!isNative(name) && !name.startsWith('requests.'));

export function amountErrors(field: string, name: string, amount: string): FieldError[] {
  const isBroken = isCounted(name) && !isWhole(amount);
  return [
    ...nonNegativeQuantityErrors(field, amount),
    ...(isBroken ? [invalidValue(field, amount, 'must be an integer')] : []),
  ];
}

export function resourceErrors({ limits = {}, requests = {} }: Resources, path: string): FieldError[] {
  const errors = Object.entries(limits).flatMap(([name, amount]) => [
    ...nameErrors(`${path}.limits[${name}]`, name),
    ...amountErrors(`${path}.limits[${name}]`, name, amount),
  ]);
  for (const [name, amount] of Object.entries(requests)) {
    const field = `${path}.requests[${name}]`;
    errors.push(...nameErrors(field, name), ...amountErrors(field, name, amount));
    errors.push(...limitErrors(name, amount, Object.hasOwn(limits, name) ? limits[name] : undefined, path));
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory'))
    errors.push(forbiddenField(path, 'HugePages require cpu or memory'));
  return errors;
}

function limitErrors(name: string, amount: string, limit: string | undefined, path: string): FieldError[] {
  if (limit === undefined)
    return isOvercommitable(name)
      ? []
      : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  const difference = parseQuantity(amount).nano - parseQuantity(limit).nano;
  if (difference !== 0n && !isOvercommitable(name))
    return [invalidValue(`${path}.requests`, amount, `must be equal to ${name} limit of ${limit}`)];
  return difference > 0n
    ? [invalidValue(`${path}.requests`, amount, `must be less than or equal to ${name} limit of ${limit}`)]
    : [];
}
