/** Validates PersistentVolumes (`ValidatePersistentVolumeSpec`). */

import { isDeepStrictEqual } from 'node:util';
import { type FieldError, forbiddenField, invalidNamedText, notSupported, required } from '../../errors/field-error.ts';
import { dnsSubdomainFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { finalizerErrors } from '../core.ts';
import { backstepErrors, faultsAt } from '../field-rules.ts';
import { accessModeErrors, positiveErrors, sizeErrors } from './access-rules.ts';
import { type CheckedSources, volumeSourceErrors } from './source-rules.ts';
import type { VolumeSpec } from './volume-kind.ts';

/** All other fields of the spec are volume sources. */
const beside = [
  'capacity',
  'accessModes',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeMode',
  'claimRef',
  'nodeAffinity',
  'mountOptions',
  'volumeAttributesClassName',
];

const specOf = (volume: KubeObject): VolumeSpec => (volume['spec'] ?? {}) as VolumeSpec;

const sourcesOf = (spec: VolumeSpec): Record<string, unknown> =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => !beside.includes(name)));

export function volumeErrors(volume: KubeObject): FieldError[] {
  const spec = specOf(volume);
  const { capacity = {}, persistentVolumeReclaimPolicy: policy, storageClassName: name, hostPath, volumeMode } = spec;
  const amounts = Object.entries(capacity);
  const [first, ...others] = Object.keys(sourcesOf(spec));
  return [
    ...finalizerErrors(volume),
    ...accessModeErrors('spec.accessModes', spec.accessModes),
    ...(amounts.length === 0 ? [required('spec.capacity')] : []),
    ...(capacity['storage'] === undefined || amounts.length > 1
      ? [
          notSupported('spec.capacity', amounts.length === 0 ? null : Object.fromEntries(amounts.toSorted()), [
            'storage',
          ]),
        ]
      : []),
    ...amounts.flatMap(([resource, amount]) => [
      ...sizeErrors(`spec.capacity[${resource}]`, amount),
      ...positiveErrors(`spec.capacity[${resource}]`, amount),
    ]),
    ...(policy && !['Delete', 'Recycle', 'Retain'].includes(policy)
      ? [notSupported('spec.persistentVolumeReclaimPolicy', policy, ['Delete', 'Recycle', 'Retain'])]
      : []),
    ...(first ? [] : [required('spec', 'must specify a volume type')]),
    ...(first === 'local' && !spec.nodeAffinity
      ? [required('spec.nodeAffinity', 'Local volume requires node affinity')]
      : []),
    ...others.map((source) => forbiddenField(`spec.${source}`, 'may not specify more than 1 volume type')),
    ...volumeSourceErrors(spec as CheckedSources),
    ...(hostPath
      ? hostPath.path
        ? backstepErrors('spec.hostPath.path', hostPath.path)
        : [required('spec.hostPath.path')]
      : []),
    ...(hostPath?.path === '/' && policy === 'Recycle'
      ? [forbiddenField('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
    ...(name ? faultsAt('spec.storageClassName', name, dnsSubdomainFaults(name)) : []),
    ...(volumeMode !== undefined && !['Block', 'Filesystem'].includes(volumeMode)
      ? [notSupported('spec.volumeMode', volumeMode, ['Block', 'Filesystem'])]
      : []),
  ];
}

export function volumeUpdateErrors(volume: KubeObject, old: KubeObject, subresource: string | undefined): FieldError[] {
  if (subresource) return finalizerErrors(volume);
  const [spec, before] = [specOf(volume), specOf(old)];
  const why = 'spec.persistentvolumesource is immutable after creation\n';
  return [
    ...volumeErrors(volume),
    ...volumeErrors(volume),
    ...(isDeepStrictEqual(sourcesOf(spec), sourcesOf(before))
      ? []
      : [forbiddenField('spec.persistentvolumesource', why)]),
    ...(spec.volumeMode === before.volumeMode
      ? []
      : [invalidNamedText('volumeMode', spec.volumeMode, 'field is immutable')]),
  ];
}
