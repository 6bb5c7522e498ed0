/** Creates the ReplicaSet for a Deployment's template. */

import type { ReplicaSet } from '../replica-sets/replica-set.ts';
import { controllerRef } from '../shared/controller-ref.ts';
import { templateHash, templateHashLabel } from '../shared/pod-template.ts';
import { type Deployment, deployments } from './deployment.ts';
import { newSetReplicas } from './replica-counts.ts';
import { newSetAnnotations } from './revisions.ts';

const longestName = 253;

export function newReplicaSet(deployment: Deployment, others: readonly ReplicaSet[], revision: bigint): ReplicaSet {
  const { metadata, spec, status } = deployment;
  const hash = templateHash(spec.template, status?.collisionCount);
  const labels = { ...spec.template.metadata?.labels, [templateHashLabel]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${metadata.name.slice(0, longestName - hash.length - 1)}-${hash}`,
      namespace: metadata.namespace!,
      ownerReferences: [controllerRef(deployments, deployment)],
      labels,
      annotations: newSetAnnotations(deployment, undefined, revision),
    },
    spec: {
      replicas: newSetReplicas(deployment, others, 0),
      ...(spec.minReadySeconds ? { minReadySeconds: spec.minReadySeconds } : {}),
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [templateHashLabel]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  };
}
