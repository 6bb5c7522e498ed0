import { describe, expect, it } from 'vitest';
import { ObjectValues } from './object-values.ts';
import { timeCellOf } from './time-cells.ts';

const time = '2026-01-01T10:00:00Z';
const later = '2026-01-01T11:00:00Z';
const micro = '2026-01-01T12:00:00.123456Z';
const condition = (type: string, status: string, lastTransitionTime: string) => ({ type, status, lastTransitionTime });
const ended = (name: string, finishedAt: string, rest: object = {}) => ({
  name,
  lastState: { terminated: { finishedAt } },
  ...rest,
});

/** From when the cell counts; null where it stays as it is. */
function sinceOf(group: string, resource: string, column: string, object: object): string | null {
  const cell = timeCellOf(group, resource, column)!;
  const values = new ObjectValues(cell.paths);
  values.read(Buffer.from(JSON.stringify(object)), 0, { start: -1, end: -1 });
  const since = cell.since(values);
  return since === undefined ? null : new Date(since).toISOString().replace('.000', '');
}

describe('CACHE-13: from which time a cell counts', () => {
  it.each<[string, string, string, object, string | null]>([
    ['batch', 'jobs', 'Duration', { status: { startTime: time } }, time],
    ['batch', 'jobs', 'Duration', { status: { startTime: time, completionTime: null } }, time],
    ['batch', 'jobs', 'Duration', { status: { completionTime: later, startTime: time } }, null],
    ['batch', 'jobs', 'Duration', { status: {} }, null],
    ['batch', 'cronjobs', 'Last Schedule', { status: { lastScheduleTime: time } }, time],
    ['batch', 'cronjobs', 'Last Schedule', { status: { lastScheduleTime: '0001-01-01T00:00:00Z' } }, null],
    ['batch', 'cronjobs', 'Last Schedule', { status: null }, null],
    ['', 'events', 'First Seen', { firstTimestamp: time, eventTime: later }, time],
    ['', 'events', 'First Seen', { firstTimestamp: null, eventTime: micro }, '2026-01-01T12:00:00.123Z'],
    ['', 'events', 'Last Seen', { firstTimestamp: time, lastTimestamp: later, series: null }, later],
    ['', 'events', 'Last Seen', { firstTimestamp: time, lastTimestamp: null }, time],
    ['', 'events', 'Last Seen', { lastTimestamp: time, series: { lastObservedTime: later } }, later],
    ['', 'events', 'Last Seen', { lastTimestamp: time, series: { lastObservedTime: null } }, null],
    ['', 'events', 'Last Seen', { metadata: { annotations: { lastTimestamp: time } } }, null],
    ['events.k8s.io', 'events', 'First Seen', { deprecatedFirstTimestamp: time }, time],
    ['events.k8s.io', 'events', 'Last Seen', { deprecatedLastTimestamp: time, lastTimestamp: later }, time],
    ['resource.k8s.io', 'devicetaintrules', 'TimeAdded', { spec: { taint: { key: 'a', timeAdded: time } } }, time],
    ['resource.k8s.io', 'devicetaintrules', 'TimeAdded', { spec: { taint: {} } }, null],
    [
      'resource.k8s.io',
      'resourcepoolstatusrequests',
      'Completed',
      { status: { conditions: [condition('Complete', 'False', time), condition('Complete', 'True', later)] } },
      later,
    ],
    [
      'resource.k8s.io',
      'resourcepoolstatusrequests',
      'Completed',
      { status: { conditions: [condition('Failed', 'True', time), condition('Complete', 'True', later)] } },
      null,
    ],
    ['resource.k8s.io', 'resourcepoolstatusrequests', 'Completed', { status: {} }, null],
    ['', 'pods', 'Restarts', { status: { containerStatuses: [ended('a', later), ended('b', time)] } }, later],
    ['', 'pods', 'Restarts', { status: { containerStatuses: [{ name: 'a', lastState: {} }] } }, null],
    [
      '',
      'pods',
      'Restarts',
      {
        spec: { initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }] },
        status: {
          initContainerStatuses: [
            ended('i', micro, { state: { terminated: { exitCode: 0 } } }),
            ended('s', time, { started: true }),
          ],
        },
      },
      time,
    ],
    ['', 'pods', 'Restarts', { status: { initContainerStatuses: [ended('i', time)] } }, time],
  ])('%s/%s %s of %j', (group, resource, column, object, since) => {
    expect(sinceOf(group, resource, column, object)).toBe(since);
  });

  it('a cell that is not in the table stays as printed', () => {
    expect(timeCellOf('', 'pods', 'Status')).toBeUndefined();
    expect(timeCellOf('example.com', 'jobs', 'Duration')).toBeUndefined();
    expect(timeCellOf('', '__proto__', 'constructor')).toBeUndefined();
  });
});
