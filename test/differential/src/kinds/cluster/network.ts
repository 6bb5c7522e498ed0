/** Services and what they lead to, ingresses and policies. */
import type { Random } from '../../random.ts';
import type { JsonObject } from '../../request.ts';
import { type Kind, ordinary } from '../kind.ts';
import { change } from './change.ts';
import { some } from './pod-spec.ts';

const core = { ...ordinary, group: '', version: 'v1' };
const networking = { ...ordinary, group: 'networking.k8s.io', version: 'v1' };

// no explicit addresses and node ports but where they are refused: lanes share the ranges
export const service: Kind = {
  ...core,
  kind: 'Service',
  resource: 'services',
  weight: 8,
  fields: ['spec.type=ClusterIP', 'spec.clusterIP=None'],
  build: (random, name) => ({
    spec: {
      selector: { own: name },
      ...random.weighted<JsonObject>([
        [5, { ports: [{ port: 80, targetPort: random.pick<string | number>(['web', 8080]) }] }],
        [1, { ports: [{ port: 80 }], ipFamilies: ['IPv4'], ipFamilyPolicy: 'PreferDualStack' }],
        [1, { ports: [{ port: 80 }], ipFamilyPolicy: 'SingleStack' }],
        [2, { clusterIP: 'None', ports: [{ name: 'a', port: 1, protocol: 'UDP' }] }],
        [1, { clusterIP: 'None' }],
        [2, { type: 'NodePort', ports: [{ port: 443, name: 'tls', appProtocol: 'https' }] }],
        [2, { type: 'LoadBalancer', ports: [{ port: 443 }], externalTrafficPolicy: 'Local' }],
        [1, { type: 'LoadBalancer', ports: [{ port: 53, protocol: 'UDP' }], allocateLoadBalancerNodePorts: false }],
        [2, { type: 'ExternalName', externalName: 'example.dev' }],
      ]),
      ...some(random, 0.15, [
        () => ({ publishNotReadyAddresses: true }),
        () => ({ externalIPs: ['192.0.2.44'] }),
        () => ({ internalTrafficPolicy: 'Local' }),
        () => ({ trafficDistribution: 'PreferClose' }),
        () => ({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } } }),
      ]),
    },
  }),
  edit: (random, body) =>
    change(
      body,
      random.pick<JsonObject>([
        { sessionAffinity: random.pick(['None', 'ClientIP']) },
        { selector: { own: 'another' } },
        { ports: [{ port: 90 + random.below(3) }] },
        { type: 'NodePort', ports: [{ port: 81 }] },
        { type: 'ClusterIP', ports: [{ port: 81 }] },
        { type: 'ExternalName', externalName: 'other.example' },
      ]),
    ),
  forbid: (random, body) =>
    change(
      body,
      random.pick<JsonObject>([
        { clusterIP: 'None', ports: [] },
        { clusterIP: '192.0.2.3' },
        { ipFamilies: ['IPv6'] },
        { loadBalancerClass: 'example.dev/late' },
        { externalName: 'Bad_Name', type: 'ExternalName' },
      ]),
    ),
  status: (random) => ({ loadBalancer: { ingress: [random.pick([{ ip: '192.0.2.7' }, { hostname: 'a.example' }])] } }),
};

const address = (random: Random): JsonObject => ({
  ip: `192.0.2.${1 + random.below(9)}`,
  ...some(random, 0.3, [() => ({ hostname: 'a' }), () => ({ nodeName: 'node-1' })]),
});

export const endpoints: Kind = {
  ...core,
  kind: 'Endpoints',
  resource: 'endpoints',
  weight: 3,
  build: (random) => ({
    subsets: [
      {
        addresses: [address(random)],
        ...(random.chance(0.3) && { notReadyAddresses: [address(random)] }),
        ports: [{ port: 80 }, { name: 'b', port: 81, protocol: 'UDP' }].slice(0, 1 + random.below(1)),
      },
    ],
  }),
  edit: (random, body) => {
    body['subsets'] = [{ addresses: [address(random)], ports: [{ name: 'c', port: 82 }] }];
  },
  forbid: (_random, body) => {
    body['subsets'] = [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 0 }] }];
  },
};

