/** The Table cells of cluster-wide kinds: nodes, quotas, priorities, certificates, devices. */

import { humanDuration } from '@fleet/kube/human-duration.ts';
import { fieldOf } from '@fleet/kube/json-value.ts';
import { type Condition, cellsOf, conditionOf, type KindCells, none } from './cells.ts';

interface Quota {
  status?: { hard?: Record<string, string>; used?: Record<string, string> };
}

const quotaText = ({ status }: Quota, isLimit: boolean): string =>
  Object.entries(status?.hard ?? {})
    .filter(([name]) => name.startsWith('limits.') === isLimit)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, hard]) => `${name}: ${fieldOf(status?.used ?? {}, name) ?? '0'}/${hard}`)
    .join(', ');

const quotas = cellsOf<Quota>('/resourcequotas', {
  Request: (quota) => quotaText(quota, false),
  Limit: (quota) => quotaText(quota, true),
});

interface SigningRequest {
  spec?: { signerName?: string; username?: string; expirationSeconds?: number };
  status?: { conditions?: Condition[]; certificate?: string };
}

function signingStatus({ status }: SigningRequest): string {
  const has = (type: string) => conditionOf(status?.conditions, type) !== undefined;
  return [
    has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending',
    ...(has('Failed') ? ['Failed'] : []),
    ...(status?.certificate ? ['Issued'] : []),
  ].join(',');
}

const signingRequests = cellsOf<SigningRequest>('certificates.k8s.io/certificatesigningrequests', {
  SignerName: ({ spec }) => spec?.signerName || none,
  Requestor: ({ spec }) => spec?.username ?? '',
  RequestedDuration: ({ spec }) =>
    spec?.expirationSeconds === undefined ? none : humanDuration(spec.expirationSeconds * 1_000),
  Condition: signingStatus,
});

interface ApiService {
  spec?: { service?: { namespace?: string; name?: string } };
  status?: { conditions?: Condition[] };
}

const apiServices = cellsOf<ApiService>('apiregistration.k8s.io/apiservices', {
  Service: ({ spec }) => (spec?.service ? `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}` : 'Local'),
  Available: ({ status }) => {
    const available = conditionOf(status?.conditions, 'Available');
    if (!available) return 'Unknown';
    return available.status !== 'True' && available.reason
      ? `${available.status} (${available.reason})`
      : available.status;
  },
});

const runtimeClasses = cellsOf<{ handler?: string }>('node.k8s.io/runtimeclasses', {
  Handler: ({ handler = '' }) => handler,
});

interface FlowSchema {
  spec?: {
    priorityLevelConfiguration?: { name?: string };
    matchingPrecedence?: number;
    distinguisherMethod?: { type?: string };
  };
  status?: { conditions?: Condition[] };
}

const flowSchemas = cellsOf<FlowSchema>('flowcontrol.apiserver.k8s.io/flowschemas', {
  PriorityLevel: ({ spec }) => spec?.priorityLevelConfiguration?.name ?? '',
  MatchingPrecedence: ({ spec }) => spec?.matchingPrecedence ?? 0,
  DistinguisherMethod: ({ spec }) => spec?.distinguisherMethod?.type ?? none,
  MissingPL: ({ status }) => conditionOf(status?.conditions, 'Dangling')?.status ?? '?',
});

interface PriorityLevel {
  spec?: {
    type?: string;
    limited?: {
      nominalConcurrencyShares?: number;
      limitResponse?: { queuing?: { queues?: number; handSize?: number; queueLengthLimit?: number } };
    };
  };
}

const queuing = ({ spec }: PriorityLevel) => spec?.limited?.limitResponse?.queuing;

const priorityLevels = cellsOf<PriorityLevel>('flowcontrol.apiserver.k8s.io/prioritylevelconfigurations', {
  Type: ({ spec }) => spec?.type ?? '',
  NominalConcurrencyShares: ({ spec }) => (spec?.limited ? (spec.limited.nominalConcurrencyShares ?? 0) : none),
  Queues: (level) => queuing(level)?.queues ?? none,
  HandSize: (level) => queuing(level)?.handSize ?? none,
  QueueLengthLimit: (level) => queuing(level)?.queueLengthLimit ?? none,
});

interface ResourceClaim {
  status?: { allocation?: object; reservedFor?: unknown[] };
}

const resourceClaims = cellsOf<ResourceClaim>('resource.k8s.io/resourceclaims', {
  State: ({ metadata, status }) => {
    const deleted = metadata.deletionTimestamp ? ['deleted'] : [];
    if (!status?.allocation) return deleted[0] ?? 'pending';
    return [...deleted, 'allocated', ...(status.reservedFor?.length ? ['reserved'] : [])].join(',');
  },
});

interface ResourceSlice {
  spec?: { nodeName?: string; driver?: string; pool?: { name?: string } };
}

const resourceSlices = cellsOf<ResourceSlice>('resource.k8s.io/resourceslices', {
  Node: ({ spec }) => spec?.nodeName ?? '',
  Driver: ({ spec }) => spec?.driver ?? '',
  Pool: ({ spec }) => spec?.pool?.name ?? '',
});

export const clusterCells: readonly KindCells[] = [
  quotas,
  signingRequests,
  apiServices,
  runtimeClasses,
  flowSchemas,
  priorityLevels,
  resourceClaims,
  resourceSlices,
];
