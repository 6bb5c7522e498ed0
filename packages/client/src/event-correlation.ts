/**
 * Decides how an Event is written, as client-go's EventCorrelator does: a repeated Event increments its count, the tenth similar one
 * within ten minutes and all after it are combined into one, and Events about one object are limited by a token bucket.
 */

import { RecentEntries } from './recent-entries.ts';

export interface EventObject {
  apiVersion: 'v1';
  kind: 'Event';
  metadata: { name: string; namespace: string };
  involvedObject: {
    kind?: string;
    namespace?: string;
    name: string;
    uid?: string;
    apiVersion?: string;
    resourceVersion?: string;
    fieldPath?: string;
  };
  reason: string;
  message: string;
  source: { component: string; host?: string };
  firstTimestamp: string;
  lastTimestamp: string;
  count: number;
  type: 'Normal' | 'Warning';
  eventTime: null;
  reportingComponent: string;
  reportingInstance: string;
}

export interface Correlated {
  event: EventObject;
  /** The Event exists already: only its count, message and time change. */
  isKnown: boolean;
}

interface Observed {
  count: number;
  first: string;
  name: string;
}

const similarInterval = 600_000;
const maxSimilar = 10;
const burst = 25;
/** In milliseconds. */
const tokenEvery = 300_000;
/** client-go has 4096; here many clusters share a process. */
const remembered = 1024;

export class EventCorrelation {
  readonly #observed = new RecentEntries<Observed>(remembered);
  readonly #alike = new RecentEntries<{ messages: Set<string>; last: number }>(remembered);
  readonly #tokens = new RecentEntries<{ left: number; at: number }>(remembered);

  /** Undefined if the Event is dropped. `newName` makes the name of an Event that combines several. */
  correlate(event: EventObject, now: number, newName: () => string): Correlated | undefined {
    const { event: combined, key } = this.#aggregate(event, now, newName);
    const before = this.#observed.get(key);
    const counted: EventObject = before
      ? {
          ...combined,
          metadata: { ...combined.metadata, name: before.name },
          firstTimestamp: before.first,
          count: before.count + 1,
        }
      : combined;
    this.#observed.set(key, {
      count: counted.count,
      first: counted.firstTimestamp,
      name: counted.metadata.name,
    });
    if (!this.#takeToken(event, now)) return undefined;
    return { event: counted, isKnown: before !== undefined };
  }

  #aggregate(event: EventObject, now: number, newName: () => string): { event: EventObject; key: string } {
    const about = aboutOf(event);
    const key = [...about, event.reason, event.reportingComponent, event.reportingInstance].join('\n');
    const known = this.#alike.get(key);
    const alike = known && now - known.last <= similarInterval ? known : { messages: new Set<string>(), last: now };
    alike.messages.add(event.message);
    alike.last = now;
    this.#alike.set(key, alike);
    const own = [...about, event.involvedObject.fieldPath ?? '', event.reason, event.message].join('\n');
    if (alike.messages.size < maxSimilar) return { event, key: own };
    alike.messages.delete(alike.messages.values().next().value!);
    const combined: EventObject = {
      ...event,
      metadata: { ...event.metadata, name: newName() },
      message: `(combined from similar events): ${event.message}`,
      // As in client-go, which copies neither.
      reportingComponent: '',
      reportingInstance: '',
    };
    return { event: combined, key };
  }

  #takeToken(event: EventObject, now: number): boolean {
    const key = aboutOf(event).join('\n');
    const known = this.#tokens.get(key) ?? { left: burst, at: now };
    const left = Math.min(burst, known.left + (now - known.at) / tokenEvery);
    this.#tokens.set(key, { left: left >= 1 ? left - 1 : left, at: now });
    return left >= 1;
  }
}

const aboutOf = ({ source, involvedObject: about, type }: EventObject): string[] => [
  source.component,
  source.host ?? '',
  about.kind ?? '',
  about.namespace ?? '',
  about.name,
  about.uid ?? '',
  about.apiVersion ?? '',
  type,
];
