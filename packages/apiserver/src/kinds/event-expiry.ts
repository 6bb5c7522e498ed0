/** Events go an hour after they were last written, as kube-apiserver's `--event-ttl` has it. */

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

/** Read at once: some milliseconds of work. */
const pageSize = 100;

/** Looks through all of them at each turn, page by page: what an Event says itself outlives the server. */
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

/** Who writes is told with when; what says neither is as old as the object. */
function lastWritten({ metadata }: KubeObject): number {
  const times = (metadata.managedFields ?? []).map((entry) => (entry as { time?: string }).time);
  return Math.max(...[metadata.creationTimestamp, ...times].map((time) => (time ? Date.parse(time) : 0)));
}

async function remove(events: ObjectRegistry, { metadata }: KubeObject): Promise<void> {
  const { name, namespace, resourceVersion } = metadata;
  try {
    await events.delete(name!, { namespace, preconditions: { resourceVersion: resourceVersion! } });
  } catch (error) {
    // It went, or was written once more.
    if (!(error instanceof StatusError && (error.code === 404 || error.code === 409))) throw error;
  }
}
