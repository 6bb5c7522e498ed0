/** What a pod needs beside itself: the ConfigMaps, Secrets, ServiceAccount and claims that its spec names (FED-11). */

import type { Dependency } from '../object-rules.ts';
import { type Fields, recordsAt, textAt } from './fields.ts';

export function podDependencies(podSpec: Fields, namespace: string | undefined): Dependency[] {
  const account = textAt(podSpec, 'serviceAccountName');
  return [
    ...dependencies('ConfigMap', namespace, configMapNames(podSpec)),
    ...dependencies('Secret', namespace, secretNames(podSpec)),
    // Each namespace of each cluster has one of this name.
    ...dependencies('ServiceAccount', namespace, account === 'default' ? [] : [account]),
    ...dependencies('PersistentVolumeClaim', namespace, claimNames(podSpec)),
  ];
}

/** Of the core group, each name once, in order. */
export const dependencies = (kind: string, namespace: string | undefined, names: readonly string[]): Dependency[] =>
  [...new Set(names)]
    .filter((name) => name !== '')
    .sort()
    .map((name) => ({ apiVersion: 'v1', kind, ...(namespace && { namespace }), name }));

const containersOf = (podSpec: Fields): Fields[] =>
  ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => recordsAt(podSpec, list));

const volumesOf = (podSpec: Fields): Fields[] => recordsAt(podSpec, 'volumes');

const projectionsOf = (podSpec: Fields): Fields[] =>
  volumesOf(podSpec).flatMap((volume) => recordsAt(volume, 'projected', 'sources'));

const configMapNames = (podSpec: Fields): string[] => [
  ...containersOf(podSpec).flatMap((container) => [
    ...recordsAt(container, 'envFrom').map((source) => textAt(source, 'configMapRef', 'name')),
    ...recordsAt(container, 'env').map((variable) => textAt(variable, 'valueFrom', 'configMapKeyRef', 'name')),
  ]),
  ...volumesOf(podSpec).map((volume) => textAt(volume, 'configMap', 'name')),
  ...projectionsOf(podSpec).map((source) => textAt(source, 'configMap', 'name')),
];

/** Where each kind of volume names the Secret that it is, or that opens it. */
const volumeSecrets = [
  ['secret', 'secretName'],
  ['azureFile', 'secretName'],
  ['cephfs', 'secretRef', 'name'],
  ['cinder', 'secretRef', 'name'],
  ['csi', 'nodePublishSecretRef', 'name'],
  ['flexVolume', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'],
  ['rbd', 'secretRef', 'name'],
  ['scaleIO', 'secretRef', 'name'],
  ['storageos', 'secretRef', 'name'],
];

const secretNames = (podSpec: Fields): string[] => [
  ...recordsAt(podSpec, 'imagePullSecrets').map((reference) => textAt(reference, 'name')),
  ...containersOf(podSpec).flatMap((container) => [
    ...recordsAt(container, 'envFrom').map((source) => textAt(source, 'secretRef', 'name')),
    ...recordsAt(container, 'env').map((variable) => textAt(variable, 'valueFrom', 'secretKeyRef', 'name')),
  ]),
  ...volumesOf(podSpec).flatMap((volume) => volumeSecrets.map((path) => textAt(volume, ...path))),
  ...projectionsOf(podSpec).map((source) => textAt(source, 'secret', 'name')),
];

const claimNames = (podSpec: Fields): string[] =>
  volumesOf(podSpec).map((volume) => textAt(volume, 'persistentVolumeClaim', 'claimName'));
