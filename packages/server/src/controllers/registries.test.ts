import { EventEmitter } from 'node:events';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { ManualClock } from '@fleet/client/testing/manual-clock.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FeedReport } from '../registries/feed-report.ts';
import type { RegistryStatus, ResourceRegistry } from '../registries/resource-registry.ts';
import { registriesPath } from '../registries/resource-registry.ts';
import type { RegistryWants, SelectedResource } from '../registries/wants.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { statusReply } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { writeRegistryStatus } from './registries.ts';

const pods: SelectedResource = {
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
  namespaces: undefined,
  authorization: 'Member',
  prunesManagedFields: false,
};
const resources = new Map([['/v1/pods', pods]]);
const wants: RegistryWants = { resources, disputed: new Map(), notServed: [], unknown: [], omitted: 0 };

/** One registry of the pods of two members, and what the cache reports of them. */
function scene(selected = wants) {
  const plane = new FakeControlPlane();
  const clock = new ManualClock();
  const reports = new Map<string, FeedReport>([
    ['m1', { is: 'synced', objects: 1, bytes: 10 }],
    ['m2', { is: 'filling', objects: 0, bytes: 0 }],
  ]);
  plane.put(registriesPath, { metadata: { name: 'r', uid: 'u', generation: 1 } });
  const stored = () => plane.get<ResourceRegistry>(registriesPath, 'r');
  const state = new EventEmitter<{ state: [] }>();
  const changed = new EventEmitter<{ changed: []; edited: [] }>();
  const { log, lines } = silentLog();
  const running = writeRegistryStatus({
    registries: {
      events: changed,
      *each() {
        const registry = stored();
        if (registry) yield { registry, wants: new Map([...reports.keys()].map((name) => [name, selected])) };
      },
      resourcesOf: () => resources,
    },
    cache: { events: state, stateOf: (cluster) => reports.get(cluster) },
    controlPlane: new KubeClient(plane.upstream),
    clock,
    log,
  });
  onTestFinished(() => running[Symbol.asyncDispose]());
  const report = (cluster: string, one: Partial<FeedReport>, isState = true) => {
    reports.set(cluster, { ...reports.get(cluster)!, ...one });
    if (isState) state.emit('state');
  };
  const status = () => stored().status as Required<RegistryStatus>;
  return { plane, clock, report, changed, state, status, stored, lines };
}

describe('CACHE-2: the status is written', () => {
  it('soon after something has happened, once for all that happens meanwhile', async () => {
    const { plane, clock, report, status } = scene();
    await clock.advance(10_000);
    expect(status().summary.progress).toBe('1/2');
    expect(plane.patches.map(({ path }) => path)).toEqual([`${registriesPath}/r/status`]);
    for (const is of ['unreachable', 'filling', 'unreachable', 'synced'] as const) report('m2', { is });
    await clock.advance(1_000);
    expect(status().conditions[0]).toMatchObject({ type: 'Synced', status: 'True', reason: 'AllSynced' });
    expect(plane.patches).toHaveLength(2);
  });

  it('for counts every 10 s, and not at all while nothing changes', async () => {
    const { plane, clock, report, status, state } = scene();
    await clock.advance(10_000);
    expect(plane.patches).toHaveLength(1);
    for (let second = 0; second < 9; second++) {
      report('m1', { objects: second + 2, lastEvent: clock.now() }, false);
      state.emit('state');
      await clock.advance(1_000);
    }
    expect(plane.patches).toHaveLength(1);
    await clock.advance(10_000);
    expect(status().summary.objects).toBe(10);
    expect(plane.patches).toHaveLength(2);
    const asked = plane.upstream.calls.length;
    for (let minute = 0; minute < 4; minute++) {
      report('m1', { lastEvent: clock.now() }, false);
      await clock.advance(60_000);
    }
    expect(plane.upstream.calls).toHaveLength(asked);
  });

  it('CACHE-3: a part whose kind is disputed is in it', async () => {
    const { clock, status } = scene({ ...wants, disputed: new Map([['/v1/odd', { ...pods, resource: 'odd' }]]) });
    await clock.advance(10_000);
    expect(status().resources).toContainEqual(expect.objectContaining({ resource: 'odd', reason: 'DisputedKind' }));
    expect(status().conditions[0]).toMatchObject({ reason: 'DisputedKind' });
  });

  it('again where somebody has removed it', async () => {
    const { plane, clock, status } = scene();
    await clock.advance(10_000);
    plane.put(registriesPath, { metadata: { name: 'r', uid: 'u', generation: 1 } });
    await clock.advance(10_000);
    expect(status().summary.progress).toBe('1/2');
  });

  it('CACHE-19: not over what another replica has written, before something has changed here', async () => {
    const { plane, clock, report, status, stored } = scene();
    await clock.advance(10_000);
    expect(plane.patches).toHaveLength(1);
    const others = () => {
      const { metadata, status: own } = stored();
      const conditions = own!.conditions!.map((one) => ({ ...one, message: 'of another cache' }));
      plane.put(registriesPath, { metadata, status: { ...own, conditions } } as ResourceRegistry);
    };
    others();
    await clock.advance(4 * 60_000);
    expect(plane.patches).toHaveLength(1);
    report('m2', { is: 'synced' });
    await clock.advance(1_000);
    expect(plane.patches).toHaveLength(2);
    expect(status().conditions[0]).toMatchObject({ reason: 'AllSynced', message: '2 of 2 synced.' });
    others();
    await clock.advance(6 * 60_000);
    expect(plane.patches).toHaveLength(3);
  });

  it('once more where somebody else wrote in between, and theirs stays', async () => {
    const { plane, clock, status, stored } = scene();
    const answer = plane.upstream.answer.bind(plane.upstream);
    const other = { type: 'Other', status: 'True', reason: 'R', message: 'm', lastTransitionTime: 't' } as const;
    let isFirst = true;
    plane.upstream.answer = (call) => {
      if (call.method === 'PATCH' && isFirst) {
        isFirst = false;
        const { metadata } = stored();
        plane.put(registriesPath, { metadata, status: { conditions: [other] } } as ResourceRegistry);
      }
      return answer(call);
    };
    await clock.advance(10_000);
    expect(status().conditions.map(({ type }) => type)).toEqual(['Other', 'Synced']);
  });

  it('later where the control plane refuses it, and not for one that is gone', async () => {
    const { plane, clock, status, lines } = scene();
    const answer = plane.upstream.answer.bind(plane.upstream);
    plane.upstream.answer = () => statusReply(500, 'InternalError', 'no');
    await clock.advance(10_000);
    expect(lines).toMatchObject([{ level: 'warn', registry: 'r' }]);
    plane.upstream.answer = answer;
    await clock.advance(10_000);
    expect(status().summary.progress).toBe('1/2');
    plane.upstream.answer = () => statusReply(404, 'NotFound', 'gone');
    plane.put(registriesPath, { metadata: { name: 'r', uid: 'u', generation: 2 } });
    await clock.advance(10_000);
    expect(lines).toHaveLength(1);
  });
});
