import type { KindMistakes } from '../mistake.ts';
import type { JsonObject } from '../rule-request.ts';
import { podSpec } from './pods.ts';

const labels = { app: 'web' };
const template: JsonObject = { metadata: { labels }, spec: podSpec };
const spec: JsonObject = { replicas: 1, selector: { matchLabels: labels }, template };

/** What is wrong with a selector and a template wherever they are. */
const selecting = {
  'no spec': { spec: undefined },
  'no selector': { 'spec/selector': undefined },
  'selector that selects everything': { 'spec/selector': {} },
  'selector of other labels': { 'spec/selector': { matchLabels: { app: 'other' } } },
  'selector with a space': { 'spec/selector': { matchLabels: { app: 'my app' } } },
  'selector of no operator': {
    'spec/selector': { matchExpressions: [{ key: 'app', operator: 'Is', values: ['web'] }] },
  },
  'template without labels': { 'spec/template/metadata': {} },
  'template without containers': { 'spec/template/spec/containers': [] },
  'template without an image': { 'spec/template/spec/containers/0/image': '' },
  'template that is never restarted': { 'spec/template/spec/restartPolicy': 'Never' },
  'template with a deadline': { 'spec/template/spec/activeDeadlineSeconds': 5 },
};

const scaling = {
  'negative replicas': { 'spec/replicas': -1 },
  'a text for replicas': { 'spec/replicas': '3' },
  'negative readiness': { 'spec/minReadySeconds': -1 },
};

export const deployments: KindMistakes = {
  base: { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec },
  create: {
    ...selecting,
    ...scaling,
    'strategy that is none': { 'spec/strategy': { type: 'Rolling' } },
    'rolling update of a recreation': { 'spec/strategy': { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } },
    'neither surge nor unavailable': { 'spec/strategy': { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
    'more than all unavailable': { 'spec/strategy': { rollingUpdate: { maxUnavailable: '150%' } } },
    'surge that is none': { 'spec/strategy': { rollingUpdate: { maxSurge: 'half' } } },
    'negative history': { 'spec/revisionHistoryLimit': -1 },
    'deadline below readiness': { 'spec/progressDeadlineSeconds': 5, 'spec/minReadySeconds': 10 },
    'upper case in the name': { 'metadata/name': 'Web' },
  },
  update: {
    'another selector': {
      'spec/selector/matchLabels': { app: 'other' },
      'spec/template/metadata/labels': { app: 'other' },
    },
    'template of other labels': { 'spec/template/metadata/labels': { app: 'other' } },
    'negative replicas': { 'spec/replicas': -1 },
  },
  status: {
    'negative replicas': { 'status/replicas': -1 },
    'more available than there are': { 'status/replicas': 1, 'status/availableReplicas': 2 },
  },
};

export const replicaSets: KindMistakes = {
  base: { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: {}, spec },
  create: { ...selecting, ...scaling },
  update: {
    'another selector': {
      'spec/selector/matchLabels': { app: 'other' },
      'spec/template/metadata/labels': { app: 'other' },
    },
  },
  status: { 'more ready than there are': { 'status/replicas': 1, 'status/readyReplicas': 2 } },
};

const { replicas: _, ...everywhere } = spec;

export const daemonSets: KindMistakes = {
  base: { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: {}, spec: everywhere },
  create: {
    ...selecting,
    'strategy that is none': { 'spec/updateStrategy': { type: 'Recreate' } },
    'neither surge nor unavailable': { 'spec/updateStrategy': { rollingUpdate: { maxUnavailable: 0 } } },
    'both surge and unavailable': { 'spec/updateStrategy': { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } },
    'negative readiness': { 'spec/minReadySeconds': -1 },
    'negative history': { 'spec/revisionHistoryLimit': -1 },
  },
  update: {
    'another selector': {
      'spec/selector/matchLabels': { app: 'other' },
      'spec/template/metadata/labels': { app: 'other' },
    },
  },
  status: { 'negative count': { 'status/numberReady': -1 } },
};

const claim = (fields: JsonObject = {}): JsonObject => ({
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...fields },
});

export const statefulSets: KindMistakes = {
  base: {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {},
    spec: { ...spec, serviceName: 'web', volumeClaimTemplates: [claim()] },
  },
  create: {
    ...selecting,
    ...scaling,
    'pod management that is none': { 'spec/podManagementPolicy': 'Serial' },
    'strategy that is none': { 'spec/updateStrategy': { type: 'Recreate' } },
    'negative partition': { 'spec/updateStrategy': { rollingUpdate: { partition: -1 } } },
    'partition of deletions': { 'spec/updateStrategy': { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
    'claims kept by no policy': {
      'spec/persistentVolumeClaimRetentionPolicy': { whenDeleted: 'Keep', whenScaled: 'Delete' },
    },
    'negative first ordinal': { 'spec/ordinals': { start: -1 } },
    'negative history': { 'spec/revisionHistoryLimit': -1 },
  },
  update: {
    'another service': { 'spec/serviceName': 'other' },
    'another selector': {
      'spec/selector/matchLabels': { app: 'other' },
      'spec/template/metadata/labels': { app: 'other' },
    },
    'another pod management': { 'spec/podManagementPolicy': 'Parallel' },
    'other claims': { 'spec/volumeClaimTemplates': [claim({ storageClassName: 'fast' })] },
    'claims taken away': { 'spec/volumeClaimTemplates': [] },
  },
  status: { 'more ready than there are': { 'status/replicas': 1, 'status/readyReplicas': 2 } },
};

export const replicationControllers: KindMistakes = {
  base: {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: {},
    spec: { replicas: 1, selector: labels, template },
  },
  create: {
    ...scaling,
    'selector of other labels': { 'spec/selector': { app: 'other' } },
    'no template': { 'spec/template': undefined },
    'template that is never restarted': { 'spec/template/spec/restartPolicy': 'Never' },
    'template without containers': { 'spec/template/spec/containers': [] },
  },
  update: { 'selector of other labels': { 'spec/selector': { app: 'other' } } },
};

export const controllerRevisions: KindMistakes = {
  base: { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: {}, revision: 1, data: { spec: { a: 1 } } },
  create: { 'no data': { data: undefined }, 'negative revision': { revision: -1 } },
  update: { 'other data': { data: { spec: { a: 2 } } } },
};
