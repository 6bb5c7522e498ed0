/** Defaults of StatefulSets (Kubernetes' `apps/v1/defaults.go`). */

import type { ResourceList } from '../pods/pod-spec.ts';
import { defaultPodTemplate } from '../pods/pod-spec-defaults.ts';
import { roundUp, roundUpResources } from '../pods/resource-list.ts';
import type { ClaimTemplate, StatefulSet } from './stateful-set.ts';

const historyLimit = 10;

export function defaultStatefulSet({ spec }: StatefulSet): void {
  defaultPodTemplate(spec.template);
  for (const claim of spec.volumeClaimTemplates ?? []) defaultClaim(claim);
  spec.podManagementPolicy ||= 'OrderedReady';
  const { updateStrategy } = spec;
  if (!updateStrategy.type) {
    updateStrategy.type = 'RollingUpdate';
    updateStrategy.rollingUpdate ??= {};
  }
  if (updateStrategy.type === 'RollingUpdate' && updateStrategy.rollingUpdate)
    updateStrategy.rollingUpdate.partition ??= 0;
  spec.persistentVolumeClaimRetentionPolicy ??= {};
  spec.persistentVolumeClaimRetentionPolicy.whenDeleted ||= 'Retain';
  spec.persistentVolumeClaimRetentionPolicy.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= historyLimit;
}

/** Kubernetes writes kind and apiVersion into each, as versions before 1.17 did. */
function defaultClaim(claim: ClaimTemplate): void {
  claim.apiVersion = 'v1';
  claim.kind = 'PersistentVolumeClaim';
  claim.spec.volumeMode ??= 'Filesystem';
  claim.status.phase ||= 'Pending';
  roundUpResources(claim.spec.resources);
  roundUp(claim.status['capacity'] as ResourceList | undefined);
  roundUp(claim.status['allocatedResources'] as ResourceList | undefined);
}
