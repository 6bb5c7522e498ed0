import { expect, it } from 'vitest';
import type { KubeObject } from '../../registry/kube-object.ts';
import { Registry } from '../../registry/registry.ts';
import { LocalStore } from '../../store/local-store.ts';
import { MemoryEngine } from '../../store/memory/memory-engine.ts';
import { wrappedStore } from '../../store/testing/wrapped-store.ts';
import { kindHooks } from '../kind-hooks.ts';
import { services } from './kind.ts';

it('two threads that allocate at once do not keep each other from writing', async () => {
  const store = new LocalStore(new MemoryEngine());
  const isDone = { a: false, b: false };
  const reads = { a: 0, b: 0 };
  let writes = 0;
  let wake = Promise.withResolvers<void>();
  const progress = () => {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };
  // The worst order: each writes its Service after the other has started.
  const threadOf = (own: 'a' | 'b', other: 'a' | 'b') => {
    let seen = 0;
    return wrappedStore(store, {
      async range(query) {
        const range = await store.range(query);
        seen = reads[other];
        reads[own] += 1;
        progress();
        return range;
      },
      async write(write) {
        if (!write.key.startsWith('/registry/services/')) return store.write(write);
        writes += 1;
        if (writes > 20) throw new Error('each makes the other begin again');
        while (reads[other] === seen && !isDone[other]) await wake.promise;
        return store.write(write);
      },
    });
  };
  const create = async (own: 'a' | 'b', other: 'a' | 'b') => {
    const thread = threadOf(own, other);
    const registry = Registry.unwatched(thread, services, kindHooks(thread)(services));
    const service = { metadata: { name: own }, spec: { ports: [{ port: 80 }] } } as unknown as KubeObject;
    services.strategy.complete?.(service);
    const made = await registry.create(service, { namespace: 'default' });
    isDone[own] = true;
    progress();
    return (made['spec'] as { clusterIP: string }).clusterIP;
  };
  const addresses = await Promise.all([create('a', 'b'), create('b', 'a')]);
  expect(new Set(addresses).size).toBe(2);
  expect(writes).toBe(3);
});
