/** A product on the bed whose cache holds everything of its members. */

import type { Api } from '../api.ts';
import type { Member } from '../member.ts';
import { addAnswers, answersIn } from './answers.ts';
import { type AskedProduct, type Collection, collectionsOf, registryFor, untilFilled } from './everything.ts';

export interface CachedProduct {
  /** As its admin. */
  api: Api;
  controlPlaneApi: Api;
}

/** What was registered of each member, by control plane. */
const registered = new WeakMap<Member, Map<string, readonly Collection[]>>();

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
  await untilFilled(asked(product), name, collections);
}

/** One more product on the control plane, or one that was restarted. */
export async function untilAllFilled(product: CachedProduct, controlPlane: Member): Promise<void> {
  for (const [name, collections] of registered.get(controlPlane) ?? []) {
    await untilFilled(asked(product), name, collections);
  }
}

/** Before it ends: they end with it. */
export const tallyAnswers = async (product: Pick<CachedProduct, 'api'>): Promise<void> =>
  addAnswers(answersIn(await asked(product).metrics()));

const asked = ({ api }: Pick<CachedProduct, 'api'>): AskedProduct => ({
  list: (path) => api.ask(path),
  metrics: async () => (await api.ask('/metrics')).body,
});
