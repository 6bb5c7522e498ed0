/** Volumes, claims and classes. The finalizers of volumes and claims are a controller's to remove: they are deleted for show. */
import type { JsonObject } from '../../request.ts';
import { type Kind, ordinary } from '../kind.ts';
import { change } from './change.ts';
import { some } from './pod-spec.ts';

const core = { ...ordinary, group: '', version: 'v1', removal: 'dry' } as const;

export const persistentVolume: Kind = {
  ...core,
  kind: 'PersistentVolume',
  resource: 'persistentvolumes',
  namespaced: false,
  build: (random) => ({
    spec: {
      capacity: { storage: random.pick(['1Gi', '500M', 1073741824]) },
      accessModes: random.pick([['ReadWriteOnce'], ['ReadOnlyMany', 'ReadWriteMany'], ['ReadWriteOncePod']]),
      ...random.pick<JsonObject>([
        { hostPath: { path: '/data' } },
        { nfs: { server: 'nfs.example', path: '/a' } },
        { csi: { driver: 'example.dev', volumeHandle: 'h' } },
        { iscsi: { targetPortal: '192.0.2.1', iqn: 'iqn.2020-01.dev.example:a', lun: 0 } },
      ]),
      ...some(random, 0.3, [
        () => ({ storageClassName: 'by-hand' }),
        () => ({ persistentVolumeReclaimPolicy: random.pick(['Retain', 'Delete']) }),
        () => ({ volumeMode: random.pick(['Filesystem', 'Block']) }),
        () => ({ mountOptions: ['ro'] }),
        () => ({ claimRef: { namespace: 'default', name: 'c' } }),
      ]),
    },
  }),
  edit: (random, body) => change(body, { persistentVolumeReclaimPolicy: random.pick(['Retain', 'Delete']) }),
  forbid: (random, body) =>
    change(body, random.pick<JsonObject>([{ volumeMode: 'Block' }, { hostPath: { path: '/b' } }])),
  status: (random) => ({ phase: random.pick(['Available', 'Bound', 'Released']) }),
};

export const persistentVolumeClaim: Kind = {
  ...core,
  kind: 'PersistentVolumeClaim',
  resource: 'persistentvolumeclaims',
  weight: 5,
  build: (random) => ({
    spec: {
      accessModes: random.pick([['ReadWriteOnce'], ['ReadWriteMany', 'ReadOnlyMany']]),
      resources: { requests: { storage: random.pick(['1Gi', '1.5Gi', '1000M']) } },
      ...some(random, 0.3, [
        () => ({ storageClassName: random.pick(['by-hand', '']) }),
        () => ({ volumeMode: 'Block' }),
        () => ({ selector: { matchLabels: { a: 'b' } } }),
        () => ({ dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' } }),
        () => ({ dataSource: { kind: 'PersistentVolumeClaim', name: 'c' } }),
      ]),
    },
  }),
  edit: (random, body) => {
    body['metadata'] = { ...(body['metadata'] as JsonObject), annotations: { turn: String(random.below(9)) } };
  },
  forbid: (random, body) =>
    change(
      body,
      random.pick<JsonObject>([
        { resources: { requests: { storage: '5Gi' } } },
        { accessModes: ['ReadWriteOncePod'] },
        { volumeMode: 'Filesystem', volumeName: 'v' },
        { storageClassName: 'other' },
      ]),
    ),
  status: (random) => ({
    phase: random.pick(['Pending', 'Bound', 'Lost']),
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
  }),
};

// never the default: lanes share it
export const storageClass: Kind = {
  ...ordinary,
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  resource: 'storageclasses',
  namespaced: false,
  weight: 3,
  build: (random) => ({
    provisioner: 'example.dev/disks',
    ...some(random, 0.3, [
      () => ({ parameters: { a: 'b' } }),
      () => ({ reclaimPolicy: random.pick(['Retain', 'Delete']) }),
      () => ({ volumeBindingMode: random.pick(['Immediate', 'WaitForFirstConsumer']) }),
      () => ({ mountOptions: ['ro'] }),
      () => ({ allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }] }),
    ]),
  }),
  edit: (random, body) => {
    body['allowVolumeExpansion'] = random.chance(0.5);
  },
  forbid: (random, body) => {
    Object.assign(
      body,
      random.pick([{ provisioner: 'example.dev/other' }, { parameters: { c: 'd' } }, { reclaimPolicy: 'Retain' }]),
    );
  },
};
