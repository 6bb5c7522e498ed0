/** Finds the error of a template in one cluster. */

import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { Work } from '@fleet/federation/api/works.ts';
import { applyOverrides } from '@fleet/federation/override/apply-overrides.ts';
import { conflictResolutionAnnotation, marksOf } from '@fleet/federation/work/marks.ts';
import { objectText } from '../federation-texts.ts';
import { type Branch, conditionOf, healthOf, readyText } from './branches.ts';
import { podFault } from './pod-fault.ts';
import type { Reading } from './reading.ts';

export interface ClusterFault {
  step: 'work' | 'dispatch' | 'apply' | 'object' | 'health' | 'removal';
  message: string;
}

export function clusterFault(reading: Reading, branch: Branch): ClusterFault | undefined {
  const { target, work } = branch;
  if (!target) return removalFault(branch);
  if (!work) return { step: 'work', message: noWorkText(reading, branch) };
  return (
    overrideFault(reading, branch) ??
    oldWorkFault(reading, work) ??
    dispatchFault(reading, branch) ??
    applyFault(branch) ??
    objectFault(branch)
  );
}

/** A Work whose cluster is not to have the object any more. */
function removalFault({ member, object }: Branch): ClusterFault {
  const why = member?.unready ?? (object.is === 'unread' ? object.why : undefined);
  return { step: 'removal', message: `its object is to be removed there${why ? `, which waits: ${why}` : ''}` };
}

function noWorkText(reading: Reading, branch: Branch): string {
  const { member } = branch;
  if (!member) return 'there is no such cluster any more';
  const override = overrideFault(reading, branch);
  if (override) return override.message;
  const warning = reading.warnings.find(({ reason }) => reason === 'SyncWorkFailed');
  return warning ? `there is no Work yet: ${warning.message}` : 'there is no Work yet';
}

/** Tried with the template itself: the Work that is there may be one from before. */
function overrideFault(
  { template, clusterOverrides, overrides }: Reading,
  { member }: Branch,
): ClusterFault | undefined {
  if (!member) return undefined;
  try {
    applyOverrides(template, member.cluster, clusterOverrides, overrides);
    return undefined;
  } catch (error) {
    return { step: 'work', message: `an override cannot be applied: ${(error as Error).message}` };
  }
}

/** What a webhook fails at, for example, leaves the Work as it was. */
function oldWorkFault({ template, warnings }: Reading, work: Work): ClusterFault | undefined {
  const [manifest] = work.spec.workload?.manifests ?? [];
  if (!manifest || !isOlder(generationOn(manifest), template.metadata.generation)) return undefined;
  const text = 'its Work is older than the template';
  const warning = warnings.find(({ reason }) => reason === 'SyncWorkFailed');
  return { step: 'work', message: warning ? `${text}: ${warning.message}` : text };
}

const generationOn = (object: AnyObject): number | undefined => marksOf(object)?.template.generation;

const isOlder = (one: number | undefined, other: number | undefined): boolean =>
  one !== undefined && other !== undefined && one < other;

function dispatchFault({ binding }: Reading, { cluster, work }: Branch): ClusterFault | undefined {
  if (!work!.spec.suspendDispatching) return undefined;
  const { suspension } = binding?.spec ?? {};
  const isNamed = suspension?.dispatchingOnClusters?.clusterNames?.includes(cluster) ?? false;
  const field = isNamed ? 'spec.suspension.dispatchingOnClusters' : 'spec.suspension.dispatching';
  return { step: 'dispatch', message: `the policy is suspended (${field}): nothing is sent` };
}

function applyFault({ cluster, member, work, object }: Branch): ClusterFault | undefined {
  const fault = (message: string): ClusterFault => ({ step: 'apply', message });
  const applied = conditionOf(work!, 'Applied');
  if (applied?.status === 'True') return undefined;
  if (member?.unready !== undefined) return fault(`the cluster is not ready, so it waits: ${member.unready}`);
  if (!applied) return fault('it has not been applied yet');
  const text = applied.message.replace(/^Failed to apply all manifests \(0\/1\): /, '');
  if (text.includes('already exists in the cluster')) {
    const what = object.is === 'there' ? objectText(work!.spec.workload!.manifests![0]!) : 'the object';
    return fault(
      `not applied: ${what} exists there and is not managed by the federation. To take it over, set conflictResolution: Overwrite ` +
        `in the policy, or the annotation ${conflictResolutionAnnotation}: overwrite on the template`,
    );
  }
  if (text.includes('forbidden'))
    return fault(`not applied: ${text}. "fleet join ${cluster} --federation-kinds" grants what the product may write`);
  return fault(`not applied: ${text}`);
}

function objectFault({ member, work, object }: Branch): ClusterFault | undefined {
  if (member?.unready !== undefined)
    return { step: 'object', message: `the cluster is not ready, so this is what it was: ${member.unready}` };
  if (object.is === 'missing')
    return { step: 'object', message: 'the object is gone there, and is about to be made again' };
  const [manifest] = work!.spec.workload?.manifests ?? [];
  if (object.is === 'there' && manifest && isOlder(generationOn(object.object), generationOn(manifest)))
    return { step: 'object', message: 'the object there is older than its Work, which is about to be applied' };
  const health = healthOf(work!);
  if (health === 'Healthy') return undefined;
  if (health !== 'Unhealthy') return { step: 'health', message: 'its health is not known yet' };
  const why = object.is === 'there' ? [readyText(object.object), podFault(object.pods)].filter(Boolean).join('; ') : '';
  return { step: 'health', message: `unhealthy${why ? `: ${why}` : ''}` };
}
