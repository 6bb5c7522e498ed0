/** The base of every controller: a queue of keys, a function that reconciles one key, and its Events. */

import { EventRecorder } from '@fleet/client/event-recorder.ts';
import { isNamespaceTerminating, type KubeClient } from '@fleet/client/kube-client.ts';
import { Pace } from '@fleet/client/pace.ts';
import type { SharedInformers } from '@fleet/client/shared-informers.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { Expectations } from './expectations.ts';
import type { ScaledTime } from './scaled-time.ts';

/** Shared by all controllers of a cluster. */
export interface ControllerParts {
  client: KubeClient;
  informers: SharedInformers;
  clock: ScaledTime;
  /** Resolves when all informers are synced. */
  ready: Promise<void>;
  signal: AbortSignal;
  onError(error: unknown): void;
}

export interface ReconcilerOptions {
  parts: ControllerParts;
  /** The source component of Events. */
  component: string;
  reconcile(key: string): Promise<void>;
}

/** The first backoff of client-go's rate limiter; it doubles each time. */
const firstRetry = 5;
const longestRetry = 1_000_000;
/** As kube-controller-manager's --concurrent-*-syncs. */
const workers = 5;

export class Reconciler implements AsyncDisposable {
  readonly parts: ControllerParts;
  readonly events: EventRecorder;
  readonly expectations: Expectations;
  readonly #queue: WorkQueue<string>;

  constructor({ parts, component, reconcile }: ReconcilerOptions) {
    this.parts = parts;
    this.events = new EventRecorder({ client: parts.client, component, onError: parts.onError });
    this.expectations = new Expectations(parts.signal);
    this.#queue = new WorkQueue<string>({
      work: (key) => this.#work(key, reconcile),
      onError: parts.onError,
      retryMillis: firstRetry,
      longestRetryMillis: longestRetry,
      workers,
      pace: new Pace(),
    });
  }

  add(key: string): void {
    this.#queue.add(key, key);
  }

  addAfter(key: string, millis: number): void {
    this.#queue.addAfter(key, key, millis);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue[Symbol.asyncDispose]();
    await this.events[Symbol.asyncDispose]();
  }

  async #work(key: string, reconcile: (key: string) => Promise<void>): Promise<boolean> {
    const { ready, signal } = this.parts;
    try {
      await ready;
      await this.expectations.settled(key);
      if (signal.aborted) return true;
      await reconcile(key);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      // Another client was faster, or the object is being deleted: it is retried, and nothing is reported.
      if (error instanceof StatusError && [404, 409].includes(error.code)) return false;
      if (isNamespaceTerminating(error)) return true;
      throw error;
    }
  }
}
