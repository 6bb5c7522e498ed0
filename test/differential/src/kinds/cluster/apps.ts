/** What makes pods, where no controller does. */
import type { Random } from '../../random.ts';
import type { JsonObject } from '../../request.ts';
import { type Kind, objectOf, ordinary } from '../kind.ts';
import { change } from './change.ts';
import { podSpec, some, template } from './pod-spec.ts';

const apps = { ...ordinary, group: 'apps', version: 'v1', weight: 6 };

const selecting = (random: Random, name: string): JsonObject => ({
  selector: random.chance(0.8)
    ? { matchLabels: { own: name } }
    : { matchExpressions: [{ key: 'own', operator: 'In', values: [name] }] },
  template: template(random, { own: name }),
});

/** Other labels, in the selector and in what it selects. */
const reselect = (body: JsonObject): void => {
  const { template: made } = objectOf(body['spec']);
  const labels = { own: 'another' };
  change(body, { selector: { matchLabels: labels }, template: { ...objectOf(made), metadata: { labels } } });
};

const counts = (random: Random): JsonObject => ({ replicas: 2 + random.below(3), observedGeneration: random.below(3) });

export const deployment: Kind = {
  ...apps,
  kind: 'Deployment',
  resource: 'deployments',
  scale: true,
  build: (random, name) => ({
    spec: {
      ...selecting(random, name),
      ...some(random, 0.3, [
        () => ({ replicas: random.below(4) }),
        () => ({ minReadySeconds: random.below(5) }),
        () => ({ revisionHistoryLimit: random.below(5) }),
        () => ({ progressDeadlineSeconds: 60 + random.below(5) }),
        () => ({ paused: true }),
        () => ({
          strategy: random.pick<JsonObject>([
            { type: 'Recreate' },
            { rollingUpdate: { maxSurge: '50%' } },
            { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
          ]),
        }),
      ]),
    },
  }),
  edit: (random, body) =>
    change(body, random.pick<JsonObject>([{ replicas: random.below(9) }, { paused: true }, { minReadySeconds: 3 }])),
  forbid: (_random, body) => reselect(body),
  status: (random) => ({ ...counts(random), updatedReplicas: random.below(4), readyReplicas: random.below(4) }),
};

export const replicaSet: Kind = {
  ...deployment,
  kind: 'ReplicaSet',
  resource: 'replicasets',
  weight: 4,
  fields: ['status.replicas=0'],
  build: (random, name) => ({
    spec: { ...selecting(random, name), ...(random.chance(0.5) && { replicas: random.below(4) }) },
  }),
  edit: (random, body) => change(body, { minReadySeconds: random.below(5), replicas: random.below(3) }),
  status: (random) => ({ ...counts(random), fullyLabeledReplicas: random.below(3), availableReplicas: 0 }),
};

const claimTemplate = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

export const statefulSet: Kind = {
  ...deployment,
  kind: 'StatefulSet',
  resource: 'statefulsets',
  build: (random, name) => ({
    spec: {
      ...selecting(random, name),
      serviceName: 'web',
      ...some(random, 0.3, [
        () => ({ replicas: random.below(4) }),
        () => ({ volumeClaimTemplates: [claimTemplate] }),
        () => ({ podManagementPolicy: random.pick(['Parallel', 'OrderedReady']) }),
        () => ({
          updateStrategy: random.pick<JsonObject>([
            { type: 'OnDelete' },
            { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
          ]),
        }),
        () => ({ persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' } }),
        () => ({ ordinals: { start: 3 } }),
      ]),
    },
  }),
  edit: (random, body) => change(body, { replicas: random.below(9), minReadySeconds: random.below(3) }),
  forbid: (random, body) =>
    random.pick<() => void>([
      () => reselect(body),
      () => change(body, { serviceName: 'other' }),
      () => change(body, { podManagementPolicy: 'Parallel', volumeClaimTemplates: [claimTemplate, claimTemplate] }),
    ])(),
  status: (random) => ({ ...counts(random), readyReplicas: random.below(3), currentRevision: 'a-1' }),
};

export const daemonSet: Kind = {
  ...apps,
  kind: 'DaemonSet',
  resource: 'daemonsets',
  build: (random, name) => ({
    spec: {
      ...selecting(random, name),
      ...some(random, 0.3, [
        () => ({
          updateStrategy: random.pick<JsonObject>([
            { type: 'OnDelete' },
            { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '10%' } },
          ]),
        }),
        () => ({ minReadySeconds: 5 }),
        () => ({ revisionHistoryLimit: 2 }),
      ]),
    },
  }),
  edit: (random, body) => change(body, { minReadySeconds: random.below(9) }),
  forbid: (_random, body) => reselect(body),
  status: (random) => ({
    currentNumberScheduled: random.below(3),
    numberMisscheduled: 0,
    desiredNumberScheduled: 3,
    numberReady: random.below(3),
  }),
};

export const replicationController: Kind = {
  ...ordinary,
  group: '',
  version: 'v1',
  kind: 'ReplicationController',
  resource: 'replicationcontrollers',
  removal: 'background',
  scale: true,
  fields: ['status.replicas=0'],
  build: (random, name) => ({
    spec: {
      template: template(random, { own: name }),
      ...(random.chance(0.6) && { selector: { own: name } }),
      ...(random.chance(0.5) && { replicas: random.below(3) }),
    },
  }),
  edit: (random, body) => change(body, { replicas: random.below(5), minReadySeconds: random.below(5) }),
  forbid: (_random, body) => change(body, { selector: { own: 'another' } }),
  status: counts,
};

export const controllerRevision: Kind = {
  ...apps,
  kind: 'ControllerRevision',
  resource: 'controllerrevisions',
  weight: 2,
  build: (random) => ({ revision: random.below(5), data: { spec: { any: ['thing', random.below(3)] } } }),
  edit: (random, body) => {
    body['revision'] = random.below(50);
  },
  forbid: (_random, body) => {
    body['data'] = { other: true };
  },
};

const restarted = (random: Random): JsonObject => ({
  ...podSpec(random),
  restartPolicy: random.pick(['Never', 'OnFailure']),
});

const jobParts = (random: Random): JsonObject =>
  some(random, 0.25, [
    () => ({ completions: 1 + random.below(3), parallelism: random.below(3) }),
    () => ({ completions: 3, completionMode: 'Indexed', backoffLimitPerIndex: 1 }),
    () => ({ backoffLimit: random.below(9) }),
    () => ({ activeDeadlineSeconds: 60 }),
    () => ({ ttlSecondsAfterFinished: 60 }),
    () => ({ suspend: random.chance(0.5) }),
    () => ({ podReplacementPolicy: 'Failed' }),
  ]);

export const job: Kind = {
  ...ordinary,
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  resource: 'jobs',
  weight: 6,
  removal: 'background',
  fields: ['status.successful=0'],
  build: (random, name) => {
    const own = random.chance(0.2);
    return {
      spec: {
        ...jobParts(random),
        ...(own && { manualSelector: true, selector: { matchLabels: { own: name } } }),
        template: { ...(own && { metadata: { labels: { own: name } } }), spec: restarted(random) },
      },
    };
  },
  edit: (random, body) => change(body, { parallelism: random.below(5), suspend: random.chance(0.3) }),
  forbid: (random, body) =>
    random.pick<() => void>([
      () => change(body, { completions: 7 }),
      () => change(body, { completionMode: 'Indexed', completions: 2 }),
      () => change(body, { managedBy: 'example.dev/other' }),
      () => change(body, { template: { spec: restarted(random) } }),
    ])(),
  status: (random) => ({ active: 1 + random.below(3), ready: random.below(3), terminating: 0 }),
};

export const cronJob: Kind = {
  ...job,
  kind: 'CronJob',
  resource: 'cronjobs',
  weight: 4,
  removal: 'real',
  fields: [],
  build: (random) => ({
    spec: {
      schedule: random.pick(['*/5 * * * *', '@daily', '0 0 1 1 MON-FRI']),
      jobTemplate: { spec: { ...jobParts(random), template: { spec: restarted(random) } } },
      ...some(random, 0.3, [
        () => ({ timeZone: random.pick(['Europe/Berlin', 'Etc/UTC']) }),
        () => ({ concurrencyPolicy: random.pick(['Allow', 'Forbid', 'Replace']) }),
        () => ({ startingDeadlineSeconds: 60 }),
        () => ({ suspend: true }),
        () => ({ successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 9 }),
      ]),
    },
  }),
  edit: (random, body) =>
    change(body, { schedule: random.pick(['@hourly', '1 2 3 4 5']), suspend: random.chance(0.5) }),
  forbid: (random, body) => change(body, random.pick([{ schedule: 'hourly' }, { timeZone: 'Mars/Olympus' }])),
  status: () => ({ lastScheduleTime: '2020-01-02T03:04:05Z' }),
};
