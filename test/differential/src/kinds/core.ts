import type { Random } from '../random.ts';
import type { JsonObject } from '../request.ts';
import { type Kind, objectOf, ordinary } from './kind.ts';

const core = { ...ordinary, group: '', version: 'v1' };

// A third of the texts need care on their way: escapes of Go's encoder, line separators, quotes, other scripts
const texts = [
  'one',
  'two\nlines\n',
  '<a href="x">&amp;</a>',
  'tab\tquote"back\\slash',
  'zażółć 漢字 🙂',
  '\u2028',
  '',
];

const text = (random: Random) => random.pick(texts);

export const configMap: Kind = {
  ...core,
  kind: 'ConfigMap',
  resource: 'configmaps',
  weight: 12,
  build: (random) => ({
    data: { a: text(random), 'file.txt': text(random), ...(random.chance(0.3) && { '10': 'ten', '9': 'nine' }) },
    ...(random.chance(0.2) && { binaryData: { b: 'AAECAw==' } }),
    ...(random.chance(0.1) && { immutable: true }),
  }),
  edit: (random, body) => {
    body['data'] = { ...objectOf(body['data']), a: text(random), [random.pick(['c', 'd'])]: `v${random.below(9)}` };
  },
};

export const secret: Kind = {
  ...core,
  kind: 'Secret',
  resource: 'secrets',
  weight: 8,
  fields: ['type=Opaque', 'type!=Opaque'],
  build: (random) =>
    random.weighted<JsonObject>([
      [6, { type: 'Opaque', data: { k: 'djE=' }, ...(random.chance(0.3) && { stringData: { s: text(random) } }) }],
      [1, { type: 'kubernetes.io/basic-auth', stringData: { username: 'u', password: 'p' } }],
      [1, { type: 'example.dev/own', data: {} }],
    ]),
  edit: (random, body) => {
    body['data'] = { ...objectOf(body['data']), e: Buffer.from(`e${random.below(9)}`).toString('base64') };
  },
};

export const serviceAccount: Kind = {
  ...core,
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  build: (random) => ({
    ...(random.chance(0.5) && { automountServiceAccountToken: random.chance(0.5) }),
    ...(random.chance(0.3) && { imagePullSecrets: [{ name: 'pull' }] }),
  }),
  edit: (random, body) => {
    body['imagePullSecrets'] = [{ name: `pull-${random.below(3)}` }];
  },
};

// no explicit node ports: both sides may be one server
export const service: Kind = {
  ...core,
  kind: 'Service',
  resource: 'services',
  weight: 6,
  fields: ['spec.type=ClusterIP'],
  build: (random, name) => ({
    spec: random.weighted<JsonObject>([
      [
        5,
        { selector: { service: name }, ports: [{ port: 80, targetPort: random.pick<string | number>(['web', 8080]) }] },
      ],
      [2, { clusterIP: 'None', ports: [{ name: 'a', port: 1, protocol: 'UDP' }] }],
      [2, { type: 'NodePort', ports: [{ port: 443, name: 'tls', appProtocol: 'https' }] }],
      [1, { type: 'ExternalName', externalName: 'example.dev' }],
    ]),
  }),
  edit: (random, body) => {
    body['spec'] = { ...objectOf(body['spec']), sessionAffinity: random.pick(['None', 'ClientIP']) };
  },
  status: () => ({ loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } }),
};

// bound by nobody: the scheduler it asks for does not exist. No token volume: its name is random.
export const pod: Kind = {
  ...core,
  kind: 'Pod',
  resource: 'pods',
  weight: 7,
  fields: ['status.phase=Pending', 'spec.nodeName=', 'spec.schedulerName=nobody', 'spec.restartPolicy!=Never'],
  build: (random) => ({
    spec: {
      schedulerName: 'nobody',
      serviceAccountName: 'default',
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'main',
          image: `example.dev/image:${random.below(3)}`,
          ...(random.chance(0.4) && { env: [{ name: 'A', value: text(random) }] }),
          ...(random.chance(0.4) && {
            resources: { requests: { cpu: random.pick(['100m', '0.5', 1]), memory: '64Mi' } },
          }),
          ...(random.chance(0.3) && { ports: [{ containerPort: 8080, name: 'web' }] }),
        },
      ],
      ...(random.chance(0.2) && { tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] }),
    },
  }),
  edit: (random, body) => {
    const spec = objectOf(body['spec']);
    const [main] = spec['containers'] as [JsonObject];
    body['spec'] = { ...spec, containers: [{ ...main, image: `example.dev/image:${random.below(9)}` }] };
  },
  status: (random) => ({
    phase: random.pick(['Pending', 'Running']),
    conditions: [{ type: 'example.dev/ready', status: random.pick(['True', 'False']) }],
  }),
};

// never really deleted: a controller finishes that later
export const namespace: Kind = {
  ...core,
  kind: 'Namespace',
  resource: 'namespaces',
  namespaced: false,
  weight: 2,
  removal: 'dry',
  fields: ['status.phase=Active'],
  build: () => ({}),
  edit: (random, body) => {
    objectOf(body['metadata'])['annotations'] = { turn: String(random.below(9)) };
  },
};

// controllers write events of their own, so lists of them are asked with the run's label only
export const event: Kind = {
  ...core,
  kind: 'Event',
  resource: 'events',
  weight: 2,
  settled: 'no',
  fields: ['type=Normal', 'involvedObject.kind=Pod'],
  build: (random) => ({
    involvedObject: { kind: 'Pod', namespace: '@{namespace}', name: 'alpha' },
    reason: random.pick(['Made', 'Seen']),
    message: text(random),
    type: 'Normal',
    count: random.below(5),
    firstTimestamp: '2020-01-02T03:04:05Z',
    lastTimestamp: '2020-01-02T03:04:05Z',
    source: { component: 'differential' },
  }),
  edit: (random, body) => {
    body['count'] = random.below(100);
  },
};
