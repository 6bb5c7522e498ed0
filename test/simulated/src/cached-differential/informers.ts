/** The informers of a run, and what members have of what they follow. */

import type { KubeList, KubeObject } from '@fleet/client/kube-client.ts';
import type { SimulatedFleet } from '../fleet.ts';
import { endpoint } from '../registering.ts';
import { type Connection, withQuery } from './connection.ts';
import { type Held, Informer } from './informer.ts';
import { collectionOf, namespaces, type Resource, resourceOf } from './kinds.ts';
import { membersWithWidgets } from './scene.ts';

interface Followed {
  view: string;
  resource: Resource;
  namespace?: string;
  selectors: Record<string, string>;
  metadataOnly?: boolean;
  streams?: boolean;
}

const followed: readonly Followed[] = [
  { view: '', resource: resourceOf('configmaps'), selectors: {} },
  { view: '', resource: resourceOf('configmaps'), selectors: { labelSelector: 'part=a' } },
  { view: '', resource: resourceOf('pods'), selectors: { fieldSelector: 'status.phase=Running' } },
  { view: '', resource: resourceOf('widgets'), selectors: { labelSelector: 'part in (a,b)' } },
  { view: endpoint, resource: resourceOf('services'), selectors: {} },
  { view: '', resource: resourceOf('deployments'), selectors: {}, streams: true },
  { view: '', resource: resourceOf('services'), selectors: { labelSelector: '!part' }, metadataOnly: true },
  { view: '/clusterspaces/all', resource: resourceOf('events'), namespace: namespaces[0]!, selectors: {} },
];

export interface FollowedInformer extends Followed {
  informer: Informer;
}

/** `plurals`: of which resources; all if left out. */
export const startInformers = (
  fleet: SimulatedFleet,
  to: Connection,
  plurals?: readonly string[],
): FollowedInformer[] =>
  followed
    .filter(({ resource }) => !plurals || plurals.includes(resource.plural))
    .map((one) => {
      const { view, resource, namespace, selectors, metadataOnly, streams } = one;
      const isThere = (held: Held) => isUnchanged(fleet, resource, held);
      const path = `${view}${collectionOf(resource, namespace)}`;
      return { ...one, informer: new Informer({ to, path, selectors, metadataOnly, streams, isThere }) };
    });

async function isUnchanged(fleet: SimulatedFleet, resource: Resource, held: Held): Promise<boolean> {
  const { client } = fleet.members.get(held.cluster)!;
  const path = `${collectionOf(resource, held.namespace)}/${held.name}`;
  // A member that is being stopped proves nothing about it.
  const object = await client.get<KubeObject>(path).catch(() => undefined);
  return object?.metadata.uid === held.uid && object.metadata.resourceVersion === held.version;
}

/** What all members have, as `uid version`. */
export async function inMembers(
  fleet: SimulatedFleet,
  { resource, namespace, selectors }: Followed,
): Promise<string[]> {
  const having = [...fleet.members.values()].filter(
    ({ name }) => resource.kind !== 'Widget' || membersWithWidgets.includes(name),
  );
  const lists = await Promise.all(
    having.map(({ client }) => client.list<KubeObject>(withQuery(collectionOf(resource, namespace), selectors))),
  );
  const texts = ({ items }: KubeList<KubeObject>) =>
    items.map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`);
  return lists.flatMap(texts).toSorted();
}

export const heldBy = ({ informer }: FollowedInformer): string[] =>
  [...informer.held.values()].map(({ uid, version }) => `${uid} ${version}`).toSorted();
