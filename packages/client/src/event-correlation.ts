/**
 * What becomes of one more Event, as client-go's EventCorrelator decides: the same Event again counts up, the tenth of a kind
 * within ten minutes and those after it become one, and an object about which too much is reported is left alone for a while.
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
  /** It exists: only its count, message and time change. */
  isKnown: boolean;
}

interface Observed {
  count: number;
  first: string;
  name: string;
}

const longestInterval = 600_000;
const mostAlike = 10;
const burst = 25;
/** In milliseconds. */
const tokenEvery = 300_000;
/** Of client-go's 4096: there are many clusters in a process. */
const remembered = 1024;

export class EventCorrelation {
  readonly #observed = new RecentEntries<Observed>(remembered);
  readonly #alike = new RecentEntries<{ messages: Set<string>; last: number }>(remembered);
  readonly #tokens = new RecentEntries<{ left: number; at: number }>(remembered);

  /** Undefined: not reported. `newName` makes a name for an Event that stands for several. */
  correlate(event: EventObject, now: number, newName: () => string): Correlated | undefined {
    const { event: told, key } = this.#aggregate(event, now, newName);
    const before = this.#observed.get(key);
    const counted: EventObject = before
      ? {
          ...told,
          metadata: { ...told.metadata, name: before.name },
          firstTimestamp: before.first,
          count: before.count + 1,
        }
      : told;
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
    const alike = known && now - known.last <= longestInterval ? known : { messages: new Set<string>(), last: now };
    alike.messages.add(event.message);
    alike.last = now;
    this.#alike.set(key, alike);
    const own = [...about, event.involvedObject.fieldPath ?? '', event.reason, event.message].join('\n');
    if (alike.messages.size < mostAlike) return { event, key: own };
    alike.messages.delete(alike.messages.values().next().value!);
    const combined: EventObject = {
      ...event,
      metadata: { ...event.metadata, name: newName() },
      message: `(combined from similar events): ${event.message}`,
      // As client-go writes them: it copies neither.
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
