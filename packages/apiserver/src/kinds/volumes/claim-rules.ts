/** Validates PersistentVolumeClaims (`ValidatePersistentVolumeClaimSpec`). */

import { isDeepStrictEqual } from 'node:util';
import { parseQuantity } from '@fleet/kube/quantity.ts';
import {
  type FieldError,
  forbiddenField,
  invalidNamedText,
  invalidValue,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from '../../names/name-rules.ts';
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

/** Groups were not always validated: if the old object has one, any other may replace it. */
const hasGroup = (spec: ClaimSpec): boolean =>
  [spec['dataSource'], spec['dataSourceRef']].some((source) => (source as Source | undefined)?.apiGroup);

/** Also for claims within other kinds, such as StatefulSets. */
export function claimSpecErrors(spec: ClaimSpec, path: string, allowsAnyGroup = false): FieldError[] {
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
    ...(volumeMode !== undefined && !['Block', 'Filesystem'].includes(volumeMode)
      ? [notSupported(`${path}.volumeMode`, volumeMode, ['Block', 'Filesystem'])]
      : []),
    ...sourceErrors(spec, path, allowsAnyGroup),
  ];
}

interface Source {
  /** Null where Go writes a nil pointer. */
  apiGroup?: string | null;
  kind?: string;
  name?: string;
  namespace?: string;
}

/** The data source, in the older and in the newer field. */
function sourceErrors(spec: ClaimSpec, path: string, allowsAnyGroup: boolean): FieldError[] {
  const { dataSource: older, dataSourceRef: newer } = spec as { dataSource?: Source; dataSourceRef?: Source };
  const isSame = (['apiGroup', 'kind', 'name'] as const).every((field) => older?.[field] === newer?.[field]);
  const whyNot = newer?.namespace
    ? older && 'may not be specified when dataSourceRef.namespace is specified'
    : older && newer && !isSame && 'must match dataSourceRef';
  return [
    ...(older ? referenceErrors(older, `${path}.dataSource`, allowsAnyGroup) : []),
    ...(newer ? referenceErrors(newer, `${path}.dataSourceRef`, allowsAnyGroup) : []),
    ...(newer?.namespace
      ? faultsAt(`${path}.dataSourceRef.namespace`, newer.namespace, dnsLabelFaults(newer.namespace))
      : []),
    // Kubernetes passes the path as the value, which prints as an empty object.
    ...(whyNot ? [invalidValue(path, {}, whyNot)] : []),
  ];
}

function referenceErrors({ apiGroup, kind = '', name }: Source, at: string, allowsAnyGroup: boolean): FieldError[] {
  const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [
    ...(name ? [] : [required(`${at}.name`)]),
    ...(kind ? [] : [required(`${at}.kind`)]),
    ...(!apiGroup && kind !== 'PersistentVolumeClaim' ? [invalidValue(at, kind, why)] : []),
    ...(apiGroup && !allowsAnyGroup ? faultsAt(`${at}.apiGroup`, apiGroup, dnsSubdomainFaults(apiGroup)) : []),
  ];
}

export function claimUpdateErrors(claim: KubeObject, old: KubeObject, subresource: string | undefined): FieldError[] {
  if (subresource) return finalizerErrors(claim);
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
    ...finalizerErrors(claim),
    ...claimSpecErrors(spec, 'spec', hasGroup(before)),
    ...(isSame ? [] : [forbiddenField('spec', why)]),
    ...(isShrunk
      ? [forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity')]
      : []),
    ...(spec.volumeMode === before.volumeMode
      ? []
      : [invalidNamedText('volumeMode', spec.volumeMode, 'field is immutable')]),
  ];
}

/** Without the fields that may change: the volume and its class once, the size of a bound claim. */
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
