/**
 * Events of the scheduler in events.k8s.io: repeated ones form a series. As in client-go's
 * `tools/events`, the first is created, the second makes it a series of two, and further ones are counted without a write.
 */

import { isNamespaceTerminating, isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { RecentEntries } from '@fleet/client/recent-entries.ts';
import type { Pod } from '../pods/pod.ts';

export type SchedulingEvent =
  | { type: 'Normal'; reason: 'Scheduled'; action: 'Binding'; note: string }
  | { type: 'Warning'; reason: 'FailedScheduling'; action: 'Scheduling'; note: string };

const controller = 'default-scheduler';
/** How many pods' Events are remembered. */
const remembered = 512;
const longestNote = 1024;

/** With microseconds, as in MicroTime. */
const microTime = (): string => `${new Date().toISOString().slice(0, -1)}000Z`;

export class SchedulingEvents {
  readonly #client: KubeClient;
  readonly #instance: string;
  readonly #signal: AbortSignal;
  readonly #known = new RecentEntries<{ name: string; count: number }>(remembered);
  #lastNanos = 0n;

  constructor(client: KubeClient, host: string, signal: AbortSignal) {
    this.#client = client;
    this.#instance = `${controller}-${host}`;
    this.#signal = signal;
  }

  async record(pod: Pod, { type, reason, action, note }: SchedulingEvent): Promise<void> {
    const { name, namespace = '', uid = '', resourceVersion } = pod.metadata;
    const path = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
    const key = `${uid} ${reason}`;
    const known = this.#known.get(key);
    if (known) {
      known.count++;
      if (known.count > 2) return;
      const series = { count: known.count, lastObservedTime: microTime() };
      await unlessGone(this.#client.patch(`${path}/${known.name}`, 'merge', { series }, this.#signal));
      return;
    }
    const event = `${name}.${this.#nanos().toString(16)}`;
    this.#known.set(key, { name: event, count: 1 });
    await unlessGone(
      this.#client.create(
        path,
        {
          apiVersion: 'events.k8s.io/v1',
          kind: 'Event',
          metadata: { name: event, namespace },
          eventTime: microTime(),
          reportingController: controller,
          reportingInstance: this.#instance,
          action,
          reason,
          regarding: { kind: 'Pod', namespace, name, uid, apiVersion: 'v1', resourceVersion },
          note: note.length > longestNote ? `${note.slice(0, longestNote - 4)} ...` : note,
          type,
        },
        this.#signal,
      ),
    );
  }

  #nanos(): bigint {
    const now = BigInt(Date.now()) * 1_000_000n;
    this.#lastNanos = now > this.#lastNanos ? now : this.#lastNanos + 1n;
    return this.#lastNanos;
  }
}

/** The Event has expired, or its namespace is deleted or terminating. */
async function unlessGone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isStatus(error, 404) && !isNamespaceTerminating(error)) throw error;
  }
}
