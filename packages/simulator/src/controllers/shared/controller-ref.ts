/** Which controller an object belongs to, and how controllers adopt and release objects. */

import type { Informer } from '@fleet/client/informer.ts';
import { isStatus, type KubeClient, type KubeObject, type OwnerReference } from '@fleet/client/kube-client.ts';
import { byController, orphansByNamespace } from '@fleet/client/object-index.ts';
import { Pace } from '@fleet/client/pace.ts';
import { pathSegment } from '../../path-segment.ts';

/** Kind and path of objects that control others. */
export interface ControllerKind {
  apiVersion: string;
  kind: string;
  /** As in `apis/apps/v1`. */
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
  /** Where the claimed objects are. */
  paths: Pick<ControllerKind, 'root' | 'resource'>;
  matches(object: KubeObject): boolean;
  /** Added at adoption, removed at release. */
  finalizers?: readonly string[];
  onWrite(object: KubeObject): void;
}

/** What the owner has, and what it may adopt. */
export const candidates = <T extends KubeObject>(informer: Informer<T>, { metadata }: KubeObject): T[] => [
  ...informer.index('controller', byController).get(metadata.uid!),
  ...informer.index('orphans', orphansByNamespace).get(metadata.namespace ?? ''),
];

/** Those that belong to the owner: adopts orphans that match, releases what does not match any more. */
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

/** A cached owner may be gone already: then its orphans stay orphans. */
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

/** Whether it is still there. */
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
    // Gone, or another object of that name.
    if (isStatus(error, 404) || isStatus(error, 422)) return false;
    throw error;
  }
}
