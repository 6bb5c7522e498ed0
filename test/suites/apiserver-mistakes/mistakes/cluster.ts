import type { KindMistakes } from '../mistake.ts';

export const nodes: KindMistakes = {
  base: { apiVersion: 'v1', kind: 'Node', metadata: {}, spec: { podCIDR: '10.9.0.0/24', podCIDRs: ['10.9.0.0/24'] } },
  create: {
    'upper case in the name': { 'metadata/name': 'Node_1' },
    'taint of no effect': { 'spec/taints': [{ key: 'a', effect: 'Never' }] },
    'taint without a key': { 'spec/taints': [{ key: '', effect: 'NoSchedule' }] },
    'one taint twice': {
      'spec/taints': [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'a', value: 'b', effect: 'NoSchedule' },
      ],
    },
    'range that is none': { 'spec/podCIDR': '10.9.0.0', 'spec/podCIDRs': ['10.9.0.0'] },
    'first range unlike the range': { 'spec/podCIDRs': ['10.8.0.0/24'] },
    'negative capacity': { 'status/capacity': { cpu: '-1' } },
  },
  update: {
    'another range': { 'spec/podCIDR': '10.8.0.0/24', 'spec/podCIDRs': ['10.8.0.0/24'] },
    'another provider': [{ 'spec/providerID': 'a://1' }, { 'spec/providerID': 'a://2' }],
    'taint of no effect': { 'spec/taints': [{ key: 'a', effect: 'Never' }] },
  },
};

export const persistentVolumes: KindMistakes = {
  base: {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {},
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'by-hand',
      hostPath: { path: '/data' },
    },
  },
  create: {
    'no access modes': { 'spec/accessModes': undefined },
    'access mode that is none': { 'spec/accessModes': ['ReadWrite'] },
    'once per pod and more': { 'spec/accessModes': ['ReadWriteOncePod', 'ReadOnlyMany'] },
    'no capacity': { 'spec/capacity': undefined },
    'capacity of nothing': { 'spec/capacity': { storage: '0' } },
    'capacity of cores': { 'spec/capacity': { storage: '1Gi', cpu: '1' } },
    'no source': { 'spec/hostPath': undefined },
    'two sources': { 'spec/nfs': { server: 'a', path: '/b' } },
    'reclaim policy that is none': { 'spec/persistentVolumeReclaimPolicy': 'Keep' },
    'root of the host recycled': { 'spec/hostPath/path': '/', 'spec/persistentVolumeReclaimPolicy': 'Recycle' },
    'volume mode that is none': { 'spec/volumeMode': 'Disk' },
    'local volume without affinity': { 'spec/hostPath': undefined, 'spec/local': { path: '/data' } },
    'class with a space': { 'spec/storageClassName': 'my class' },
  },
  update: {
    'another source': { 'spec/hostPath/path': '/other' },
    'another volume mode': { 'spec/volumeMode': 'Block' },
    'reclaim policy that is none': { 'spec/persistentVolumeReclaimPolicy': 'Keep' },
  },
};

export const persistentVolumeClaims: KindMistakes = {
  base: {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {},
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'by-hand',
      resources: { requests: { storage: '1Gi' } },
    },
  },
  create: {
    'no access modes': { 'spec/accessModes': undefined },
    'access mode that is none': { 'spec/accessModes': ['ReadWrite'] },
    'once per pod and more': { 'spec/accessModes': ['ReadWriteOncePod', 'ReadWriteOnce'] },
    'no size': { 'spec/resources': undefined },
    'size of nothing': { 'spec/resources/requests/storage': '0' },
    'size that is none': { 'spec/resources/requests/storage': 'large' },
    'volume mode that is none': { 'spec/volumeMode': 'Disk' },
    'class with a space': { 'spec/storageClassName': 'my class' },
    'source of no kind': { 'spec/dataSource': { name: 'a', kind: '' } },
    'selector of no operator': { 'spec/selector': { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
  },
  update: {
    'another class': { 'spec/storageClassName': 'other' },
    'other access modes': { 'spec/accessModes': ['ReadWriteMany'] },
    'smaller than before': { 'spec/resources/requests/storage': '500Mi' },
    'larger before it is bound': { 'spec/resources/requests/storage': '2Gi' },
    'another volume': [{ 'spec/volumeName': 'a' }, { 'spec/volumeName': 'b' }],
    'another volume mode': { 'spec/volumeMode': 'Block' },
  },
};

export const storageClasses: KindMistakes = {
  base: { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: {}, provisioner: 'example.dev/disks' },
  create: {
    'no provisioner': { provisioner: undefined },
    'provisioner with a space': { provisioner: 'my disks' },
    'reclaim policy that is none': { reclaimPolicy: 'Recycle' },
    'binding that is none': { volumeBindingMode: 'Later' },
    'parameter without a name': { parameters: { '': 'x' } },
    'topology without a key': { allowedTopologies: [{ matchLabelExpressions: [{ key: '', values: ['a'] }] }] },
  },
  update: {
    'another provisioner': { provisioner: 'example.dev/other' },
    'other parameters': { parameters: { a: 'b' } },
    'another reclaim policy': { reclaimPolicy: 'Retain' },
    'another binding': { volumeBindingMode: 'WaitForFirstConsumer' },
  },
};

export const priorityClasses: KindMistakes = {
  base: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: {}, value: 100 },
  create: {
    'value of the system': { value: 2000000000 },
    'name of the system': { 'metadata/name': 'system-important' },
    'preemption that is none': { preemptionPolicy: 'Sometimes' },
    'a text as a value': { value: 'high' },
  },
  update: {
    'another value': { value: 200 },
    'another preemption': { preemptionPolicy: 'Never' },
  },
};
