/** Finds what the tour shows and a kept demo does not have any more, because users changed it. */

import { isStatus, type KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { cartVersions, outdatedCart, shop } from './shop.ts';
import type { Need } from './tour.ts';

interface Workload extends KubeObject {
  spec: { replicas?: number; template: { spec: { containers: { image: string }[] } } };
}

export interface TouredMember {
  name: string;
  client: KubeClient;
  /** Whether the fleet has it, under this name. */
  isJoined: boolean;
}

/** Nothing, of a demo as it was made. */
export async function lostOf(members: readonly TouredMember[], signal: AbortSignal): Promise<ReadonlySet<Need>> {
  if (!members.every(({ isJoined }) => isJoined)) return new Set(['members', 'shop', 'outdated cart']);
  const shops = await Promise.all(members.map((member) => lookAt(member, signal)));
  if (!shops.every(({ isOpen }) => isOpen)) return new Set(['shop', 'outdated cart']);
  return new Set(shops.every(({ hasItsCart }) => hasItsCart) ? [] : ['outdated cart']);
}

async function lookAt({ name, client }: TouredMember, signal: AbortSignal) {
  const get = (plural: string, app: string) =>
    client.get<Workload>(`/apis/apps/v1/namespaces/${shop}/${plural}/${app}`, signal).catch((error: unknown) => {
      if (isStatus(error, 404)) return undefined;
      throw error;
    });
  const [frontend, cart, database] = await Promise.all([
    get('deployments', 'frontend'),
    get('deployments', 'cart'),
    get('statefulsets', 'orders-db'),
  ]);
  const version = name === outdatedCart ? cartVersions.outdated : cartVersions.current;
  return {
    isOpen: frontend?.spec.replicas === 3 && database?.spec.replicas === 1,
    hasItsCart: cart?.spec.template.spec.containers[0]?.image.endsWith(`:${version}`) ?? false,
  };
}
