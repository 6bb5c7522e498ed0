/** Records core/v1 Events about objects, as client-go's recorder: in order, beside the work, and never failing it. */

import { timeText } from '@fleet/kube/time-text.ts';
import { EventCorrelation, type EventObject } from './event-correlation.ts';
import { isNamespaceTerminating, isStatus, type KubeClient, type KubeObject } from './kube-client.ts';

export interface EventRecorderOptions {
  client: KubeClient;
  /** As in `deployment-controller`. */
  component: string;
  /** The node, where a kubelet reports. */
  host?: string;
  onError(error: unknown): void;
}

/** What an Event is about. Objects from lists carry no kind, so it is given. */
export interface EventSubject {
  apiVersion: string;
  kind: string;
  metadata: Pick<KubeObject['metadata'], 'name' | 'namespace' | 'uid' | 'resourceVersion'>;
  /** As in `spec.containers{web}`. */
  fieldPath?: string;
  /** The node that reports it, where one recorder serves many. */
  host?: string;
}

/** Events that nobody could write yet; client-go drops what exceeds its queue, too. */
const longestQueue = 1000;

let lastNanos = 0n;

/** Two Events of one process never share a name. */
function nanos(): bigint {
  const now = BigInt(Date.now()) * 1_000_000n;
  lastNanos = now > lastNanos ? now : lastNanos + 1n;
  return lastNanos;
}

const eventName = (object: string): string => `${object}.${nanos().toString(16)}`;

export class EventRecorder implements AsyncDisposable {
  readonly #options: EventRecorderOptions;
  readonly #correlation = new EventCorrelation();
  readonly #waiting: EventObject[] = [];
  readonly #ending = new AbortController();
  #writing: Promise<void> | undefined;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  event(about: EventSubject, type: 'Normal' | 'Warning', reason: string, message: string): void {
    if (this.#ending.signal.aborted || this.#waiting.length >= longestQueue) return;
    this.#waiting.push(this.#eventOf(about, type, reason, message));
    this.#writing ??= this.#write();
  }

  /** Resolves when everything that was recorded is written. */
  get idle(): Promise<void> {
    return this.#writing ?? Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    this.#waiting.length = 0;
    await this.#writing;
  }

  #eventOf(about: EventSubject, type: EventObject['type'], reason: string, message: string): EventObject {
    const { component } = this.#options;
    const host = about.host ?? this.#options.host;
    const { name, namespace, uid, resourceVersion } = about.metadata;
    const now = timeText(Date.now());
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: eventName(name), namespace: namespace || 'default' },
      involvedObject: {
        kind: about.kind,
        ...(namespace ? { namespace } : {}),
        name,
        ...(uid ? { uid } : {}),
        apiVersion: about.apiVersion,
        ...(resourceVersion ? { resourceVersion } : {}),
        ...(about.fieldPath ? { fieldPath: about.fieldPath } : {}),
      },
      reason,
      message,
      source: { component, ...(host ? { host } : {}) },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      eventTime: null,
      reportingComponent: component,
      reportingInstance: host ?? '',
    };
  }

  async #write(): Promise<void> {
    // Never within the call that recorded it.
    await Promise.resolve();
    for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) {
      const correlated = this.#correlation.correlate(event, Date.now(), () => eventName(event!.involvedObject.name));
      if (!correlated) continue;
      try {
        await this.#send(correlated.event, correlated.isKnown);
      } catch (error) {
        if (this.#ending.signal.aborted) break;
        // A namespace that is gone or being deleted takes no Events: nothing to report.
        if (!isStatus(error, 404) && !isNamespaceTerminating(error)) this.#options.onError(error);
      }
    }
    this.#writing = undefined;
  }

  async #send(event: EventObject, isKnown: boolean): Promise<void> {
    const { client } = this.#options;
    const { signal } = this.#ending;
    const path = `/api/v1/namespaces/${event.metadata.namespace}/events`;
    if (isKnown) {
      const { count, message, lastTimestamp } = event;
      const known = `${path}/${event.metadata.name}`;
      try {
        await client.patch(known, 'strategic', { count, message, lastTimestamp }, signal);
        return;
      } catch (error) {
        // It has expired: written anew.
        if (!isStatus(error, 404)) throw error;
      }
    }
    await client.create(path, event, signal);
  }
}
