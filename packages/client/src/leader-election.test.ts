import { setImmediate as turn } from 'node:timers/promises';
import { StatusError } from '@fleet/kube/status.ts';
import { describe, expect, test } from 'vitest';
import type { KubeClient } from './kube-client.ts';
import { LeaderElection } from './leader-election.ts';
import { ManualClock } from './testing/manual-clock.ts';

interface Lease {
  metadata: { name: string; resourceVersion: string };
  spec: { holderIdentity: string; leaseTransitions?: number };
}

/** One Lease with compare-and-set; `hangs` lets requests wait for ever. */
function leases() {
  let lease: Lease | undefined;
  let version = 0;
  const server = {
    hangs: new Set<KubeClient>(),
    get lease() {
      return lease;
    },
    client(): KubeClient {
      const answer = <T>(client: KubeClient, signal: AbortSignal | undefined, make: () => T): Promise<T> =>
        server.hangs.has(client)
          ? new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
          : Promise.resolve().then(make);
      const client = {
        get: (_path: string, signal?: AbortSignal) =>
          answer(client, signal, () => {
            if (!lease) throw new StatusError(404, 'NotFound', 'no lease');
            return structuredClone(lease);
          }),
        create: (_path: string, object: Lease, signal?: AbortSignal) =>
          answer(client, signal, () => {
            if (lease) throw new StatusError(409, 'AlreadyExists', 'there is one');
            lease = { ...object, metadata: { name: 'x', resourceVersion: String(++version) } };
            return lease;
          }),
        replace: (_path: string, object: Lease, signal?: AbortSignal) =>
          answer(client, signal, () => {
            if (lease?.metadata.resourceVersion !== object.metadata.resourceVersion) {
              throw new StatusError(409, 'Conflict', 'another version');
            }
            lease = { ...object, metadata: { name: 'x', resourceVersion: String(++version) } };
            return lease;
          }),
      } as unknown as KubeClient;
      return client;
    },
  };
  return server;
}

function candidates(...identities: string[]) {
  const server = leases();
  const clock = new ManualClock();
  const leading = new Set<string>();
  const most = { atOnce: 0 };
  const errors: unknown[] = [];
  const clients = new Map(identities.map((identity) => [identity, server.client()]));
  const start = (identity: string) =>
    new LeaderElection({
      client: clients.get(identity)!,
      namespace: 'n',
      name: 'x',
      identity,
      clock,
      onError: (error) => errors.push(error),
      async lead(signal) {
        leading.add(identity);
        most.atOnce = Math.max(most.atOnce, leading.size);
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        leading.delete(identity);
      },
    });
  return { server, clock, leading, most, errors, clients, start };
}

describe('CP-2: the leader', () => {
  test('is one of two, and the other follows when it ends', async () => {
    const { clock, leading, most, start } = candidates('a', 'b');
    const [a, b] = [start('a'), start('b')];
    await clock.until(() => leading.size === 1);
    const [first] = [...leading];
    await clock.advance(120_000);
    expect([...leading]).toEqual([first]);
    await (first === 'a' ? a : b)[Symbol.asyncDispose]();
    await clock.until(() => leading.size === 1);
    expect([...leading]).not.toEqual([first]);
    expect(most.atOnce).toBe(1);
    await Promise.all([a[Symbol.asyncDispose](), b[Symbol.asyncDispose]()]);
  });

  test('that cannot reach the server stops before another starts', async () => {
    const { server, clock, leading, most, clients, start } = candidates('a', 'b');
    const a = start('a');
    await clock.until(() => leading.has('a'));
    const b = start('b');
    await clock.advance(5_000);
    server.hangs.add(clients.get('a')!);
    const from = clock.now();
    await clock.until(() => !leading.has('a'));
    expect(clock.now() - from).toBeLessThanOrEqual(10_000);
    await clock.until(() => leading.has('b'));
    expect(most.atOnce).toBe(1);
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
    server.hangs.clear();
    const ended = Promise.all([a[Symbol.asyncDispose](), b[Symbol.asyncDispose]()]);
    for (let index = 0; index < 50; index++) await turn();
    await ended;
  });

  test('whose work fails at once waits before it leads again', async () => {
    const { server, clock, errors, clients } = candidates('a');
    let attempts = 0;
    const a = new LeaderElection({
      client: clients.get('a')!,
      namespace: 'n',
      name: 'x',
      identity: 'a',
      clock,
      onError: (error) => errors.push(error),
      async lead() {
        await turn();
        if (++attempts > 100) server.hangs.add(clients.get('a')!);
        throw new Error('the control plane serves nothing yet');
      },
    });
    await clock.advance(60_000);
    expect(attempts).toBeGreaterThan(10);
    expect(attempts).toBeLessThanOrEqual(31);
    expect(errors).toHaveLength(attempts);
    await a[Symbol.asyncDispose]();
  });

  test('takes a Lease only after it has seen it unchanged for its duration', async () => {
    const { server, clock, leading, start } = candidates('b');
    await server
      .client()
      .create('', { metadata: { name: 'x' }, spec: { holderIdentity: 'gone', leaseDurationSeconds: 15 } });
    const b = start('b');
    await clock.advance(14_000);
    expect(leading.size).toBe(0);
    await clock.advance(4_000);
    expect([...leading]).toEqual(['b']);
    await b[Symbol.asyncDispose]();
  });
});
