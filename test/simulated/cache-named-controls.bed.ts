/** Negative controls of named requests from the cache: each check notices the bug that it is for (docs/adr/0007). */

import type { Mutant } from '@fleet/bed/mutant.ts';
import { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { grant } from './src/granting.ts';
import { maps, type NamedScene, startNamedScene, untilCached } from './src/named-scene.ts';
import { type Product, startProduct } from './src/product.ts';
import { endpoint } from './src/registering.ts';
import { send } from './src/send.ts';

interface Control extends Mutant {
  bug: string;
  /** What a product does wrong; undefined where it does not. */
  finds(at: (user?: string) => Promise<KubeConfig>): Promise<string | undefined>;
}

const get = (name: string) => ({ path: `${endpoint}${maps}/${name}` });

const controls: readonly Control[] = [
  {
    bug: 'a GET of a user without permission served from the cache',
    file: 'server/src/cache/cached-objects.ts',
    from: "allowed.ask('get',",
    to: "allowed.ask('list',",
    finds: async (at) => {
      const { status } = await send(await at('lister'), get('only-member1'));
      return status === 200 ? 'whoever may list may get' : undefined;
    },
  },
  {
    bug: 'a find that ignores an unhealthy member',
    file: 'server/src/cache/cached-object.ts',
    from: 'if (!yes || yes.isOld || !feed.isFresh()) return undefined;',
    to: 'if (!yes) return undefined;',
    finds: async (at) => {
      const { path } = get('only-member1');
      const { status } = await send(await at(), { method: 'DELETE', path: `${path}?dryRun=All` });
      return status === 503 ? undefined : `a write was answered ${status}`;
    },
  },
  {
    bug: 'a stale GET without a warning',
    file: 'server/src/cache/object-upstream.ts',
    from: '...(warning === undefined ? {} : { warning: [warningHeader(warning)] }),',
    to: '',
    finds: async (at) => {
      const { status, warnings } = await send(await at(), get('only-member3'));
      return status === 200 && !warnings.includes('member3') ? 'no warning' : undefined;
    },
  },
];

describe('negative controls', () => {
  const products = new Map<string, Product>();
  let scene: NamedScene;
  beforeAll(async () => {
    scene = await startNamedScene();
    await grant(scene.fleet.controlPlane, 'lister', 'lister', [
      { apiGroups: ['search.karmada.io'], resources: ['proxying/proxy'], verbs: ['*'] },
    ]);
    await grant(scene.clientOf('member1'), 'lister', 'lister', [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] },
    ]);
    const { product } = scene.fleet;
    // What it writes is whole on disk; so is a copy, while it writes nothing.
    product.signal('SIGSTOP');
    try {
      for (const { bug, file, from, to } of controls) {
        products.set(bug, await startProduct({ mutant: { file, from, to }, copyOf: product.dataDir }));
      }
    } finally {
      product.signal('SIGCONT');
    }
    for (const { url } of [product, ...products.values()]) {
      const admin = await userAt(url)();
      await untilCached(admin);
      // The yes by which an unreachable member's object is shown.
      expect(await send(admin, get('only-member3'))).toMatchObject({ status: 200 });
    }
    await scene.fleet.members.get('member3')![Symbol.asyncDispose]();
    for (const { url } of [product, ...products.values()]) {
      await vi.waitUntil(async () => (await send(await userAt(url)(), freshGet)).status === 503, {
        timeout: 60_000,
        interval: 100,
      });
    }
  }, 600_000);
  afterAll(async () => {
    for (const product of products.values()) await product[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  const freshGet = { path: `${get('only-member3').path}?fresh=true` };

  /** The same users at another product of the same CA. */
  const userAt =
    (url: string) =>
    async (name?: string): Promise<KubeConfig> => {
      const config = await scene.fleet.config(name === undefined ? undefined : { name });
      const other = new KubeConfig();
      other.loadFromString(config.exportConfig().replaceAll(scene.fleet.product.url, url));
      return other;
    };

  it.each(controls)('$bug: noticed, and not found without it', async ({ bug, finds }) => {
    expect(await finds(userAt(scene.fleet.product.url))).toBeUndefined();
    expect(await finds(userAt(products.get(bug)!.url))).toBeDefined();
  });
});
