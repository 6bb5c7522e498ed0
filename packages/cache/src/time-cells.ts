/**
 * The Table cells of built-in kinds that show an age (CACHE-13), and the time that each counts from. All print
 * HumanDuration(now - time). A cell whose time is absent does not change, and stays as the member printed it.
 *
 * Follows pkg/printers/internalversion/printers.go of Kubernetes 1.36.3 and 1.34.4; `Completed` is only in the former. `Age` is not
 * listed: it counts from the object's creation in every kind.
 */

import { eachElement, isArray } from '@fleet/kube/json-bytes.ts';
import { type ObjectValues, textAt, timeAt, valueAt } from './object-values.ts';
import { lastRestart, restartPaths } from './pod-restarts.ts';

export interface TimeCell {
  /** The values of the object that the time depends on. */
  paths: readonly string[];
  /** In milliseconds since 1970; undefined if the cell stays as it is. */
  since(values: ObjectValues): number | undefined;
  /** Whether the duration is only a part of the cell, as in `3 (5m ago)`. */
  isPart?: boolean;
}

export const timeAtPath = (path: string): TimeCell => ({ paths: [path], since: (values) => values.time(path) });

/** The duration of a Job that is not complete; after that it is fixed. */
const duration: TimeCell = {
  paths: ['status.startTime', 'status.completionTime'],
  since: (values) => (values.at('status.completionTime') === undefined ? values.time('status.startTime') : undefined),
};

const restarts: TimeCell = { paths: restartPaths, since: lastRestart, isPart: true };

/** `first` and `last`: the names of these times, which differ between the two Event APIs. */
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

/** Since the first of the conditions Complete and Failed that is true; only Complete shows an age. */
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

/** By `group/resource`, then by column name. */
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
