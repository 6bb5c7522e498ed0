/** Pods and nodes of a cluster without controllers: nobody else writes them. */
import type { JsonObject } from '../../request.ts';
import { type Kind, objectOf, ordinary } from '../kind.ts';
import { change, changeContainer } from './change.ts';
import { podSpec, some } from './pod-spec.ts';

const core = { ...ordinary, group: '', version: 'v1' };

export const pod: Kind = {
  ...core,
  kind: 'Pod',
  resource: 'pods',
  weight: 14,
  fields: ['status.phase=Pending', 'spec.nodeName=', 'spec.restartPolicy!=Never', 'spec.hostNetwork=true'],
  build: (random) => ({
    spec: {
      ...podSpec(random),
      ...some(random, 0.15, [
        () => ({ restartPolicy: random.pick(['Always', 'Never', 'OnFailure']) }),
        () => random.pick<JsonObject>([{ nodeName: 'node-1' }, { schedulingGates: [{ name: 'example.dev/gate' }] }]),
        () => ({ activeDeadlineSeconds: 60 }),
        () => ({ serviceAccountName: 'default' }),
      ]),
    },
  }),
  edit: (random, body) => changeContainer(objectOf(body['spec']), { image: `example.dev/image:${random.below(9)}` }),
  forbid: (random, body) =>
    random.pick<() => void>([
      () => changeContainer(objectOf(body['spec']), { command: ['other'] }),
      () => changeContainer(objectOf(body['spec']), { name: 'renamed' }),
      () => change(body, { restartPolicy: 'Never', dnsPolicy: 'Default' }),
      () => change(body, { tolerations: [] }),
      () => change(body, { nodeSelector: { a: 'b' } }),
      () => change(body, { activeDeadlineSeconds: 600 }),
      () => change(body, { volumes: [] }),
      () => change(body, { hostname: 'other', nodeName: 'node-2' }),
    ])(),
  status: (random) => ({
    phase: random.pick(['Pending', 'Running', 'Succeeded', 'Failed']),
    conditions: [{ type: 'Ready', status: random.pick(['True', 'False']) }],
    ...some(random, 0.3, [
      () => ({ podIP: '192.0.2.9', podIPs: [{ ip: '192.0.2.9' }] }),
      () => ({ hostIP: '192.0.2.1', hostIPs: [{ ip: '192.0.2.1' }] }),
      () => ({ reason: 'Evicted', message: 'why' }),
      () => ({
        containerStatuses: [
          { name: 'main', image: 'i', imageID: 'i', ready: true, restartCount: 1, state: { running: {} } },
        ],
      }),
    ]),
  }),
};

export const node: Kind = {
  ...core,
  kind: 'Node',
  resource: 'nodes',
  namespaced: false,
  fields: ['spec.unschedulable=true'],
  build: (random) => ({
    spec: some(random, 0.4, [
      () => ({ podCIDR: '192.0.2.0/25', podCIDRs: ['192.0.2.0/25'] }),
      () => ({ providerID: 'example://1' }),
      () => ({ unschedulable: true }),
      () => ({
        taints: [{ key: 'a', value: 'b', effect: random.pick(['NoSchedule', 'NoExecute', 'PreferNoSchedule']) }],
      }),
    ]),
    ...(random.chance(0.3) && { status: { capacity: { cpu: '4', memory: '8Gi', pods: 110 } } }),
  }),
  edit: (random, body) => change(body, { unschedulable: random.chance(0.5) }),
  forbid: (random, body) =>
    change(
      body,
      random.pick([{ podCIDR: '198.51.100.0/25', podCIDRs: ['198.51.100.0/25'] }, { providerID: 'example://2' }]),
    ),
  status: (random) => ({
    capacity: { cpu: '8', memory: '16Gi' },
    allocatable: { cpu: '7500m', memory: '15Gi' },
    conditions: [{ type: 'Ready', status: random.pick(['True', 'False', 'Unknown']), reason: 'R', message: 'm' }],
    addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
  }),
};
