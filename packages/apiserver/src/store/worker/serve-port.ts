/** Serves a store through a port. */

import type { MessagePort } from 'node:worker_threads';
import type { ObjectStore, StoreWatch } from '../object-store.ts';
import { type FromStore, faultOf, type ToStore } from './messages.ts';

/** How many unacknowledged batches a watch may have. */
const window = 8;

interface Serving {
  watch: StoreWatch;
  underWay: number;
  resume: (() => void) | undefined;
}

/** Settles when the other side has closed the store and every call is answered. */
export function servePort(store: ObjectStore, port: MessagePort): Promise<void> {
  const watches = new Map<number, Serving>();
  const answering = new Set<Promise<void>>();
  const send = (message: FromStore): void => port.postMessage(message);

  const ask = async ({ id, call, args }: ToStore & { kind: 'ask' }): Promise<void> => {
    try {
      send({ kind: 'answer', id, value: await (store[call] as (...args: unknown[]) => Promise<unknown>)(...args) });
    } catch (thrown) {
      send({ kind: 'refusal', id, error: faultOf(thrown) });
    }
  };

  const answer = (message: ToStore & { kind: 'ask' }): void => {
    const given = ask(message).finally(() => answering.delete(given));
    answering.add(given);
  };

  const close = async (): Promise<void> => {
    await store[Symbol.asyncDispose]();
    await Promise.all(answering);
  };

  const watch = async ({ id, prefix, after }: ToStore & { kind: 'watch' }): Promise<void> => {
    await using opened = store.watch(prefix, after);
    const serving: Serving = { watch: opened, underWay: 0, resume: undefined };
    watches.set(id, serving);
    try {
      for await (const batch of opened) {
        send({ kind: 'batch', id, batch });
        serving.underWay += 1;
        if (serving.underWay < window) continue;
        await new Promise<void>((resolve) => {
          serving.resume = resolve;
        });
      }
      send({ kind: 'ended', id, error: undefined });
    } catch (thrown) {
      send({ kind: 'ended', id, error: faultOf(thrown) });
    } finally {
      watches.delete(id);
    }
  };

  const taken = (serving: Serving | undefined): void => {
    if (!serving) return;
    serving.underWay -= 1;
    serving.resume?.();
    serving.resume = undefined;
  };

  const leave = async (serving: Serving | undefined): Promise<void> => {
    await serving?.watch[Symbol.asyncDispose]();
    serving?.resume?.();
  };

  return new Promise((resolve) => {
    port.on('message', (message: ToStore) => {
      switch (message.kind) {
        case 'ask':
          answer(message);
          break;
        case 'watch':
          void watch(message);
          break;
        case 'progress':
          watches.get(message.id)?.watch.requestProgress();
          break;
        case 'taken':
          taken(watches.get(message.id));
          break;
        case 'leave':
          void leave(watches.get(message.id));
          break;
        case 'close':
          resolve(close());
          break;
        default:
          message satisfies never;
      }
    });
  });
}
