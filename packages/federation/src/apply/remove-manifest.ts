/** Deletes a member's object when its Work is deleted, or keeps it without the marks of the federation (FED-9). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '../api/objects.ts';
import type { Work } from '../api/works.ts';
import type { Templates } from '../templates/templates.ts';
import { isManaged, withoutMarks, workNameOf } from '../work/marks.ts';
import { memberPathOf } from './member-path.ts';

export interface RemoveParts {
  templates: Pick<Templates, 'kinds'>;
  cluster: string;
  member: KubeClient;
}

export async function removeManifest(
  { templates, member }: RemoveParts,
  { spec, metadata }: Work,
  manifest: AnyObject,
): Promise<void> {
  // The member may still serve a kind that the control plane no longer serves.
  const path = templates.kinds.pathOf({ ...manifest, ...manifest.metadata }) ?? (await memberPathOf(member, manifest));
  if (path === undefined) return;
  try {
    const observed = await member.get<AnyObject>(path);
    // The object belongs to another Work now, or is not managed.
    if (!isManaged(observed) || workNameOf(observed) !== `${metadata.namespace}/${metadata.name}`) return;
    if (spec.preserveResourcesOnDeletion) {
      await member.replace(path, withoutMarks(observed));
      return;
    }
    const preconditions = observed.metadata.uid ? { uid: observed.metadata.uid } : {};
    // In the background, as a Job would otherwise leave its pods.
    const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background', preconditions };
    await member.delete(path, options);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
}
