import { describe, expect, it, onTestFinished } from 'vitest';
import type { ObjectRegistry } from '../registry/registry.ts';
import { openServer } from '../testing/open-server.ts';
import { emptyNamespaces } from './emptying.ts';

/** Synchronous work that takes so many milliseconds. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const kinds = 10;

/** Kinds of which each namespace has an object, and whose deletion takes long. */
function heldContents(onLook: () => void): ObjectRegistry[] {
  const kind = { group: '', resource: 'things' };
  const entries = [{ value: Buffer.from('{"metadata":{"name":"a","finalizers":["example.com/hold"]}}') }];
  const deleteCollection = async () => {
    onLook();
    work(2);
  };
  const held = { kind, deleteCollection, list: async () => ({ entries }) };
  return Array.from({ length: kinds }, () => held as unknown as ObjectRegistry);
}

describe('namespaces that are going', () => {
  it('LIMIT-3: those that are held leave turns of the event loop to others, however many they are', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `held-${index}`);
    const { ask, server } = await openServer();
    for (const name of names) {
      const spec = { finalizers: ['example.com/hold'] };
      await ask('POST', '/api/v1/namespaces', { metadata: { name }, spec });
      await ask('DELETE', `/api/v1/namespaces/${name}`);
    }
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    let looks = 0;
    let inOneTurn = 0;
    const contents = heldContents(() => {
      looks += 1;
      inOneTurn += 1;
    });
    let most = 0;
    const turn = (): void => {
      most = Math.max(most, inOneTurn);
      inOneTurn = 0;
      if (!ending.signal.aborted) setImmediate(turn);
    };
    turn();
    void emptyNamespaces({
      namespaces: server.resources.find({ group: '', version: 'v1', resource: 'namespaces' })!.registry,
      contents: () => contents,
      signal: ending.signal,
      onError: () => {},
      retryMillis: 1,
    });
    // Each was processed more than once, all of them concurrently after the first time.
    await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(3 * names.length * kinds);
    expect(most).toBeLessThan(20);
  });
});
