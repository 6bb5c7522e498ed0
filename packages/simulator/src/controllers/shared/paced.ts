/** Matches label selectors with many objects without blocking the event loop (LIMIT-3): users choose their number and length. */

import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';

export async function pacedFilter<T>(objects: Iterable<T>, test: (object: T) => boolean): Promise<T[]> {
  const pace = new Pace();
  const found: T[] = [];
  // A copy: later changes are processed as changes of their own.
  for (const object of [...objects]) {
    if (test(object)) found.push(object);
    if (pace.isDue) await pace.rest();
  }
  return found;
}

export interface PacedChanges<Change, Other> {
  /** The objects that the change may affect. */
  othersOf(change: Change): Iterable<Other>;
  look(other: Other, change: Change): void;
  onError(error: unknown): void;
}

/** Queues changes and processes them in order, in slices. */
export function pacedChanges<Change extends object, Other>({
  othersOf,
  look,
  onError,
}: PacedChanges<Change, Other>): (change: Change) => void {
  const waiting = new Set<Change>();
  // Shared by all changes, as many may arrive in one turn.
  const pace = new Pace();
  let isRunning = false;
  const run = async (): Promise<void> => {
    for (const change of waiting) {
      waiting.delete(change);
      try {
        for (const other of othersOf(change)) {
          if (pace.isDue) await pace.rest();
          look(other, change);
        }
      } catch (error) {
        onError(error);
      }
    }
    isRunning = false;
  };
  return (change) => {
    waiting.add(change);
    if (isRunning) return;
    isRunning = true;
    // Asynchronous, so that a change is never processed within the caller's call.
    void Promise.resolve().then(run);
  };
}

/** The old and the new state of an object, if their labels differ. */
export function labelStates<T extends KubeObject>(now: T | undefined, old: T | undefined): T[] {
  if (!now) return old ? [old] : [];
  return old && !isDeepStrictEqual(now.metadata.labels, old.metadata.labels) ? [now, old] : [now];
}
