/** Brings one object of a member to the manifest of its Work, and retains the fields that the member owns (FED-8). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '../api/objects.ts';
import type { Explorer } from '../explore/hooks/explorer.ts';
import { collectionPath } from '../kinds/kinds.ts';
import type { MemberObjects } from '../members/member-objects.ts';
import type { Templates } from '../templates/templates.ts';
import { bindingIdOf, conflictResolutionAnnotation, isManaged, isManagedAs, workNameOf } from '../work/marks.ts';
import { retainedMetadata } from '../work/retained.ts';
import type { AppliedVersions } from './applied-versions.ts';

export interface ApplyParts {
  templates: Pick<Templates, 'kinds'>;
  objects: MemberObjects;
  explorer: Pick<Explorer, 'retain'>;
  applied: AppliedVersions;
  cluster: string;
  member: KubeClient;
}

/** Whether something was written. */
export async function applyManifest(parts: ApplyParts, desired: AnyObject): Promise<boolean> {
  const { templates, objects, applied, cluster, member } = parts;
  const resource = templates.kinds.of(desired);
  if (!resource) throw new Error(`the control plane does not serve ${desired.kind} of ${desired.apiVersion}`);
  const collection = collectionPath(resource, desired.metadata.namespace);
  const path = `${collection}/${encodeURIComponent(desired.metadata.name)}`;
  // Starts the watch that reports later changes in the member.
  objects.copy(cluster, resource);
  const observed = objects.get(cluster, resource, { ...desired, ...desired.metadata }) ?? (await find(member, path));
  if (!observed) {
    applied.record(cluster, desired, await member.create<AnyObject>(collection, desired));
    return true;
  }
  if (observed.metadata.deletionTimestamp !== undefined) throw new Error('the object is being deleted in the member');
  if (isLeftAlone(desired, observed)) return false;
  refuseForeign(desired, observed, cluster);
  if (applied.isCurrent(cluster, desired, observed)) return false;
  const retained = await parts.explorer.retain(retainedMetadata(desired, observed), observed);
  // A hook with failurePolicy Ignore failed: the fields that the member owns are not known, so nothing is written.
  if (retained === undefined) return false;
  const answer = await member.replace<AnyObject>(path, retained);
  applied.record(cluster, desired, answer);
  return answer.metadata.resourceVersion !== observed.metadata.resourceVersion;
}

async function find(member: KubeClient, path: string): Promise<AnyObject | undefined> {
  try {
    return await member.get<AnyObject>(path);
  } catch (error) {
    if (isStatus(error, 404)) return undefined;
    throw error;
  }
}

/**
 * A Namespace that goes to all members without a policy takes nothing over, whatever its annotations are. An existing Namespace is no error
 * (FED-10). It gets no marks of ours, so it is never deleted either.
 */
const isLeftAlone = (desired: AnyObject, observed: AnyObject): boolean =>
  desired.kind === 'Namespace' && bindingIdOf(desired) === undefined && !isManagedAs(desired, observed);

/** An object that is not ours is taken over only if an annotation asks for that. */
function refuseForeign(desired: AnyObject, observed: AnyObject, cluster: string): void {
  if (isManagedAs(desired, observed) || desired.metadata.annotations?.[conflictResolutionAnnotation] === 'overwrite')
    return;
  const { kind, metadata } = desired;
  const name = `${metadata.namespace ?? ''}/${metadata.name}`;
  const other = isManaged(observed) ? workNameOf(observed) : undefined;
  if (other !== undefined) {
    throw new Error(
      `resource(kind=${kind}, ${name}) in the cluster ${cluster} is managed by another federation, by the Work ${other}, and the ${conflictResolutionAnnotation} strategy is not overwrite`,
    );
  }
  throw new Error(
    `resource(kind=${kind}, ${name}) already exists in the cluster ${cluster} and the ${conflictResolutionAnnotation} strategy value is empty, it is not managed by the federation`,
  );
}
