/** The kinds that clients know in tests: some of Kubernetes' own, and two of a custom group. */

import type { ResourceDiscovery } from '@fleet/kube/discovery.ts';
import type { Served } from '../discovery/discovery.ts';
import { isOfAnother } from '../discovery/resource-kind.ts';
import { askedObjects, type KnownKinds } from '../present/asked-objects.ts';
import { targetOf } from './targets.ts';

const resource = (name: string, kind: string): ResourceDiscovery => ({
  resource: name,
  responseKind: { kind },
  scope: 'Namespaced',
  singularResource: '',
  verbs: [],
});

export const servedKinds: Served = {
  core: {
    items: [
      {
        metadata: {},
        versions: [
          {
            version: 'v1',
            resources: [
              resource('pods', 'Pod'),
              resource('namespaces', 'Namespace'),
              resource('configmaps', 'ConfigMap'),
              resource('events', 'Event'),
            ],
          },
        ],
      },
    ],
  },
  groups: {
    items: [
      {
        metadata: { name: 'example.dev' },
        versions: [{ version: 'v1', resources: [resource('gadgets', 'Gadget'), resource('machinery', 'Machine')] }],
      },
      {
        metadata: { name: 'metrics.k8s.io' },
        versions: [{ version: 'v1', resources: [resource('pods', 'PodMetrics')] }],
      },
    ],
  },
};

export const knownKinds: KnownKinds = {
  isOfAnother: (asked, apiVersion, kind) => isOfAnother(servedKinds, asked, apiVersion, kind),
};

/** The kinds that are valid in the answer to a request. */
export const askedBy = (url: string, method = 'GET') => askedObjects(targetOf(method, url).ask, knownKinds);