export const endpointSlice: Kind = {
  ...ordinary,
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  resource: 'endpointslices',
  build: (random) => ({
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['192.0.2.7'],
        ...some(random, 0.3, [
          () => ({ conditions: { ready: true, serving: true } }),
          () => ({ nodeName: 'node-1', zone: 'z' }),
          () => ({ targetRef: { kind: 'Pod', name: 'alpha' } }),
          () => ({ hostname: 'a' }),
        ]),
      },
    ],
    ports: random.pick<JsonObject[]>([
      [{ port: 80 }],
      [{ name: 'a', port: 53, protocol: 'UDP', appProtocol: 'dns' }],
      [],
    ]),
  }),
  edit: (random, body) => {
    body['endpoints'] = [{ addresses: [`192.0.2.${random.below(9)}`] }];
  },
  forbid: (_random, body) => {
    body['addressType'] = 'FQDN';
    body['endpoints'] = [{ addresses: ['a.example'] }];
  },
};

const backend = (random: Random): JsonObject =>
  random.pick<JsonObject>([
    { service: { name: 'web', port: { number: 80 } } },
    { service: { name: 'web', port: { name: 'http' } } },
    { resource: { apiGroup: 'example.dev', kind: 'Bucket', name: 'a' } },
  ]);

const rule = (random: Random): JsonObject => ({
  ...(random.chance(0.7) && { host: random.pick(['a.example', '*.example']) }),
  http: {
    paths: [
      { path: '/', pathType: 'Prefix', backend: backend(random) },
      { path: '/x', pathType: 'Exact', backend: backend(random) },
    ],
  },
});

export const ingress: Kind = {
  ...networking,
  kind: 'Ingress',
  resource: 'ingresses',
  build: (random) => ({
    spec: {
      rules: [rule(random)],
      ...some(random, 0.3, [
        () => ({ defaultBackend: backend(random) }),
        () => ({ ingressClassName: 'own' }),
        () => ({ tls: [{ hosts: ['a.example'], secretName: 's' }] }),
      ]),
    },
  }),
  edit: (random, body) => change(body, { rules: [rule(random), rule(random)] }),
  forbid: (_random, body) => change(body, { rules: [{ http: { paths: [{ path: 'x', backend: {} }] } }] }),
  status: () => ({ loadBalancer: { ingress: [{ ip: '192.0.2.8', ports: [{ port: 80, protocol: 'TCP' }] }] } }),
};

// never the default: lanes share it
export const ingressClass: Kind = {
  ...networking,
  kind: 'IngressClass',
  resource: 'ingressclasses',
  namespaced: false,
  weight: 2,
  build: (random) => ({
    spec: {
      controller: 'example.dev/ingress',
      ...(random.chance(0.4) && { parameters: { apiGroup: 'example.dev', kind: 'Bucket', name: 'a' } }),
    },
  }),
  edit: (random, body) =>
    change(body, { parameters: { kind: 'B', name: `b${random.below(3)}`, scope: 'Namespace', namespace: 'default' } }),
  forbid: (_random, body) => change(body, { controller: 'example.dev/other' }),
};

export const networkPolicy: Kind = {
  ...networking,
  kind: 'NetworkPolicy',
  resource: 'networkpolicies',
  build: (random, name) => ({
    spec: {
      podSelector: { matchLabels: { own: name } },
      ...some(random, 0.5, [
        () => ({
          ingress: [
            {
              ports: [{ port: random.pick<string | number>([80, 'web']) }],
              from: [{ ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.0/25'] } }],
            },
          ],
        }),
        () => ({
          egress: [
            { to: [{ namespaceSelector: {}, podSelector: {} }], ports: [{ port: 53, endPort: 60, protocol: 'UDP' }] },
          ],
        }),
        () => ({ policyTypes: ['Egress'] }),
      ]),
    },
  }),
  edit: (random, body) => change(body, { policyTypes: random.pick([['Ingress'], ['Ingress', 'Egress']]) }),
  forbid: (_random, body) => change(body, { policyTypes: ['Ingress', 'Egress', 'Both'] }),
};
