/** Builds Node objects as kubelets and the cloud provider register them. */

import { createHash } from 'node:crypto';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import type { ResourceList } from '../pods/pod.ts';

export interface Taint {
  key: string;
  value?: string;
  effect: string;
  timeAdded?: string;
}

export interface NodeCondition {
  type: string;
  status: string;
  lastHeartbeatTime?: string | null;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

export interface Node extends KubeObject {
  spec: { podCIDR?: string; podCIDRs?: string[]; providerID?: string; unschedulable?: boolean; taints?: Taint[] };
  status?: {
    capacity?: ResourceList;
    allocatable?: ResourceList;
    conditions?: NodeCondition[];
    addresses?: { type: string; address: string }[];
    nodeInfo?: Record<string, unknown>;
    daemonEndpoints?: object;
  };
}

export interface NodeSize {
  cpu: string;
  memory: string;
  pods: number;
}

export interface NodePlace {
  name: string;
  address: string;
  podCidr: string;
  region: string;
  zone: string;
  version: string;
  labels: Record<string, string>;
}

/** `pkg/kubelet/nodestatus/setters.go`. */
const conditionTexts: readonly Pick<NodeCondition, 'type' | 'status' | 'reason' | 'message'>[] = [
  {
    type: 'MemoryPressure',
    status: 'False',
    reason: 'KubeletHasSufficientMemory',
    message: 'kubelet has sufficient memory available',
  },
  {
    type: 'DiskPressure',
    status: 'False',
    reason: 'KubeletHasNoDiskPressure',
    message: 'kubelet has no disk pressure',
  },
  {
    type: 'PIDPressure',
    status: 'False',
    reason: 'KubeletHasSufficientPID',
    message: 'kubelet has sufficient PID available',
  },
  { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
];

/** The conditions that a kubelet posts; a transition time is kept while the status is the same. */
export function postedConditions(before: readonly NodeCondition[], now: number): NodeCondition[] {
  return conditionTexts.map(({ type, status, ...why }) => {
    const known = before.find((one) => one.type === type);
    return {
      type,
      status,
      lastHeartbeatTime: timeText(now),
      lastTransitionTime: (known?.status === status ? known.lastTransitionTime : undefined) ?? timeText(now),
      ...why,
    };
  });
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** 8-4-4-4-12 digits. */
const uuidOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');

/** Containers see it, too. */
export const kernelVersion = '6.12.41';

export function newNode(place: NodePlace, { cpu, memory, pods }: NodeSize, now: number): Node {
  const { name, address, podCidr, region, zone, version, labels } = place;
  const hash = digest(`${name} ${address}`);
  const capacity: ResourceList = {
    cpu,
    'ephemeral-storage': '100Gi',
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory,
    pods: String(pods),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node-role.kubernetes.io/worker': '',
        'node.kubernetes.io/instance-type': `simulated-${cpu}`,
        'topology.kubernetes.io/region': region,
        'topology.kubernetes.io/zone': zone,
        ...labels,
      },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    spec: { podCIDR: podCidr, podCIDRs: [podCidr], providerID: `simulator://${zone}/${name}` },
    status: {
      capacity,
      allocatable: capacity,
      conditions: postedConditions([], now),
      addresses: [
        { type: 'InternalIP', address },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        architecture: 'amd64',
        bootID: uuidOf(hash.slice(32)),
        containerRuntimeVersion: 'containerd://2.2.1',
        kernelVersion,
        kubeProxyVersion: '',
        kubeletVersion: version,
        machineID: hash.slice(0, 32),
        operatingSystem: 'linux',
        osImage: 'Simulated Linux',
        systemUUID: uuidOf(hash),
      },
    },
  };
}
