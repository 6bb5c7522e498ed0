import type { KindMistakes } from '../mistake.ts';

export const services: KindMistakes = {
  base: {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {},
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  },
  create: {
    'no ports': { 'spec/ports': undefined },
    'port 0': { 'spec/ports/0/port': 0 },
    'port out of range': { 'spec/ports/0/port': 65536 },
    'a text as a port': { 'spec/ports/0/port': 'web' },
    'two ports without names': { 'spec/ports': [{ port: 80 }, { port: 81 }] },
    'two ports of one name': {
      'spec/ports': [
        { port: 80, name: 'web' },
        { port: 81, name: 'web' },
      ],
    },
    'one port twice': {
      'spec/ports': [
        { port: 80, name: 'a' },
        { port: 80, name: 'b' },
      ],
    },
    'target port out of range': { 'spec/ports/0/targetPort': 70000 },
    'target port of a name that is none': { 'spec/ports/0/targetPort': 'A Port' },
    'protocol in lower case': { 'spec/ports/0/protocol': 'tcp' },
    'type in lower case': { 'spec/type': 'nodePort' },
    'node port of a cluster IP': { 'spec/ports/0/nodePort': 30080 },
    'node port out of its range': { 'spec/type': 'NodePort', 'spec/ports/0/nodePort': 80 },
    'one node port twice': {
      'spec/type': 'NodePort',
      'spec/ports': [
        { port: 80, name: 'a', nodePort: 30081 },
        { port: 81, name: 'b', nodePort: 30081 },
      ],
    },
    'a name that begins with a digit': { 'metadata/name': '1-web' },
    'a name with a dot': { 'metadata/name': 'web.a' },
    'selector with a space': { 'spec/selector': { app: 'my app' } },
    'cluster IP that is none': { 'spec/clusterIP': 'any' },
    'cluster IP out of its range': { 'spec/clusterIP': '192.0.2.1' },
    'cluster IPs unlike the cluster IP': { 'spec/clusterIP': '10.0.0.7', 'spec/clusterIPs': ['10.0.0.8'] },
    'headless of type NodePort': { 'spec/type': 'NodePort', 'spec/clusterIP': 'None' },
    'external name without a name': { 'spec/type': 'ExternalName', 'spec/ports': undefined },
    'external name with an underscore': {
      'spec/type': 'ExternalName',
      'spec/externalName': 'an_example.dev',
      'spec/ports': undefined,
    },
    'external name with a cluster IP': {
      'spec/type': 'ExternalName',
      'spec/externalName': 'example.dev',
      'spec/clusterIP': '10.0.0.7',
    },
    'affinity that is none': { 'spec/sessionAffinity': 'Client' },
    'affinity of no time': {
      'spec/sessionAffinity': 'ClientIP',
      'spec/sessionAffinityConfig': { clientIP: { timeoutSeconds: 0 } },
    },
    'time of an affinity without one': { 'spec/sessionAffinityConfig': { clientIP: { timeoutSeconds: 5 } } },
    'external policy of a cluster IP': { 'spec/externalTrafficPolicy': 'Local' },
    'external policy that is none': { 'spec/type': 'NodePort', 'spec/externalTrafficPolicy': 'Nearby' },
    'internal policy that is none': { 'spec/internalTrafficPolicy': 'Nearby' },
    'external IP that is none': { 'spec/externalIPs': ['here'] },
    'external IP of loopback': { 'spec/externalIPs': ['127.0.0.1'] },
    'source range of no load balancer': { 'spec/loadBalancerSourceRanges': ['192.0.2.0/24'] },
    'source range that is none': { 'spec/type': 'LoadBalancer', 'spec/loadBalancerSourceRanges': ['192.0.2.1'] },
    'class of no load balancer': { 'spec/loadBalancerClass': 'example.dev/own' },
    'health check port of a cluster IP': { 'spec/healthCheckNodePort': 30082 },
    'family that is none': { 'spec/ipFamilies': ['IPv5'] },
    'family that the cluster has not': { 'spec/ipFamilies': ['IPv6'] },
    'two stacks where there is one': { 'spec/ipFamilyPolicy': 'RequireDualStack' },
    'app protocol with a space': { 'spec/ports/0/appProtocol': 'my protocol' },
    'traffic distribution that is none': { 'spec/trafficDistribution': 'Far' },
  },
  update: {
    'another cluster IP': [{ 'spec/clusterIP': '10.0.77.1' }, { 'spec/clusterIP': '10.0.77.2' }],
    'headless afterwards': [{ 'spec/clusterIP': '10.0.77.3' }, { 'spec/clusterIP': 'None' }],
    'ports taken away': { 'spec/ports': [] },
    'another class of load balancer': [
      { 'spec/type': 'LoadBalancer', 'spec/loadBalancerClass': 'example.dev/a' },
      { 'spec/loadBalancerClass': 'example.dev/b' },
    ],
    'external name without a name': { 'spec/type': 'ExternalName' },
    'type that is none': { 'spec/type': 'Cluster' },
  },
  status: {
    'ingress of no address': { 'status/loadBalancer': { ingress: [{ ip: 'here' }] } },
    'ingress of an address as a host name': {
      'status/loadBalancer': { ingress: [{ hostname: '192.0.2.1' }] },
    },
  },
};

const subset = { addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 80 }] };

export const endpoints: KindMistakes = {
  base: { apiVersion: 'v1', kind: 'Endpoints', metadata: {}, subsets: [subset] },
  create: {
    'address that is none': { 'subsets/0/addresses/0/ip': 'here' },
    'address of loopback': { 'subsets/0/addresses/0/ip': '127.0.0.1' },
    'no addresses': { 'subsets/0/addresses': [] },
    'port 0': { 'subsets/0/ports/0/port': 0 },
    'two ports without names': { 'subsets/0/ports': [{ port: 80 }, { port: 81 }] },
    'protocol that is none': { 'subsets/0/ports/0/protocol': 'http' },
    'host name with an underscore': { 'subsets/0/addresses/0/hostname': 'my_host' },
  },
};

export const endpointSlices: KindMistakes = {
  base: {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.7'] }],
    ports: [{ port: 80 }],
  },
  create: {
    'no address type': { addressType: undefined },
    'address type that is none': { addressType: 'IP' },
    'endpoint without addresses': { 'endpoints/0/addresses': [] },
    'address that is none': { 'endpoints/0/addresses': ['here'] },
    'address of another family': { 'endpoints/0/addresses': ['2001:db8::1'] },
    'port out of range': { 'ports/0/port': 70000 },
    'two ports of one name': { ports: [{ port: 80 }, { port: 81 }] },
    'protocol that is none': { 'ports/0/protocol': 'http' },
  },
  update: { 'another address type': { addressType: 'FQDN', 'endpoints/0/addresses': ['example.dev'] } },
};
