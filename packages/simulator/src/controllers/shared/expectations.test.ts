import type { Informer } from '@fleet/client/informer.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { describe, expect, it } from 'vitest';
import { Expectations } from './expectations.ts';
import { slowStart } from './slow-start.ts';

/** An informer that lags behind until the test lets it catch up. */
function lagging() {
  const objects = new Map<string, KubeObject>();
  const waiting: { test: () => boolean; resolve: () => void }[] = [];
  const informer = {
    version: 5,
    get: (key: string) => objects.get(key),
    until: (test: () => boolean) => new Promise<void>((resolve) => waiting.push({ test, resolve })),
  };
  const see = (version: number): void => {
    informer.version = version;
    for (const { test, resolve } of waiting) if (test()) resolve();
  };
  return { informer: informer as unknown as Informer<KubeObject>, objects, see };
}

const object = (version: string): KubeObject => ({
  metadata: { name: 'p', namespace: 'd', uid: 'u', resourceVersion: version },
});

describe('Expectations', () => {
  it('waits until what was written is seen', async () => {
    const { informer, see } = lagging();
    const expectations = new Expectations(new AbortController().signal);
    expectations.wrote('d/owner', informer, object('7'));
    let isSettled = false;
    const settled = expectations.settled('d/owner').then(() => {
      isSettled = true;
    });
    see(6);
    await Promise.resolve();
    expect(isSettled).toBe(false);
    see(7);
    await settled;
    await expectations.settled('d/owner');
    await expectations.settled('d/other');
  });

  it('waits until what was deleted is gone, or going', async () => {
    const { informer, objects, see } = lagging();
    objects.set('d/p', object('4'));
    const expectations = new Expectations(new AbortController().signal);
    expectations.deleted('d/owner', informer, object('4'));
    const settled = expectations.settled('d/owner');
    objects.delete('d/p');
    see(8);
    await settled;
  });
});

it('doubles batches, and ends with the one in which something failed', async () => {
  const began: number[] = [];
  const act = async (index: number): Promise<void> => {
    began.push(index);
    if (index === 4) throw new Error('no more');
  };
  await expect(slowStart(100, act)).rejects.toThrow('no more');
  expect(began).toEqual([0, 1, 2, 3, 4, 5, 6]);
  began.length = 0;
  await slowStart(3, act);
  expect(began).toEqual([0, 1, 2]);
});
