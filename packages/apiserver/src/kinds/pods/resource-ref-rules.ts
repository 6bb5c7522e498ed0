/** Validates references to a container's resources, in variables and files. */

import { formatQuantity, parseQuantity } from '@fleet/kube/quantity.ts';
import { type FieldError, invalidValue, notSupported, required } from '../../errors/field-error.ts';

export interface ResourceRef {
  containerName?: string;
  resource?: string;
  divisor?: string;
}

const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

const isHugePages = (resource: string): boolean => /^(?:limits|requests)\.hugepages-/.test(resource);

/** `isFile`: in a volume, where the container must be named. */
export function resourceRefErrors(
  { containerName, resource = '', divisor = '0' }: ResourceRef,
  field: string,
  isFile: boolean,
): FieldError[] {
  return [
    ...(isFile && !containerName ? [required(`${field}.containerName`)] : nameErrors(resource, `${field}.resource`)),
    ...divisorErrors(resource, divisor, `${field}.divisor`),
  ];
}

function nameErrors(resource: string, field: string): FieldError[] {
  if (resource === '') return [required(field)];
  return resources.includes(resource) || isHugePages(resource) ? [] : [notSupported(field, resource, resources)];
}

function divisorErrors(resource: string, divisor: string, field: string): FieldError[] {
  const quantity = parseQuantity(divisor);
  if (quantity.nano === 0n) return [];
  const shown = formatQuantity(quantity);
  const refuse = (known: string, name: string): FieldError[] => [
    invalidValue(field, resource, `only divisor's values ${known} are supported with the ${name} resource`),
  ];
  const name = nameOf(resource);
  if (name === undefined) return [];
  if (name === 'cpu') return ['1m', '1'].includes(shown) ? [] : refuse('1m and 1', name);
  return byteDivisors.includes(shown) ? [] : refuse(byteDivisors.join(', '), name);
}

/** Kubernetes' name of the resource in errors; undefined for resources without rules. */
function nameOf(resource: string): string | undefined {
  if (isHugePages(resource)) return 'hugepages';
  const [, name = ''] = /^(?:limits|requests)\.(cpu|memory|ephemeral-storage)$/.exec(resource) ?? [];
  return name === 'ephemeral-storage' ? 'local ephemeral storage' : name || undefined;
}
