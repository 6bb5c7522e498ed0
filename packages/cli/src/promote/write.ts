/** Writes a promotion: the policy first, so that no other one takes the template. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { clusterPropagationPoliciesPath, inNamespace, propagationPoliciesPath } from '@fleet/federation/api/paths.ts';
import { HintedError } from '../errors.ts';
import { objectText } from '../federation-texts.ts';
import type { Promotion } from './promotion.ts';

/** `collection`: of the template. */
export async function writePromotion(
  controlPlane: KubeClient,
  { template, policy }: Promotion,
  collection: string,
): Promise<void> {
  const { namespace, name } = policy.metadata;
  const policies = namespace ? inNamespace(propagationPoliciesPath, namespace) : clusterPropagationPoliciesPath;
  const made = await controlPlane.create<AnyObject>(policies, policy);
  try {
    await controlPlane.create(collection, template);
  } catch (error) {
    const preconditions = { uid: made.metadata.uid };
    await controlPlane.delete(`${policies}/${name}`, { apiVersion: 'v1', kind: 'DeleteOptions', preconditions });
    throw error;
  }
}

/** What the control plane would store. Nothing is written. */
export async function defaulted(controlPlane: KubeClient, template: AnyObject, collection: string): Promise<AnyObject> {
  try {
    const { apiVersion, kind } = template;
    return { ...(await controlPlane.create<AnyObject>(`${collection}?dryRun=All`, template)), apiVersion, kind };
  } catch (error) {
    throw isStatus(error, 409) ? alreadyThere(template, error) : error;
  }
}

const alreadyThere = (template: AnyObject, cause: unknown): HintedError =>
  new HintedError(
    `the control plane has a ${objectText(template)} already`,
    'With conflictResolution: Overwrite in its policy it takes over what members have',
    { cause },
  );
