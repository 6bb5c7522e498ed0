/** For tests: a store in which the watch of one prefix can be held back and cut. */

import type { EventBatch, ObjectStore, StoreWatch } from '../object-store.ts';
import { untilBroken } from './until-broken.ts';
import { wrappedStore } from './wrapped-store.ts';

export interface HeldWatch {
  store: ObjectStore;
  /** Holds back events of later revisions until `goOn`. */
  holdAfter(revision: number): void;
  goOn(): void;
  /** Ends it with an error, like a watch that falls too far behind. The next watch is not held back. */
  cut(): void;
  /** How often progress was requested. */
  readonly asked: number;
}

export function heldWatch(store: ObjectStore, prefix: string): HeldWatch {
  let last = Number.POSITIVE_INFINITY;
  let asked = 0;
  let moved = Promise.withResolvers<void>();
  let broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  const move = (to: number): void => {
    last = to;
    moved.resolve();
    moved = Promise.withResolvers();
  };

  async function* sendable({ events, revision }: EventBatch): AsyncGenerator<EventBatch> {
    let rest = events;
    while (revision > last) {
      const due = rest.filter((event) => event.revision <= last);
      rest = rest.filter((event) => event.revision > last);
      if (due.length > 0) yield { events: due, revision: last };
      else await Promise.race([moved.promise, broken.promise]);
    }
    yield { events: rest, revision };
  }

  const watch = (watched: string, after: number): StoreWatch => {
    const opened = store.watch(watched, after);
    if (watched !== prefix) return opened;
    return {
      requestProgress: () => {
        asked += 1;
        opened.requestProgress();
      },
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      async *[Symbol.asyncIterator]() {
        for await (const batch of untilBroken(opened, broken.promise)) yield* sendable(batch);
      },
    };
  };
  return {
    store: wrappedStore(store, { watch }),
    holdAfter: move,
    goOn: () => move(Number.POSITIVE_INFINITY),
    cut: () => {
      broken.reject(new Error('cut'));
      broken = Promise.withResolvers();
      broken.promise.catch(() => undefined);
      move(Number.POSITIVE_INFINITY);
    },
    get asked() {
      return asked;
    },
  };
}
