/** What is wrong with a PersistentVolumeClaim (`ValidatePersistentVolumeClaimSpec`). */

import { isDeepStrictEqual } from 'node:util';
import { parseQuantity } from '@fleet/kube/quantity.ts';
import { type FieldError, forbiddenField, invalidNamedText, notSupported, required } from '../../errors/field-error.ts';
import { dnsSubdomainFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { SelectorObject } from '../../selectors/selector-object.ts';
import { finalizerErrors } from '../core.ts';
import { faultsAt } from '../field-rules.ts';
import { labelSelectorErrors } from '../label-selector-rules.ts';
import type { ClaimSpec } from '../pods/pod-spec.ts';
import { accessModeErrors, positiveErrors } from './access-rules.ts';

const specOf = (claim: KubeObject): ClaimSpec => (claim['spec'] ?? {}) as ClaimSpec;
const sizeOf = ({ resources }: ClaimSpec): string => resources?.requests?.['storage'] ?? '0';

export const claimErrors = (claim: KubeObject): FieldError[] => [
  ...finalizerErrors(claim),
  ...claimSpecErrors(specOf(claim), 'spec'),
];

/** Also of claims within other kinds, such as StatefulSets. */
export function claimSpecErrors(spec: ClaimSpec, path: string): FieldError[] {
  const { storageClassName: name, volumeMode, resources } = spec;
  const selector = spec['selector'] as SelectorObject | undefined;
  const size = resources?.requests?.['storage'];
  return [
    ...(selector ? labelSelectorErrors(selector, `${path}.selector`) : []),
    ...accessModeErrors(`${path}.accessModes`, spec.accessModes, 'at least 1 access mode is required'),
    ...(size === undefined
      ? [required(`${path}.resources[storage]`)]
      : positiveErrors(`${path}.resources[storage]`, size)),
    ...(name ? faultsAt(`${path}.storageClassName`, name, dnsSubdomainFaults(name)) : []),
    ...(volumeMode && !['Block', 'Filesystem'].includes(volumeMode)
      ? [notSupported(`${path}.volumeMode`, volumeMode, ['Block', 'Filesystem'])]
      : []),
  ];
}

export function claimUpdateErrors(claim: KubeObject, old: KubeObject, subresource: string | undefined): FieldError[] {
  if (subresource) return [];
  const [spec, before] = [specOf(claim), specOf(old)];
  const { phase, capacity } = (old['status'] ?? {}) as { phase?: string; capacity?: Record<string, string> };
  const why =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';
  const isSame = isDeepStrictEqual(
    comparable(spec, before, phase === 'Bound'),
    comparable(before, before, phase === 'Bound'),
  );
  const [size, standing] = [parseQuantity(sizeOf(spec)).nano, parseQuantity(sizeOf(before)).nano];
  const isShrunk = size < standing && size <= parseQuantity(capacity?.['storage'] ?? '0').nano;
  return [
    ...finalizerErrors(claim),
    ...claimErrors(claim),
    ...(isSame ? [] : [forbiddenField('spec', why)]),
    ...(isShrunk
      ? [forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity')]
      : []),
    ...(spec.volumeMode === before.volumeMode
      ? []
      : [invalidNamedText('volumeMode', spec.volumeMode, 'field is immutable')]),
  ];
}

/** Without what may change: the volume and its class once, the size of a bound claim. */
function comparable(spec: ClaimSpec, before: ClaimSpec, isBound: boolean): ClaimSpec {
  const { volumeName, storageClassName, resources, volumeAttributesClassName, ...rest } = spec;
  const { storage: _, ...requests } = resources?.requests ?? {};
  return {
    ...rest,
    ...(before.volumeName ? { volumeName: volumeName ?? '' } : {}),
    ...(before.storageClassName === undefined ? {} : { storageClassName: storageClassName ?? '' }),
    ...(isBound ? {} : { volumeAttributesClassName }),
    resources: { ...resources, requests: isBound ? requests : (resources?.requests ?? {}) },
  };
}
