/** Records core/v1 Events about objects, as client-go's recorder does: in order, asynchronously, and never failing the caller. */

import { timeText } from '@fleet/kube/time-text.ts';
import { EventCorrelation, type EventObject } from './event-correlation.ts';
import { isNamespaceTerminating, isStatus, type KubeClient, type KubeObject } from './kube-client.ts';

export interface EventRecorderOptions {
  client: KubeClient;
  /** As in `deployment-controller`. */
  component: string;
  /** The node, for Events of a kubelet. */
  host?: string;
  onError(error: unknown): void;
}

/** The object of an Event. Objects from lists have no kind, so it is passed separately. */
export interface EventSubject {
  apiVersion: string;
  kind: string;
  metadata: Pick<KubeObject['metadata'], 'name' | 'namespace' | 'uid' | 'resourceVersion'>;
  /** As in `spec.containers{web}`. */
  fieldPath?: string;
  /** The node that reports it, if one recorder serves many. */
  host?: string;
}

/** The maximum number of Events not written yet; client-go also drops what exceeds its queue. */
const longestQueue = 1000;

let lastNanos = 0n;

/** A strictly increasing number, so that two Events of one process never have the same name. */
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

  /** Resolves when all recorded Events are written. */
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
    // Asynchronous, so that recording never writes within the caller's call.
    await Promise.resolve();
    for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) {
      const correlated = this.#correlation.correlate(event, Date.now(), () => eventName(event!.involvedObject.name));
      if (!correlated) continue;
      try {
        await this.#send(correlated.event, correlated.isKnown);
      } catch (error) {
        if (this.#ending.signal.aborted) break;
        // A namespace that is deleted or terminating accepts no Events, which is not an error.
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
        // The Event has expired: it is created again.
        if (!isStatus(error, 404)) throw error;
      }
    }
    await client.create(path, event, signal);
  }
}
