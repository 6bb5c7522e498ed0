/** Adds a warning to writes of a ResourceRegistry with an unsupported backend store, which is accepted and not used (CACHE-1). */

import type { Reply } from '../http/message.ts';
import { type Warned, warnedWrite } from '../pass/warned-write.ts';
import type { PlacelessTarget } from '../target/target.ts';
import { foreignStores, type ResourceRegistry } from './resource-registry.ts';

const stores: Warned<ResourceRegistry> = {
  isAbout: ({ group, resource }) => group === 'search.karmada.io' && resource === 'resourceregistries',
  warningsOf: (registry) =>
    foreignStores(registry).map((store) => `spec.backendStore.${store} is not supported: objects are kept in memory`),
};

export const warnedOfStores = (target: PlacelessTarget, reply: Reply): Promise<Reply> =>
  warnedWrite(stores, target, reply);
