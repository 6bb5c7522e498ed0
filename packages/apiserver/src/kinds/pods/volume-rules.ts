/** What the volumes of a pod may be, and how containers mount them. */

import {
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notFoundValue,
  required,
} from '../../errors/field-error.ts';
import { dnsLabelFaults } from '../../names/name-rules.ts';
import {
  backstepErrors,
  descendingPathErrors,
  enumErrors,
  namedErrors,
  nonNegativeQuantityErrors,
} from '../field-rules.ts';
import { fieldRefErrors } from './environment-rules.ts';
import type { Container, DownwardItem, Volume } from './pod-spec.ts';

/** In the order in which kube-apiserver looks at them. */
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
const mostMode = 0o777;
const modeRule = 'must be a number between 0 and 0777 (octal), both inclusive';

const modeErrors = (field: string, mode = 0): FieldError[] =>
  mode < 0 || mode > mostMode ? [invalidValue(field, mode, modeRule)] : [];

const itemErrors = (items: { key: string; path: string }[] = [], field: string): FieldError[] =>
  items.flatMap(({ key, path }, index) => [
    ...(key ? [] : [required(`${field}[${index}].key`)]),
    ...(path ? descendingPathErrors(`${field}[${index}].path`, path) : [required(`${field}[${index}].path`)]),
  ]);

const downwardPaths = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

const downwardErrors = (items: DownwardItem[] = [], field: string): FieldError[] =>
  items.flatMap(({ path = '', fieldRef }, index) => [
    ...(path ? descendingPathErrors(`${field}[${index}].path`, path) : [required(`${field}[${index}].path`)]),
    ...(fieldRef ? fieldRefErrors(fieldRef, `${field}[${index}].fieldRef`, downwardPaths) : []),
  ]);

function sourceErrors(volume: Volume, name: string, at: string): FieldError[] {
  const { emptyDir, hostPath, secret, configMap, persistentVolumeClaim, downwardAPI, projected } = volume;
  switch (name) {
    case 'emptyDir':
      return emptyDir?.sizeLimit ? nonNegativeQuantityErrors(`${at}.emptyDir.sizeLimit`, emptyDir.sizeLimit) : [];
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
        ...itemErrors(secret?.items, `${at}.secret.items`),
      ];
    case 'configMap':
      return [
        ...(configMap?.name ? [] : [required(`${at}.configMap.name`)]),
        ...modeErrors(`${at}.configMap.defaultMode`, configMap?.defaultMode),
        ...itemErrors(configMap?.items, `${at}.configMap.items`),
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
      return modeErrors(`${at}.projected.defaultMode`, projected?.defaultMode);
    default:
      return [];
  }
}

const nfsErrors = ({ server, path = '' }: { server?: string; path?: string }, at: string): FieldError[] => [
  ...(server ? [] : [required(`${at}.server`)]),
  ...(path ? [] : [required(`${at}.path`)]),
  ...(path.startsWith('/') ? [] : [invalidValue(`${at}.path`, path, 'must be an absolute path')]),
];

export interface CheckedVolumes {
  errors: FieldError[];
  /** Of those that can be mounted. */
  names: ReadonlySet<string>;
}

export function checkedVolumes(volumes: readonly Volume[] = [], path: string): CheckedVolumes {
  const names = new Set<string>();
  const errors = volumes.flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const [first, ...others] = sources.filter((name) => volume[name] !== undefined);
    const found = [
      ...(first ? sourceErrors(volume, first, at) : [required(at, 'must specify a volume type')]),
      ...others.map((name) => forbiddenField(`${at}.${name}`, 'may not specify more than 1 volume type')),
      ...namedErrors(`${at}.name`, volume.name, dnsLabelFaults),
      ...(names.has(volume.name) ? [duplicate(`${at}.name`, volume.name)] : []),
    ];
    if (found.length === 0) names.add(volume.name);
    return found;
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
