/** Deletes Events an hour after their last write, the default of kube-apiserver's `--event-ttl`. */

import { nextTurn as rest } from '@fleet/client/turns.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { ObjectRegistry } from '../registry/registry.ts';
import { decodeObject } from '../registry/stored-object.ts';

export interface EventExpiryOptions {
  ttlMillis?: number;
  everyMillis?: number;
  now?: () => number;
  onError(error: unknown): void;
}

/** Events per read: some milliseconds of work. */
const pageSize = 100;

/** Goes through all Events periodically, page by page: their own times survive a restart of the server. */
export function startEventExpiry(events: ObjectRegistry, options: EventExpiryOptions): Disposable {
  const { ttlMillis = 3_600_000, everyMillis = 60_000, now = Date.now, onError } = options;
  let isUnderWay = false;
  const turn = async (): Promise<void> => {
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      await removeOlder(events, now() - ttlMillis);
    } catch (error) {
      onError(error);
    } finally {
      isUnderWay = false;
    }
  };
  const timer = setInterval(() => void turn(), everyMillis);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

async function removeOlder(events: ObjectRegistry, before: number): Promise<void> {
  let next: string | undefined;
  do {
    const page = await events.list({ limit: pageSize, continue: next });
    for (const entry of page.entries) {
      const event = decodeObject(entry);
      if (lastWritten(event) < before) await remove(events, event);
    }
    next = page.continue;
    await rest();
  } while (next);
}

/** The time of the last write in managedFields; without it, the object's creation. */
function lastWritten({ metadata }: KubeObject): number {
  const times = (metadata.managedFields ?? []).map((entry) => (entry as { time?: string }).time);
  return Math.max(...[metadata.creationTimestamp, ...times].map((time) => (time ? Date.parse(time) : 0)));
}

async function remove(events: ObjectRegistry, { metadata }: KubeObject): Promise<void> {
  const { name, namespace, resourceVersion } = metadata;
  try {
    await events.delete(name!, { namespace, preconditions: { resourceVersion: resourceVersion! } });
  } catch (error) {
    // It was deleted, or written again.
    if (!(error instanceof StatusError && (error.code === 404 || error.code === 409))) throw error;
  }
}
