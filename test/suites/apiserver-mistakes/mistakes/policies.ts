import type { KindMistakes } from '../mistake.ts';
import type { JsonObject } from '../rule-request.ts';

export const podDisruptionBudgets: KindMistakes = {
  base: {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: {},
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  },
  create: {
    'minimum and maximum': { 'spec/maxUnavailable': 1 },
    'negative minimum': { 'spec/minAvailable': -1 },
    'more than all': { 'spec/minAvailable': '150%' },
    'share that is none': { 'spec/minAvailable': 'half' },
    'eviction that is none': { 'spec/unhealthyPodEvictionPolicy': 'Always' },
    'selector with a space': { 'spec/selector': { matchLabels: { app: 'my app' } } },
  },
  update: { 'minimum and maximum': { 'spec/maxUnavailable': 1 } },
  status: { 'negative count': { 'status/currentHealthy': -1 } },
};

const target = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const cpu: JsonObject = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
};

export const autoscalers: KindMistakes = {
  base: {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: {},
    spec: { scaleTargetRef: target, minReplicas: 1, maxReplicas: 3, metrics: [cpu] },
  },
  create: {
    'no target': { 'spec/scaleTargetRef': undefined },
    'target without a name': { 'spec/scaleTargetRef/name': '' },
    'no maximum': { 'spec/maxReplicas': undefined },
    'maximum below the minimum': { 'spec/minReplicas': 5 },
    'minimum of none': { 'spec/minReplicas': 0 },
    'metric of no type': { 'spec/metrics/0/type': 'Memory' },
    'metric without its source': { 'spec/metrics': [{ type: 'Resource' }] },
    'target of nothing': { 'spec/metrics/0/resource/target': { type: 'Utilization' } },
    'target of a type that is none': { 'spec/metrics/0/resource/target': { type: 'Load', averageUtilization: 80 } },
    'utilization of nothing': { 'spec/metrics/0/resource/target/averageUtilization': 0 },
    'window of more than an hour': { 'spec/behavior': { scaleDown: { stabilizationWindowSeconds: 3601 } } },
    'policy of no time': {
      'spec/behavior': { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 0 }] } },
    },
    'choice that is none': { 'spec/behavior': { scaleUp: { selectPolicy: 'Any' } } },
  },
  update: { 'maximum below the minimum': { 'spec/minReplicas': 5 } },
};

export const oldAutoscalers: KindMistakes = {
  base: {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: {},
    spec: { scaleTargetRef: target, maxReplicas: 3 },
  },
  create: {
    'target without a group': { 'spec/scaleTargetRef/apiVersion': undefined },
    'maximum of none': { 'spec/maxReplicas': 0 },
    'utilization of nothing': { 'spec/targetCPUUtilizationPercentage': 0 },
  },
};

const backend = { service: { name: 'web', port: { number: 80 } } };
const path = { path: '/', pathType: 'Prefix', backend };

export const ingresses: KindMistakes = {
  base: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {},
    spec: { rules: [{ host: 'example.dev', http: { paths: [path] } }] },
  },
  create: {
    'neither rules nor a backend': { spec: {} },
    'no path type': { 'spec/rules/0/http/paths/0/pathType': undefined },
    'path type that is none': { 'spec/rules/0/http/paths/0/pathType': 'Regex' },
    'path that is not absolute': { 'spec/rules/0/http/paths/0/path': 'web' },
    'path outwards': { 'spec/rules/0/http/paths/0/path': '/a/../b' },
    'rule without paths': { 'spec/rules/0/http/paths': [] },
    'host of an address': { 'spec/rules/0/host': '192.0.2.1' },
    'host with a port': { 'spec/rules/0/host': 'example.dev:80' },
    'host with an asterisk inside': { 'spec/rules/0/host': 'a.*.example.dev' },
    'no backend': { 'spec/rules/0/http/paths/0/backend': {} },
    'backend without a port': { 'spec/rules/0/http/paths/0/backend': { service: { name: 'web' } } },
    'backend of a port by name and number': {
      'spec/rules/0/http/paths/0/backend': { service: { name: 'web', port: { name: 'a', number: 80 } } },
    },
    'backend without a name': { 'spec/rules/0/http/paths/0/backend/service/name': '' },
    'backend of old': { 'spec/rules/0/http/paths/0/backend': { serviceName: 'web', servicePort: 80 } },
    'class with a space': { 'spec/ingressClassName': 'my class' },
    'class twice': {
      'spec/ingressClassName': 'a',
      'metadata/annotations': { 'kubernetes.io/ingress.class': 'b' },
    },
    'certificate of a host that is none': { 'spec/tls': [{ hosts: ['an example'], secretName: 'a' }] },
  },
  update: { 'path type taken away': { 'spec/rules/0/http/paths/0/pathType': '' } },
};

export const ingressClasses: KindMistakes = {
  base: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: {},
    spec: { controller: 'example.dev/ingress' },
  },
  create: {
    'no controller': { 'spec/controller': undefined },
    'controller without a domain': { 'spec/controller': 'ingress' },
    'parameters without a name': { 'spec/parameters': { kind: 'A', name: '' } },
    'parameters of a scope that is none': { 'spec/parameters': { kind: 'A', name: 'a', scope: 'All' } },
  },
  update: { 'another controller': { 'spec/controller': 'example.dev/other' } },
};

export const networkPolicies: KindMistakes = {
  base: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {},
    spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {} }], ports: [{ port: 80 }] }] },
  },
  create: {
    'selector with a space': { 'spec/podSelector': { matchLabels: { app: 'my app' } } },
    'direction that is none': { 'spec/policyTypes': ['Inbound'] },
    'protocol that is none': { 'spec/ingress/0/ports/0/protocol': 'HTTP' },
    'port out of range': { 'spec/ingress/0/ports/0/port': 70000 },
    'end before the port': { 'spec/ingress/0/ports/0/endPort': 70 },
    'end without a port': { 'spec/ingress/0/ports': [{ endPort: 80 }] },
    'peer of nothing': { 'spec/ingress/0/from': [{}] },
    'peer of a selector and a block': {
      'spec/ingress/0/from': [{ podSelector: {}, ipBlock: { cidr: '192.0.2.0/24' } }],
    },
    'block that is none': { 'spec/ingress/0/from': [{ ipBlock: { cidr: '192.0.2.1' } }] },
    'exception outside of its block': {
      'spec/ingress/0/from': [{ ipBlock: { cidr: '192.0.2.0/24', except: ['198.51.100.0/25'] } }],
    },
  },
  update: { 'direction that is none': { 'spec/policyTypes': ['Inbound'] } },
};
