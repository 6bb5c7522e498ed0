/** Side effects of writes to some kinds, in addition to their strategy: the same on every thread that writes to the store. */

import { StatusError } from '@fleet/kube/status.ts';
import { Registry } from '../registry/registry.ts';
import type { WriteHooks } from '../registry/resource-context.ts';
import type { ResourceKind } from '../registry/resource-kind.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { endpoints } from './endpoints/kind.ts';
import { ServiceAllocation } from './services/allocation.ts';
import { services } from './services/kind.ts';

export function kindHooks(store: ObjectStore): (kind: ResourceKind) => WriteHooks {
  const { claim } = new ServiceAllocation(store);
  const removed = Registry.unwatched(store, endpoints);
  const forServices: WriteHooks = {
    claim,
    // So that a new Service of this name does not start with its endpoints.
    afterDelete: async ({ metadata: { name, namespace } }) => {
      await removed.delete(name!, { namespace }).catch((error: unknown) => {
        if (!(error instanceof StatusError && error.code === 404)) throw error;
      });
    },
  };
  return (kind) => (kind === services ? forServices : {});
}
