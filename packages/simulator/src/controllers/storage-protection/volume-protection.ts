/** Protects bound volumes: `pkg/controller/volume/pvprotection`. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { ControllerParts } from '../shared/reconciler.ts';
import { startProtection } from './protection.ts';

export interface PersistentVolume extends KubeObject {
  spec?: { volumeAttributesClassName?: string };
  status?: { phase?: string };
}

export const volumesPath = '/api/v1/persistentvolumes';

export const startVolumeProtection = (parts: ControllerParts): AsyncDisposable =>
  startProtection(parts, {
    component: 'pv-protection-controller',
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    finalizer: 'kubernetes.io/pv-protection',
    known: parts.informers.of<PersistentVolume>(volumesPath),
    pathOf: ({ metadata }) => `${volumesPath}/${metadata.name}`,
    isUsed: ({ status }) => status?.phase === 'Bound',
  });
