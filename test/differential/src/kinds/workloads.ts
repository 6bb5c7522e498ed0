import type { Random } from '../random.ts';
import type { JsonObject } from '../request.ts';
import { type Kind, objectOf, ordinary } from './kind.ts';

function template(random: Random, labels: JsonObject): JsonObject {
  return {
    metadata: { labels },
    spec: { containers: [{ name: 'main', image: `example.dev/image:${random.below(3)}` }] },
  };
}

function change(body: JsonObject, fields: JsonObject): void {
  body['spec'] = { ...objectOf(body['spec']), ...fields };
}

// paused: the controller writes its status, and makes no ReplicaSets
export const deployment: Kind = {
  ...ordinary,
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  resource: 'deployments',
  weight: 7,
  settled: 'no',
  scale: true,
  build: (random, name) => ({
    spec: {
      paused: true,
      replicas: random.below(4),
      selector: { matchLabels: { deployment: name } },
      template: template(random, { deployment: name }),
      ...(random.chance(0.3) && { strategy: { type: 'Recreate' } }),
    },
  }),
  edit: (random, body) => change(body, { replicas: random.below(9), minReadySeconds: random.below(3) }),
};

// never more than 0 replicas, or pods would appear on their own time
export const replicaSet: Kind = {
  ...deployment,
  kind: 'ReplicaSet',
  resource: 'replicasets',
  weight: 3,
  scale: false,
  build: (random, name) => ({
    spec: {
      replicas: 0,
      selector: { matchLabels: { replicaset: name } },
      template: template(random, { replicaset: name }),
    },
  }),
  edit: (random, body) => change(body, { minReadySeconds: random.below(5) }),
};

// managedBy: the job controller leaves it alone. Without a policy a deleted Job waits for the garbage collector.
export const job: Kind = {
  ...ordinary,
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  resource: 'jobs',
  removal: 'background',
  build: (random, name) => {
    const own = random.chance(0.5);
    const base = template(random, own ? { job: name } : {});
    return {
      spec: {
        suspend: true,
        managedBy: 'example.dev/nobody',
        ...(own && { manualSelector: true, selector: { matchLabels: { job: name } } }),
        template: { ...base, spec: { ...objectOf(base['spec']), restartPolicy: 'Never' } },
      },
    };
  },
  edit: (random, body) => change(body, { parallelism: random.below(5) }),
  status: (random) => ({ ready: random.below(3) }),
};

export const podDisruptionBudget: Kind = {
  ...ordinary,
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  resource: 'poddisruptionbudgets',
  weight: 2,
  settled: 'no',
  build: (random, name) => ({
    spec: { selector: { matchLabels: { budget: name } }, maxUnavailable: random.pick<string | number>([1, '30%']) },
  }),
  edit: (random, body) => change(body, { maxUnavailable: random.below(5) }),
};

export const networkPolicy: Kind = {
  ...ordinary,
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'NetworkPolicy',
  resource: 'networkpolicies',
  weight: 2,
  build: (random, name) => ({
    spec: {
      podSelector: { matchLabels: { app: name } },
      ingress: [
        { ports: [{ port: random.pick<string | number>([80, 'web']) }], from: [{ ipBlock: { cidr: '192.0.2.0/24' } }] },
      ],
    },
  }),
  edit: (random, body) => change(body, { policyTypes: random.pick([['Ingress'], ['Ingress', 'Egress']]) }),
};

export const lease: Kind = {
  ...ordinary,
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  resource: 'leases',
  build: (random) => ({
    spec: {
      holderIdentity: `holder-${random.below(3)}`,
      leaseDurationSeconds: 1 + random.below(60),
      renewTime: '2020-01-02T03:04:05.678901Z',
    },
  }),
  edit: (random, body) => change(body, { leaseTransitions: random.below(9) }),
};
