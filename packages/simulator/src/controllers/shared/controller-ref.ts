/** Owner references: which controller owns an object, and how controllers adopt and release objects. */

import type { Informer } from '@fleet/client/informer.ts';
import { isStatus, type KubeClient, type KubeObject, type OwnerReference } from '@fleet/client/kube-client.ts';
import { byController, orphansByNamespace } from '@fleet/client/object-index.ts';
import { Pace } from '@fleet/client/pace.ts';
import { pathSegment } from '../../path-segment.ts';

/** Kind and path of owners. */
export interface ControllerKind {
  apiVersion: string;
  kind: string;
  /** For example `apis/apps/v1`. */
  root: string;
  resource: string;
}

export const listPath = ({ root, resource }: Pick<ControllerKind, 'root' | 'resource'>): string =>
  `/${root}/${resource}`;

export const pathOf = (
  { root, resource }: Pick<ControllerKind, 'root' | 'resource'>,
  { namespace }: { namespace?: string },
  name?: string,
): string => `/${root}/namespaces/${namespace}/${resource}${name === undefined ? '' : `/${pathSegment(name)}`}`;

export const podPaths = { root: 'api/v1', resource: 'pods' };

export const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller);

export const controllerRef = (
  { apiVersion, kind }: Pick<ControllerKind, 'apiVersion' | 'kind'>,
  { metadata }: KubeObject,
): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata.name,
  uid: metadata.uid!,
  controller: true,
  blockOwnerDeletion: true,
});

export interface Claiming {
  client: KubeClient;
  signal: AbortSignal;
  kind: ControllerKind;
  owner: KubeObject;
  /** The path of the claimed objects. */
  paths: Pick<ControllerKind, 'root' | 'resource'>;
  matches(object: KubeObject): boolean;
  /** Added at adoption, removed at release. */
  finalizers?: readonly string[];
  onWrite(object: KubeObject): void;
}

/** Objects that the owner has or may adopt. */
export const candidates = <T extends KubeObject>(informer: Informer<T>, { metadata }: KubeObject): T[] => [
  ...informer.index('controller', byController).get(metadata.uid!),
  ...informer.index('orphans', orphansByNamespace).get(metadata.namespace ?? ''),
];

/** The objects that belong to the owner: adopts matching orphans, and releases those that no longer match. */
export async function claim<T extends KubeObject>(objects: Iterable<T>, claiming: Claiming): Promise<T[]> {
  const { owner, matches } = claiming;
  const claimed: T[] = [];
  let canAdopt: Promise<void> | undefined;
  const pace = new Pace();
  for (const object of objects) {
    if (pace.isDue) await pace.rest();
    const ref = controllerOf(object);
    if (ref) {
      if (ref.uid !== owner.metadata.uid) continue;
      if (matches(object)) claimed.push(object);
      else if (!owner.metadata.deletionTimestamp) await release(object, claiming);
      continue;
    }
    if (owner.metadata.deletionTimestamp || !matches(object) || object.metadata.deletionTimestamp) continue;
    canAdopt ??= recheckDeletion(claiming);
    await canAdopt;
    if (await adopt(object, claiming)) claimed.push(object);
  }
  return claimed;
}

/** The cached owner may have been deleted: then its orphans must not be adopted. */
async function recheckDeletion({ client, signal, kind, owner: { metadata } }: Claiming): Promise<void> {
  const fresh = await client.get<KubeObject>(pathOf(kind, metadata, metadata.name), signal);
  if (fresh.metadata.uid !== metadata.uid) {
    throw new Error(`original ${kind.kind} ${metadata.namespace}/${metadata.name} is gone`);
  }
  if (fresh.metadata.deletionTimestamp) {
    throw new Error(
      `${metadata.namespace}/${metadata.name} has just been deleted at ${fresh.metadata.deletionTimestamp}`,
    );
  }
}

/** Returns whether it still exists. */
async function adopt({ metadata }: KubeObject, claiming: Claiming): Promise<boolean> {
  const { kind, owner, finalizers } = claiming;
  return patch(metadata, claiming, {
    metadata: {
      uid: metadata.uid,
      ownerReferences: [controllerRef(kind, owner)],
      ...(finalizers ? { finalizers } : {}),
    },
  });
}

async function release({ metadata }: KubeObject, claiming: Claiming): Promise<void> {
  await patch(metadata, claiming, {
    metadata: {
      uid: metadata.uid,
      ownerReferences: [{ $patch: 'delete', uid: claiming.owner.metadata.uid }],
      ...(claiming.finalizers ? { '$deleteFromPrimitiveList/finalizers': claiming.finalizers } : {}),
    },
  });
}

async function patch(
  metadata: KubeObject['metadata'],
  { client, signal, paths, onWrite }: Claiming,
  body: unknown,
): Promise<boolean> {
  try {
    onWrite(await client.patch<KubeObject>(pathOf(paths, metadata, metadata.name), 'strategic', body, signal));
    return true;
  } catch (error) {
    // Deleted, or replaced by another object of that name.
    if (isStatus(error, 404) || isStatus(error, 422)) return false;
    throw error;
  }
}
