/** Puts the storefront into the control plane of a demo, and files for its tour beside it. */

import { join } from 'node:path';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { makeFolder } from '@fleet/client/make-folder.ts';
import { writePrivate } from '@fleet/client/private-file.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import { printYaml } from '../output.ts';
import { poll } from '../poll.ts';
import { fault, faultName, replicas, storefront, storefrontObjects, template } from './storefront.ts';

const own = `namespaces/${storefront}`;
const collections: Record<string, string> = {
  Namespace: '/api/v1/namespaces',
  Deployment: `/apis/apps/v1/${own}/deployments`,
  PropagationPolicy: `/apis/policy.karmada.io/v1alpha1/${own}/propagationpolicies`,
  OverridePolicy: `/apis/policy.karmada.io/v1alpha1/${own}/overridepolicies`,
};
const templatePath = `${collections['Deployment']}/${storefront}`;

/** In milliseconds. A demo that is slow is a demo all the same. */
const patience = 30_000;

interface Deployment extends AnyObject {
  spec: { replicas?: number };
  status?: { readyReplicas?: number };
}

export async function createStorefront(controlPlane: KubeClient, signal: AbortSignal): Promise<void> {
  for (const object of storefrontObjects) {
    await controlPlane.create(collections[object.kind]!, object, signal).catch((error: unknown) => {
      // Made by a start that was killed.
      if (!isStatus(error, 409)) throw error;
    });
  }
}

/** Returns the note for the progress line. */
export async function storefrontOpened(controlPlane: KubeClient, signal: AbortSignal): Promise<string> {
  const end = Date.now() + patience;
  const isOpen = await poll(
    async () => {
      const { spec, status } = await controlPlane.get<Deployment>(templatePath, signal);
      return (status?.readyReplicas ?? 0) >= (spec.replicas ?? 1) ? true : Date.now() > end ? false : undefined;
    },
    { deadline: 2 * patience, signal, late: () => new Error('the storefront cannot be read') },
  );
  return isOpen ? 'open in all of them' : 'not open yet';
}

/** Whether the tour can show what it promises: users of a kept demo may have changed it. */
export async function isStorefrontAsMade(controlPlane: KubeClient, signal: AbortSignal): Promise<boolean> {
  const get = <T>(path: string) =>
    controlPlane.get<T>(path, signal).catch((error: unknown) => {
      if (isStatus(error, 404)) return undefined;
      throw error;
    });
  const [made, broken] = await Promise.all([
    get<Deployment>(templatePath),
    get(`${collections['OverridePolicy']}/${faultName}`),
  ]);
  return made?.spec.replicas === replicas.made && broken === undefined;
}

/** The folder with them. */
export async function writeTourFiles(directory: string): Promise<string> {
  const folder = join(directory, 'federation');
  await makeFolder(folder);
  await writePrivate(join(folder, 'more.yaml'), printYaml(template(replicas.scaled)));
  await writePrivate(join(folder, 'fault.yaml'), printYaml(fault));
  return folder;
}
