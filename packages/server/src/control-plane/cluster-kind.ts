/** Cluster in the embedded control plane, until that serves CustomResourceDefinitions: the names of its manifest, no schema. */

import type { ObjectTypes } from '@fleet/apiserver/http/object-types.ts';
import { objectOf } from '@fleet/apiserver/http/read-object.ts';
import { dnsSubdomainFaults } from '@fleet/apiserver/names/name-rules.ts';
import { customKind } from '@fleet/apiserver/patch/managers/managed-kind.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import type { PrintedKind } from '@fleet/apiserver/registry/printed-kind.ts';
import { apiVersionOf } from '@fleet/apiserver/registry/resource-kind.ts';

interface Status {
  kubernetesVersion?: string;
  conditions?: { type: string; status: string }[];
}

const statusOf = ({ status }: KubeObject): Status => (status as Status | undefined) ?? {};

export const clusterKind: PrintedKind = {
  group: 'cluster.karmada.io',
  version: 'v1alpha1',
  resource: 'clusters',
  singular: 'cluster',
  kind: 'Cluster',
  namespaced: false,
  hasStatus: true,
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  nameFaults: dnsSubdomainFaults,
  strategy: {},
  columns: [
    {
      name: 'Version',
      type: 'string',
      description: 'The Kubernetes version of the member.',
      cell: (cluster) => statusOf(cluster).kubernetesVersion ?? '',
    },
    {
      name: 'Mode',
      type: 'string',
      description: 'Push (the fleet reaches the member) or Pull (an agent in the member).',
      cell: ({ spec }) => (spec as { syncMode?: string } | undefined)?.syncMode ?? '',
    },
    {
      name: 'Ready',
      type: 'string',
      description: 'Whether the member answers.',
      cell: (cluster) => statusOf(cluster).conditions?.find(({ type }) => type === 'Ready')?.status ?? '',
    },
  ],
};

export const clusterTypes: ObjectTypes = {
  read: (json) => objectOf(json, clusterKind),
  managed: (subresource) => customKind(apiVersionOf(clusterKind), clusterKind.kind, () => ({}), { subresource }),
  patchType: undefined,
};
