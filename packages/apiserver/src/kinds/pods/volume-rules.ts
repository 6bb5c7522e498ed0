/** Validates the volumes of a pod, and their mounts. */

import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notFoundValue,
  required,
} from '../../errors/field-error.ts';
import { quoted } from '../../errors/quoted.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from '../../names/name-rules.ts';
import { backstepErrors, descendingPathErrors, enumErrors, isNegative, namedErrors } from '../field-rules.ts';
import { claimSpecErrors } from '../volumes/claim-rules.ts';
import { downwardErrors, keyItemErrors, modeErrors, projectedErrors } from './file-rules.ts';
import type { Container, Volume } from './pod-spec.ts';

/** In the order in which kube-apiserver checks them. */
const sources = [
  ...['emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs', 'iscsi'],
  ...['glusterfs', 'flocker', 'persistentVolumeClaim', 'rbd', 'cinder', 'cephfs', 'quobyte', 'downwardAPI', 'fc'],
  ...['flexVolume', 'configMap', 'azureFile', 'vsphereVolume', 'photonPersistentDisk', 'portworxVolume', 'azureDisk'],
  ...['storageos', 'projected', 'scaleIO', 'csi', 'ephemeral', 'image'],
];
const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
/** Fields with another name in Kubernetes' error about several sources. */
const misspelt: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

function sourceErrors(volume: Volume, name: string, at: string, podName: string): FieldError[] {
  const { emptyDir, hostPath, secret, configMap, persistentVolumeClaim, downwardAPI, projected, ephemeral } = volume;
  switch (name) {
    case 'emptyDir':
      return emptyDir?.sizeLimit && isNegative(emptyDir.sizeLimit)
        ? [forbiddenField(`${at}.emptyDir.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
        : [];
    case 'hostPath':
      if (!hostPath?.path) return [required(`${at}.hostPath.path`)];
      return [
        ...backstepErrors(`${at}.hostPath.path`, hostPath.path),
        ...(hostPath.type ? enumErrors(`${at}.hostPath.type`, hostPath.type, hostPathTypes) : []),
      ];
    case 'secret':
      return [
        ...(secret?.secretName ? [] : [required(`${at}.secret.secretName`)]),
        ...modeErrors(`${at}.secret.defaultMode`, secret?.defaultMode),
        ...keyItemErrors(secret?.items, `${at}.secret.items`),
      ];
    case 'configMap':
      return [
        ...(configMap?.name ? [] : [required(`${at}.configMap.name`)]),
        ...modeErrors(`${at}.configMap.defaultMode`, configMap?.defaultMode),
        ...keyItemErrors(configMap?.items, `${at}.configMap.items`),
      ];
    case 'nfs':
      return nfsErrors((volume['nfs'] ?? {}) as { server?: string; path?: string }, `${at}.nfs`);
    case 'persistentVolumeClaim':
      return persistentVolumeClaim?.claimName ? [] : [required(`${at}.persistentVolumeClaim.claimName`)];
    case 'downwardAPI':
      return [
        ...modeErrors(`${at}.downwardAPI.defaultMode`, downwardAPI?.defaultMode),
        ...downwardErrors(downwardAPI?.items, `${at}.downwardAPI`),
      ];
    case 'projected':
      return projectedErrors(projected!, `${at}.projected`);
    case 'ephemeral':
      return ephemeralVolumeErrors(ephemeral!, volume.name, at, podName);
    default:
      return [];
  }
}

/** The name of its claim is the pod's name followed by the volume's. */
function ephemeralVolumeErrors(
  { volumeClaimTemplate: template }: NonNullable<Volume['ephemeral']>,
  name: string,
  at: string,
  podName: string,
): FieldError[] {
  const field = `${at}.ephemeral.volumeClaimTemplate`;
  if (!template) return [required(field)];
  const claimName = `${podName}-${name}`;
  const faults = podName && name ? dnsSubdomainFaults(claimName) : [];
  return [
    ...claimSpecErrors(template.spec ?? {}, `${field}.spec`),
    ...faults.map((fault) => invalidValue(`${at}.name`, name, `PVC name ${quoted(claimName)}: ${fault}`)),
  ];
}

export const nfsErrors = ({ server, path = '' }: { server?: string; path?: string }, at: string): FieldError[] => [
  ...(server ? [] : [required(`${at}.server`)]),
  ...(path ? [] : [required(`${at}.path`)]),
  ...(path.startsWith('/') ? [] : [invalidValue(`${at}.path`, path, 'must be an absolute path')]),
];

export interface CheckedVolumes {
  errors: FieldError[];
  /** The names of the volumes that can be mounted. */
  names: ReadonlySet<string>;
}

/** `podName` is unknown for a template. */
export function checkedVolumes(volumes: readonly Volume[] = [], path: string, podName = ''): CheckedVolumes {
  const names = new Set<string>();
  const created = volumes.filter(({ ephemeral }) => ephemeral).map(({ name }) => `${podName}-${name}`);
  const errors = volumes.flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const [first, ...others] = sources.filter((name) => volume[name] !== undefined);
    const found = [
      ...(first ? sourceErrors(volume, first, at, podName) : [required(at, 'must specify a volume type')]),
      ...others.map((name) =>
        forbiddenField(`${at}.${misspelt[name] ?? name}`, 'may not specify more than 1 volume type'),
      ),
      ...namedErrors(`${at}.name`, volume.name, dnsLabelFaults),
      ...(names.has(volume.name) ? [duplicate(`${at}.name`, volume.name)] : []),
    ];
    if (found.length === 0) names.add(volume.name);
    const claim = volume.persistentVolumeClaim?.claimName ?? '';
    const isCreated = podName !== '' && created.includes(claim);
    const why = 'must not reference a PVC that gets created for an ephemeral volume';
    return [...found, ...(isCreated ? [invalidValue(`${at}.persistentVolumeClaim.claimName`, claim, why)] : [])];
  });
  return { errors, names };
}

export function mountErrors(container: Container, names: ReadonlySet<string>, path: string): FieldError[] {
  const seen = new Set<string>();
  const field = `${path}.volumeMounts`;
  return (container.volumeMounts ?? []).flatMap(({ name, mountPath = '', subPath, subPathExpr }, index) => {
    const at = `${field}[${index}]`;
    const isAgain = seen.has(mountPath);
    seen.add(mountPath);
    return [
      ...(name ? [] : [required(`${at}.name`)]),
      ...(names.has(name) ? [] : [notFoundValue(`${at}.name`, name)]),
      ...(mountPath ? [] : [required(`${at}.mountPath`)]),
      ...(isAgain ? [invalidValue(`${at}.mountPath`, mountPath, 'must be unique')] : []),
      ...(subPath ? descendingPathErrors(`${field}.subPath`, subPath) : []),
      ...(subPath && subPathExpr
        ? [invalidValue(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive')]
        : []),
      ...(subPathExpr ? descendingPathErrors(`${field}.subPathExpr`, subPathExpr) : []),
    ];
  });
}
