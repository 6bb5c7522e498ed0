/** Creates the shop in a cluster. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { ShopObject } from './shop.ts';

/** Creates what is not there yet: in a cluster that was kept, all of it is. */
export async function createShop(
  client: KubeClient,
  objects: readonly ShopObject[],
  signal: AbortSignal,
): Promise<void> {
  const create = ({ collection, object }: ShopObject) =>
    client.create(collection, object, signal).catch((error: unknown) => {
      if (!isStatus(error, 409)) throw error;
    });
  const isNamespace = ({ object }: ShopObject) => object.kind === 'Namespace';
  await Promise.all(objects.filter(isNamespace).map(create));
  await Promise.all(objects.filter((object) => !isNamespace(object)).map(create));
}
