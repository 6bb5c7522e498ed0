/**
 * The cells of Tables that tell a time relative to now (CACHE-13): from which time each of them counts. All print it as
 * HumanDuration(now - time); a cell whose time is not there does not change with time, and stays as the member printed it.
 *
 * After pkg/printers/internalversion/printers.go of Kubernetes 1.36.3 and 1.34.4, the latter without `Completed`. `Age` is not
 * in it: it counts from the object's creation, whatever the kind.
 */

import { eachElement, isArray } from '@fleet/kube/json-bytes.ts';
import { type ObjectValues, textAt, timeAt, valueAt } from './object-values.ts';
import { lastRestart, restartPaths } from './pod-restarts.ts';

export interface TimeCell {
  /** Which values of the object the time follows from. */
  paths: readonly string[];
  /** In milliseconds since 1970; undefined where the cell stays as it is. */
  since(values: ObjectValues): number | undefined;
  /** Whether the duration is only a part of the cell, as in `3 (5m ago)`. */
  isPart?: boolean;
}

export const timeAtPath = (path: string): TimeCell => ({ paths: [path], since: (values) => values.time(path) });

/** Of a Job that is not complete; that of others is fixed. */
const duration: TimeCell = {
  paths: ['status.startTime', 'status.completionTime'],
  since: (values) => (values.at('status.completionTime') === undefined ? values.time('status.startTime') : undefined),
};

const restarts: TimeCell = { paths: restartPaths, since: lastRestart, isPart: true };

/** `first` and `last`: what the version of the Event calls these times. */
function eventCells(first: string, last: string): ReadonlyMap<string, TimeCell> {
  const firstSeen = (values: ObjectValues) => values.time(first) ?? values.time('eventTime');
  return new Map<string, TimeCell>([
    ['First Seen', { paths: [first, 'eventTime'], since: firstSeen }],
    [
      'Last Seen',
      {
        paths: [first, last, 'eventTime', 'series', 'series.lastObservedTime'],
        since: (values) =>
          values.at('series') === undefined
            ? (values.time(last) ?? firstSeen(values))
            : values.time('series.lastObservedTime'),
      },
    ],
  ]);
}

/** Since the first condition that is true said so, of those that end the request. */
const completed: TimeCell = {
  paths: ['status.conditions'],
  since(values) {
    const { bytes } = values;
    const conditions = values.at('status.conditions');
    if (conditions === undefined || !isArray(bytes, conditions)) return undefined;
    let ended: { at: number | undefined } | undefined;
    eachElement(bytes, conditions, (at) => {
      const type = textAt(bytes, at, 'type');
      if (ended || textAt(bytes, at, 'status') !== 'True') return;
      if (type === 'Complete') ended = { at: valueAt(bytes, at, 'lastTransitionTime') };
      if (type === 'Failed') ended = { at: undefined };
    });
    return ended?.at === undefined ? undefined : timeAt(bytes, ended.at);
  },
};

/** By group and resource, then by the name of the column. */
const builtIn: ReadonlyMap<string, ReadonlyMap<string, TimeCell>> = new Map([
  ['/pods', new Map([['Restarts', restarts]])],
  ['/events', eventCells('firstTimestamp', 'lastTimestamp')],
  ['events.k8s.io/events', eventCells('deprecatedFirstTimestamp', 'deprecatedLastTimestamp')],
  ['batch/jobs', new Map([['Duration', duration]])],
  ['batch/cronjobs', new Map([['Last Schedule', timeAtPath('status.lastScheduleTime')]])],
  ['resource.k8s.io/devicetaintrules', new Map([['TimeAdded', timeAtPath('spec.taint.timeAdded')]])],
  ['resource.k8s.io/resourcepoolstatusrequests', new Map([['Completed', completed]])],
]);

export const timeCellOf = (group: string, resource: string, column: string): TimeCell | undefined =>
  builtIn.get(`${group}/${resource}`)?.get(column);
