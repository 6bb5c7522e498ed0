/** A ResourceBinding and a Work of a Deployment on three clusters, and what their controllers report of them again and again. */

const clusters = ['member1', 'member2', 'member3'];

export const binding = {
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: 'ResourceBinding',
  metadata: {
    name: 'item-{n}',
    labels: { 'propagationpolicy.karmada.io/permanent-id': '0f3c7a52-1111-4222-8333-444455556666' },
    annotations: {
      'policy.karmada.io/applied-placement': JSON.stringify({ clusterAffinity: { clusterNames: clusters } }),
    },
  },
  spec: {
    resource: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'karmada',
      name: 'item-{n}',
      resourceVersion: '1',
    },
    replicas: 9,
    replicaRequirements: { resourceRequest: { cpu: '100m', memory: '64Mi' } },
    clusters: clusters.map((name) => ({ name, replicas: 3 })),
    conflictResolution: 'Abort',
    schedulerName: 'default-scheduler',
    placement: {
      clusterAffinity: { clusterNames: clusters },
      clusterTolerations: ['not-ready', 'unreachable'].map((what) => ({
        key: `cluster.karmada.io/${what}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
      replicaScheduling: {
        replicaSchedulingType: 'Divided',
        replicaDivisionPreference: 'Weighted',
        weightPreference: {
          staticWeightList: clusters.map((name) => ({ targetCluster: { clusterNames: [name] }, weight: 1 })),
        },
      },
    },
  },
};

const condition = (type: string) => ({
  type,
  status: 'True',
  reason: 'Success',
  message: 'all of report {n} has been done',
  lastTransitionTime: '2026-11-01T00:00:00Z',
});
const replicas = { availableReplicas: 3, readyReplicas: 3, replicas: 3, updatedReplicas: 3, observedGeneration: 1 };

export const bindingStatus = {
  status: {
    schedulerObservedGeneration: 1,
    lastScheduledTime: '2026-11-01T00:00:00Z',
    conditions: [condition('Scheduled'), condition('FullyApplied')],
    aggregatedStatus: clusters.map((clusterName) => ({
      clusterName,
      applied: true,
      health: 'Healthy',
      status: { ...replicas, generation: 1, resourceTemplateGeneration: 1 },
    })),
  },
};

const app = { app: 'item-{n}' };

export const work = {
  apiVersion: 'work.karmada.io/v1alpha1',
  kind: 'Work',
  metadata: { name: 'item-{n}', finalizers: ['karmada.io/execution-controller'] },
  spec: {
    workload: {
      manifests: [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'item-{n}', namespace: 'karmada', labels: app },
          spec: {
            replicas: 3,
            selector: { matchLabels: app },
            template: {
              metadata: { labels: app },
              spec: {
                containers: [
                  {
                    name: 'main',
                    image: 'registry.example.com/app:1',
                    env: Array.from({ length: 10 }, (_, index) => ({
                      name: `SETTING_${index}`,
                      value: `value ${index}`,
                    })),
                    resources: { requests: { cpu: '100m', memory: '64Mi' } },
                  },
                ],
              },
            },
          },
        },
      ],
    },
  },
};

export const workStatus = {
  status: {
    conditions: [condition('Applied')],
    manifestStatuses: [
      {
        identifier: {
          ordinal: 0,
          group: 'apps',
          version: 'v1',
          kind: 'Deployment',
          resource: 'deployments',
          namespace: 'karmada',
          name: 'app',
        },
        health: 'Healthy',
        status: replicas,
      },
    ],
  },
};
