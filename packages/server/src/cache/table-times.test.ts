/** Times in cached Tables beside those that kube-apiserver prints, kind by kind: the same objects, aged by moving the clock. */

import { builtInKinds } from '@fleet/apiserver/kinds/built-in-kinds.ts';
import type { KubeObject } from '@fleet/apiserver/registry/kube-object.ts';
import type { PrintedKind } from '@fleet/apiserver/registry/printed-kind.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AgingTable,
  ages,
  ago,
  day,
  expectSame,
  feedOf,
  hour,
  itemsOf,
  metadata,
  microAgo,
  minute,
  printedTable,
  second,
  start,
} from './testing/aging-table.ts';

const kindOf = (group: string, resource: string, version = 'v1'): PrintedKind =>
  builtInKinds().find((kind) => kind.group === group && kind.resource === resource && kind.version === version)!;

const objectOf = ({ group, version, kind }: PrintedKind, name: string, rest: object, created = 20 * second) =>
  ({
    kind,
    apiVersion: group ? `${group}/${version}` : version,
    metadata: { ...metadata(name, created), resourceVersion: '5' },
    ...rest,
  }) as unknown as KubeObject;

describe('CACHE-13: a cached Table is what the member prints at that moment', () => {
  it.each(builtInKinds().map((kind) => [`${kind.group}/${kind.version} ${kind.resource}`, kind] as const))(
    '%s',
    async (_, kind) => {
      const created = [-90 * second, -1.5 * second, 0, 20 * second, 5 * minute, 7 * hour, 2 * day, 800 * day];
      const rest = { involvedObject: {}, source: {}, roleRef: {} };
      await expectSame(
        kind,
        created.map((age, index) => objectOf(kind, `o${index}`, rest, age)),
      );
    },
  );

  it('a creation that is not there is unknown', async () => {
    const kind = kindOf('', 'configmaps');
    const { creationTimestamp: _, ...without } = metadata('a', 0);
    await expectSame(kind, [objectOf(kind, 'a', { metadata: without })]);
    await expectSame(kind, [objectOf(kind, 'a', { metadata: { ...without, creationTimestamp: null } })]);
  });

  it('the last schedule of a CronJob, and the duration of a Job while it runs', async () => {
    const cronJobs = kindOf('batch', 'cronjobs');
    const spec = { schedule: '* * * * *' };
    await expectSame(cronJobs, [
      objectOf(cronJobs, 'a', { spec, status: { lastScheduleTime: ago(70 * second) } }),
      objectOf(cronJobs, 'b', { spec, status: {} }),
    ]);
    const jobs = kindOf('batch', 'jobs');
    const startTime = ago(50 * minute);
    await expectSame(jobs, [
      objectOf(jobs, 'a', { spec: {}, status: { startTime } }),
      objectOf(jobs, 'b', { spec: {}, status: { startTime, completionTime: ago(5 * minute) } }),
      objectOf(jobs, 'c', { spec: {}, status: {} }),
      objectOf(jobs, 'd', { spec: {} }),
    ]);
  });

  const time = fc.constantFrom(undefined, null, ago(30 * second), ago(5 * minute), ago(9 * hour));
  const microTime = fc.constantFrom(undefined, null, microAgo(10 * second), microAgo(4 * hour));

  it('first and last seen of Events, in both groups', async () => {
    const drawn = fc.record({
      first: time,
      last: time,
      eventTime: microTime,
      series: fc.option(fc.record({ count: fc.constant(2), lastObservedTime: microTime }), { nil: undefined }),
    });
    const old = kindOf('', 'events');
    const plain = { involvedObject: { kind: 'Pod', name: 'p' }, source: {}, message: 'has "firstTimestamp":"2026"' };
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 9 }), async (all) => {
        const events = all.map(({ first, last, eventTime, series }, index) =>
          objectOf(old, `e${index}`, { ...plain, firstTimestamp: first, lastTimestamp: last, eventTime, series }),
        );
        await expectSame(old, events);
      }),
      { numRuns: 30 },
    );
    const renamed = kindOf('events.k8s.io', 'events');
    // What is printed is the form of the core group, in both.
    const inCore = objectOf(old, 'a', { ...plain, firstTimestamp: ago(hour), lastTimestamp: ago(minute) });
    const [row] = printedTable(old, [inCore], start).rows;
    const object = objectOf(renamed, 'a', {
      regarding: { kind: 'Pod', name: 'p' },
      deprecatedFirstTimestamp: ago(hour),
      deprecatedLastTimestamp: ago(minute),
    });
    await using scene = await AgingTable.of(old, []);
    await scene.shard.want({ feeds: [feedOf(renamed)] });
    scene.writer.columns(printedTable(old, [], start).columns);
    using relist = scene.writer.relist('row');
    relist.add([Buffer.from(JSON.stringify({ ...row, object }))]);
    relist.commit('10');
    for (const age of ages) {
      scene.now = start + age;
      const { cells } = printedTable(old, [inCore], scene.now).rows[0]!;
      expect(await scene.read()).toEqual([{ cells, object }]);
    }
  });

  it('the last restart of a pod, of those containers whose restarts count', async () => {
    const ended = fc.option(
      fc.constantFrom(10 * second, 3 * minute, 2 * hour, 5 * day).map((age) => ({ finishedAt: ago(age), exitCode: 1 })),
      { nil: undefined },
    );
    const status = (names: readonly string[]) =>
      fc.record({
        name: fc.constantFrom(...names),
        restartCount: fc.integer({ min: 0, max: 3 }),
        ready: fc.boolean(),
        started: fc.boolean(),
        lastState: fc.record({ terminated: ended }),
        state: fc.constantFrom(
          {},
          { running: { startedAt: ago(0) } },
          { terminated: { exitCode: 0 } },
          { terminated: { exitCode: 1 } },
          { waiting: { reason: 'CrashLoopBackOff' } },
        ),
      });
    const drawn = fc.record({
      containerStatuses: fc.array(status(['c', 'd']), { maxLength: 3 }),
      initContainerStatuses: fc.option(fc.array(status(['i', 'sidecar', 'j']), { maxLength: 3 }), { nil: undefined }),
      conditions: fc.constantFrom(
        undefined,
        [{ type: 'Ready', status: 'True' }],
        [{ type: 'Initialized', status: 'True' }],
        [{ type: 'Initialized', status: 'False' }],
      ),
    });
    const pods = kindOf('', 'pods');
    const spec = {
      initContainers: [{ name: 'i' }, { name: 'sidecar', restartPolicy: 'Always' }, { name: 'j' }],
      containers: [{ name: 'c' }, { name: 'd' }],
    };
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { minLength: 1, maxLength: 9 }), async (all) => {
        await expectSame(
          pods,
          all.map((drawnStatus, index) => objectOf(pods, `p${index}`, { spec, status: drawnStatus })),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('events of a watch have the times at which they are sent', async () => {
    const kind = kindOf('', 'configmaps');
    const object = objectOf(kind, 'a', {});
    await using scene = await AgingTable.of(kind, [object]);
    const form = { as: 'Table', includeObject: 'Object' } as const;
    const at = await scene.shard.seqOf({ feed: 'x', version: '10' });
    const changed = { ...object, metadata: { ...object.metadata, resourceVersion: '11' } };
    scene.apply(changed, '11');
    scene.now = start + 7 * hour;
    const answer = await scene.shard.events({ feed: 'x', after: at.is === 'seq' ? at.seq : 0, form, bytes: 1e6 });
    expect(answer.is === 'events' && itemsOf(answer)).toEqual(printedTable(kind, [changed], scene.now).rows);
  });
});
