import { describe, expect, it } from 'vitest';
import type { ObjectMeta } from '../../registry/kube-object.ts';
import type { Container, PodSpec } from './pod-spec.ts';
import { podSpecWarnings, templateWarnings } from './spec-warnings.ts';

const container = (name: string, rest: Partial<Container> = {}): Container => ({ name, image: 'i', ...rest });
const warned = (spec: Partial<PodSpec>, metadata: ObjectMeta = {}) =>
  podSpecWarnings({ containers: [container('c')], ...spec }, metadata, '');

describe('COMPAT-4: whoever writes a pod is warned of', () => {
  it('a negative time to end', () => {
    const template = { spec: { terminationGracePeriodSeconds: -1 } };
    expect(templateWarnings(template, 'spec.template')).toEqual([
      'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ]);
  });

  it('ports that another container has, too', () => {
    const ports = [{ name: 'web', containerPort: 80, protocol: 'TCP' }];
    expect(warned({ initContainers: [container('a', { ports })], containers: [container('b', { ports })] })).toEqual([
      'spec.containers[0].ports[0]: duplicate port definition with spec.initContainers[0].ports[0]',
      'spec.containers[0].ports[0]: duplicate port name "web" with spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.initContainers[0].ports[0]',
    ]);
  });

  it.each([
    [{ hostPort: 5 }, {}, 'overlapping'],
    [{ hostPort: 5, hostIP: '10.0.0.1' }, { hostPort: 5 }, 'dangerously ambiguous'],
  ])('ports %j beside %j', (one, other, how) => {
    const port = (rest: object) => ({ containerPort: 80, protocol: 'TCP', ...rest });
    expect(warned({ containers: [container('a', { ports: [port(one), port(other)] })] })).toEqual([
      `spec.containers[0].ports[1]: ${how} port definition with spec.containers[0].ports[0]`,
    ]);
  });

  it('an address of the host without a port', () => {
    const ports = [{ containerPort: 80, protocol: 'TCP', hostIP: '10.0.0.1' }];
    expect(warned({ containers: [container('a', { ports })] })).toEqual([
      'spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}',
    ]);
  });

  it('a variable that hides another, but not one that is made of it', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '$(A)2' },
      { name: 'A', value: '3' },
    ];
    expect(warned({ containers: [container('c', { env })] })).toEqual([
      'spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply',
    ]);
  });

  it('parts of bytes, and so much that Go cannot count it', () => {
    const resources = { requests: { memory: '100m', 'ephemeral-storage': '1Gi' }, limits: { memory: '100E' } };
    expect(warned({ containers: [container('c', { resources })] })).toEqual([
      'spec.containers[0].resources.limits[memory]: fractional byte value "100E" is invalid, must be an integer',
      'spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
    ]);
  });

  it('files of one volume at the same path', () => {
    const items = [
      { key: 'a', path: 'x' },
      { key: 'b', path: 'x/y/' },
    ];
    expect(warned({ volumes: [{ name: 'v', configMap: { name: 'm', items } }] })).toEqual([
      'volume "v" (ConfigMap "m"): overlapping paths: "x/y" with "x"',
    ]);
    const sources = [{}, { secret: { name: 's', items } }, { serviceAccountToken: { path: 'x' } }];
    expect(warned({ volumes: [{ name: 'v', projected: { sources } }] })).toEqual([
      'volume "v" (Projected) has no sources provided',
      'volume "v" (Projected): overlapping paths: "x/y" (Secret "s") with "x" (Secret "s")',
      'volume "v" (Projected): overlapping paths: "x" (ServiceAccountToken) with "x" (Secret "s")',
      'volume "v" (Projected): overlapping paths: "x" (ServiceAccountToken) with "x/y" (Secret "s")',
    ]);
    expect(warned({ volumes: [{ name: 'v', projected: { sources: null } }] })).toEqual([]);
  });

  it('drivers, labels and annotations that are gone', () => {
    const volumes = [{ name: 'v', rbd: {} }];
    const nodeSelector = { 'beta.kubernetes.io/os': 'linux' };
    const metadata = { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'x' } };
    expect(warned({ volumes, nodeSelector }, metadata)).toEqual([
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      'spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+',
      'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ]);
  });

  it('selectors that match nothing', () => {
    const affinity = {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] },
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'In', values: ['two words'] }] } },
        ],
      },
    };
    expect(warned({ affinity })).toEqual([
      expect.stringContaining('.preference.matchExpressions[0].values[0]: two words is invalid, '),
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
    ]);
  });

  it('the same secret or host twice, and addresses that are not in their usual form', () => {
    expect(
      warned({ imagePullSecrets: [{ name: 's' }, { name: 's' }, {}], hostAliases: [{ ip: '1::0' }, { ip: '1::0' }] }),
    ).toEqual([
      'spec.hostAliases[1].ip: duplicate ip "1::0"',
      'spec.imagePullSecrets[1].name: duplicate name "s"',
      'spec.imagePullSecrets[2].name: invalid empty name ""',
      'spec.hostAliases[0].ip: IPv6 address "1::0" should be in RFC 5952 canonical format ("1::")',
      'spec.hostAliases[1].ip: IPv6 address "1::0" should be in RFC 5952 canonical format ("1::")',
    ]);
  });
});
