/** Warnings for the author of a PersistentVolume or a claim. */

import type { KubeObject } from '../../registry/kube-object.ts';
import { claimSpecWarnings } from '../pods/fraction-warnings.ts';
import type { ClaimSpec } from '../pods/pod-spec.ts';
import { type NodeTerm, nodeTermWarnings } from '../rules/node-term-warnings.ts';

const classKey = 'volume.beta.kubernetes.io/storage-class';
const optionsKey = 'volume.beta.kubernetes.io/mount-options';

const annotationWarnings = ({ metadata }: KubeObject, key: string, why: string): string[] =>
  metadata.annotations?.[key] === undefined ? [] : [`metadata.annotations[${key}]: ${why}`];

const classWarnings = (object: KubeObject): string[] =>
  annotationWarnings(object, classKey, 'deprecated since v1.8; use "storageClassName" attribute instead');

/** Drivers that were removed. */
const removedSources = {
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

interface WarnedVolume {
  persistentVolumeReclaimPolicy?: string;
  nodeAffinity?: { required?: { nodeSelectorTerms?: NodeTerm[] } };
  [source: string]: unknown;
}

export function volumeWarnings(volume: KubeObject): string[] {
  const spec = (volume['spec'] ?? {}) as WarnedVolume;
  return [
    ...classWarnings(volume),
    ...annotationWarnings(volume, optionsKey, 'deprecated since v1.31; use "mountOptions" attribute instead'),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      nodeTermWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, false),
    ),
    ...Object.entries(removedSources).flatMap(([source, why]) =>
      // Kubernetes uses this name in warnings only.
      spec[source] ? [`spec.${source === 'storageos' ? 'storageOS' : source}: ${why}`] : [],
    ),
  ];
}

export const claimWarnings = (claim: KubeObject): string[] => [
  ...classWarnings(claim),
  ...claimSpecWarnings((claim['spec'] ?? {}) as ClaimSpec, 'spec'),
];
