/** A product on the bed whose cache holds everything of its members. */

import type { Api } from '../api.ts';
import type { Member } from '../member.ts';
import { addAnswers, answersIn, type CountedAnswers } from './answers.ts';
import { type AskedProduct, type Collection, collectionsOf, registryFor, untilFilled } from './everything.ts';

export interface CachedProduct {
  /** As its admin. */
  api: Api;
  controlPlaneApi: Api;
}

/** What was registered of each member, by control plane. */
const registered = new WeakMap<Member, Map<string, readonly Collection[]>>();

/** Answers that only showed that the cache is filled, by product: of one that is killed nothing counts. */
const whileFilling = new WeakMap<Api, CountedAnswers>();

/** Of a member that was joined. */
export async function cacheEverything(
  product: CachedProduct,
  controlPlane: Member,
  member: Member,
  name: string,
): Promise<void> {
  const collections = await collectionsOf((path) => member.api.object(path));
  const { path, object } = registryFor(name, collections);
  await product.controlPlaneApi.object(`${path}?fieldManager=bed&force=true`, {
    method: 'PATCH',
    contentType: 'application/apply-patch+yaml',
    body: object,
  });
  registered.set(controlPlane, (registered.get(controlPlane) ?? new Map()).set(name, collections));
  await fill(product, name, collections);
}

/** One more product on the control plane, or one that was restarted. */
export async function untilAllFilled(product: CachedProduct, controlPlane: Member): Promise<void> {
  for (const [name, collections] of registered.get(controlPlane) ?? []) {
    await fill(product, name, collections);
  }
}

async function fill(product: CachedProduct, member: string, collections: readonly Collection[]): Promise<void> {
  const { cached, live } = await untilFilled(asked(product), member, collections);
  const before = whileFilling.get(product.api) ?? { cached: 0, live: 0 };
  whileFilling.set(product.api, { cached: before.cached + cached, live: before.live + live });
}

/** Before it ends: they end with it. */
export async function tallyAnswers({ api }: Pick<CachedProduct, 'api'>): Promise<void> {
  const { cached, live } = answersIn(await asked({ api }).metrics());
  const filling = whileFilling.get(api) ?? { cached: 0, live: 0 };
  addAnswers({ cached: cached - filling.cached, live: live - filling.live });
}

const asked = ({ api }: Pick<CachedProduct, 'api'>): AskedProduct => ({
  list: (path) => api.ask(path),
  metrics: async () => (await api.ask('/metrics')).body,
});
