/** The Table columns of Events. */

import { type Column, nameColumn, sinceTime } from '../registry/printed-kind.ts';

interface Printed {
  type?: string;
  reason?: string;
  message?: string;
  count?: number;
  involvedObject: { kind?: string; name?: string; fieldPath?: string };
  source: { component?: string; host?: string };
  reportingComponent?: string;
  reportingInstance?: string;
  firstTimestamp?: string | null;
  lastTimestamp?: string | null;
  eventTime?: string | null;
  series?: { count: number; lastObservedTime: string | null };
}

const column = (
  name: string,
  description: string,
  cell: (event: Printed, now: number) => string | number,
  priority?: number,
): Column => ({
  name,
  type: 'string',
  description,
  ...(priority ? { priority } : {}),
  cell: (object, now) => cell(object as unknown as Printed, now),
});

const target = ({ involvedObject: { kind = '', name } }: Printed): string =>
  name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase();

function sourceOf({ source, reportingComponent = '', reportingInstance }: Printed): string {
  const component = source.component || reportingComponent;
  const instance = source.host || reportingInstance;
  return instance ? `${component}, ${instance}` : component;
}

const lastSeen = ({ series, firstTimestamp, lastTimestamp, eventTime }: Printed, now: number): string =>
  sinceTime(series ? series.lastObservedTime : lastTimestamp || firstTimestamp || eventTime, now);

/** For Events of the core group. */
export const eventColumns: readonly Column[] = [
  column('Last Seen', 'The time at which the most recent occurrence of this event was recorded.', lastSeen),
  column(
    'Type',
    'Type of this event (Normal, Warning), new types could be added in the future',
    ({ type }) => type ?? '',
  ),
  column(
    'Reason',
    "This should be a short, machine understandable string that gives the reason for the transition into the object's current status.",
    ({ reason }) => reason ?? '',
  ),
  column('Object', 'The object that this event is about.', target),
  column(
    'Subobject',
    'If referring to a piece of an object instead of an entire object, this string should contain a valid JSON/Go field access statement, such as desiredState.manifest.containers[2]. For example, if the object reference is to a container within a pod, this would take on a value like: "spec.containers{name}" (where "name" refers to the name of the container that triggered the event) or if no container name is specified "spec.containers[2]" (container with index 2 in this pod). This syntax is chosen only to have some well-defined way of referencing a part of an object.',
    ({ involvedObject }) => involvedObject.fieldPath ?? '',
    1,
  ),
  column('Source', 'The component reporting this event. Should be a short machine understandable string.', sourceOf, 1),
  column('Message', 'A human-readable description of the status of this operation.', ({ message = '' }) =>
    message.trim(),
  ),
  column(
    'First Seen',
    'The time at which the event was first recorded. (Time of server receipt is in TypeMeta.)',
    ({ firstTimestamp, eventTime }, now) => sinceTime(firstTimestamp || eventTime, now),
    1,
  ),
  column(
    'Count',
    'The number of times this event has occurred.',
    ({ series, count }) => (series ? series.count : count || 1),
    1,
  ),
  { ...nameColumn, priority: 1 },
];
