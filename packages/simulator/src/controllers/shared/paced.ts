/** Label selectors held against many objects, without holding the event loop (LIMIT-3): users choose how many, and how long they are. */

import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';

export async function pacedFilter<T>(objects: Iterable<T>, test: (object: T) => boolean): Promise<T[]> {
  const pace = new Pace();
  const found: T[] = [];
  // Copied first: what changes meanwhile is another change.
  for (const object of [...objects]) {
    if (test(object)) found.push(object);
    if (pace.isDue) await pace.rest();
  }
  return found;
}

export interface PacedChanges<Change, Other> {
  /** Those that the change may concern. */
  othersOf(change: Change): Iterable<Other>;
  look(other: Other, change: Change): void;
  onError(error: unknown): void;
}

/** Takes changes, and looks at each of them in order, in slices. */
export function pacedChanges<Change extends object, Other>({
  othersOf,
  look,
  onError,
}: PacedChanges<Change, Other>): (change: Change) => void {
  const waiting = new Set<Change>();
  // One for all changes: many of them may come in one turn.
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
    // Never within the call that brought the change.
    void Promise.resolve().then(run);
  };
}

/** What an object is and was, where selectors can tell them apart. */
export function labelStates<T extends KubeObject>(now: T | undefined, old: T | undefined): T[] {
  if (!now) return old ? [old] : [];
  return old && !isDeepStrictEqual(now.metadata.labels, old.metadata.labels) ? [now, old] : [now];
}
