/**
 * Installs the ValidatingAdmissionPolicies of federation in an existing control plane, and restores those that somebody has changed or
 * deleted (FED-2, FED-24).
 */

import { Informer } from '@fleet/client/informer.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { covers } from '@fleet/kube/covers.ts';
import type { AnyObject } from '../api/objects.ts';
import type { PipelineLog } from '../pipeline.ts';
import { validatingPolicies } from './validating-policy.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const collections = {
  ValidatingAdmissionPolicy: `${group}/validatingadmissionpolicies`,
  ValidatingAdmissionPolicyBinding: `${group}/validatingadmissionpolicybindings`,
} as const;
const collectionOf = ({ kind }: AnyObject): string => collections[kind as keyof typeof collections];
const pathOf = (object: AnyObject): string => `${collectionOf(object)}/${object.metadata.name}`;

export interface KeptPolicies {
  client: KubeClient;
  log: PipelineLog;
}

/** Nothing is kept where the control plane does not serve such policies, or the product may not read them: that is logged. */
export async function keepValidatingPolicies({ client, log }: KeptPolicies): Promise<AsyncDisposable> {
  if (!(await isReadable(client, log))) return { [Symbol.asyncDispose]: async () => {} };
  const onError = (error: unknown) => log.warn({ err: error }, 'a validating admission policy could not be kept');
  const queue = new WorkQueue<AnyObject>({
    onError,
    longestRetryMillis: 5 * 60_000,
    async work(object) {
      await ensure(client, object);
      return true;
    },
  });
  const informers = Object.values(collections).map((path) => {
    const own = validatingPolicies.filter((object) => collectionOf(object) === path);
    return new Informer<AnyObject>({
      client,
      path,
      onError,
      onChange: (name) => {
        for (const object of own) if (object.metadata.name === name) queue.add(pathOf(object), object);
      },
    });
  });
  for (const object of validatingPolicies) queue.add(pathOf(object), object);
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(informers.map((informer) => informer[Symbol.asyncDispose]()));
      await queue[Symbol.asyncDispose]();
    },
  };
}

/** Deletes the policies of the product. It is no error if there are none, or if the product is not allowed to delete them. */
export async function removeValidatingPolicies(client: KubeClient): Promise<void> {
  // The binding first: without its policy it would refuse what it matches.
  for (const object of validatingPolicies.toReversed()) {
    await client.delete(pathOf(object)).catch((error: unknown) => {
      if (!isStatus(error, 404) && !isStatus(error, 403)) throw error;
    });
  }
}

async function isReadable(client: KubeClient, log: PipelineLog): Promise<boolean> {
  try {
    for (const path of Object.values(collections)) await client.get(`${path}?limit=1`);
    return true;
  } catch (error) {
    if (!isStatus(error, 403) && !isStatus(error, 404)) throw error;
    const why = isStatus(error, 404) ? 'the control plane does not serve them' : 'the product may not read them';
    log.warn(
      { err: error },
      `no ValidatingAdmissionPolicies for federation: ${why}. Faults are refused by schemas alone`,
    );
    return false;
  }
}

async function ensure(client: KubeClient, object: AnyObject): Promise<void> {
  const path = pathOf(object);
  const found = await client.get<AnyObject>(path).catch((error: unknown) => {
    if (!isStatus(error, 404)) throw error;
    return undefined;
  });
  if (!found) await client.create(collectionOf(object), object);
  else if (!covers(found, object))
    await client.patch(path, 'merge', { metadata: object.metadata, spec: object['spec'] });
}
