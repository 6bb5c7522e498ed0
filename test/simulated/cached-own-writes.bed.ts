/** Own writes are read while the stream is late: 800 ms, which is still fresh. */

import type { KubeConfig } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addCached, cachedAnswers, maps, settled } from './src/cached-watching.ts';
import { type SimulatedFleet, startFleet } from './src/fleet.ts';
import { core, endpoint, register } from './src/registering.ts';
import { requestAs } from './src/request.ts';
import { send } from './src/send.ts';

const late = {
  file: 'cache/src/reflector/reflector.ts',
  from: '        this.applyLines(lines);\n',
  to: '        await new Promise((done) => setTimeout(done, 800));\n        this.applyLines(lines);\n',
};
const events = '/api/v1/namespaces/shop/events';
const json = { 'content-type': 'application/json' };
const merge = { 'content-type': 'application/merge-patch+json' };

let fleet: SimulatedFleet;
let admin: KubeConfig;
beforeAll(async () => {
  fleet = await startFleet({ members: [], mutant: late });
  await addCached(fleet, 'member1', ['a']);
  await register(fleet.controlPlane, 'core', { resourceSelectors: core('ConfigMap', 'Event') });
  admin = await fleet.config();
}, 120_000);
afterAll(() => fleet?.[Symbol.asyncDispose]());

const names = async (path: string) => {
  const { body } = await requestAs(admin, path);
  return (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);
};

/** Until a list comes from the cache, and shows this object. */
const untilCached = (path: string, name: string) =>
  vi.waitFor(async () => {
    const before = await cachedAnswers(admin);
    expect(await names(path)).toContain(`${name}.clusterspace.member1`);
    expect((await cachedAnswers(admin)) - before).toBe(1);
  }, settled);

describe('CACHE-7: own writes are read', () => {
  it('a patch that removes the last finalizer of an object that is being deleted', async () => {
    const { client } = fleet.members.get('member1')!;
    await client.create(maps, { metadata: { name: 'held', finalizers: ['example.dev/hold'] } });
    await client.delete(`${maps}/held`);
    await vi.waitFor(async () => {
      await untilCached(maps, 'held');
      const { body } = await requestAs(admin, `${endpoint}${maps}/held?resourceVersion=0`);
      expect(body).toHaveProperty('metadata.deletionTimestamp');
    }, settled);
    const path = `${maps}/held.clusterspace.member1`;
    const body = '{"metadata":{"finalizers":null}}';
    expect((await send(admin, { method: 'PATCH', path, headers: merge, body })).status).toBe(200);
    expect(await names(maps)).not.toContain('held.clusterspace.member1');
    expect((await send(admin, { path: `${endpoint}${maps}/held` })).status).toBe(404);
  });

  it('an Event that is written as one of events.k8s.io', async () => {
    const about = { kind: 'ConfigMap', name: 'a', namespace: 'shop' };
    const first = { metadata: { name: 'first' }, involvedObject: about, reason: 'A', type: 'Normal', message: 'x' };
    await fleet.members.get('member1')!.client.create(events, first);
    await untilCached(events, 'first');
    const body = JSON.stringify({
      metadata: { name: 'second.clusterspace.member1' },
      regarding: about,
      ...{ reason: 'Tested', type: 'Normal', note: 'x', action: 'Testing', eventTime: '2026-01-01T00:00:00.000000Z' },
      ...{ reportingController: 'example.dev/c', reportingInstance: 'c' },
    });
    const path = '/apis/events.k8s.io/v1/namespaces/shop/events';
    const made = await send(admin, { method: 'POST', path, headers: json, body });
    expect(made.status, made.text).toBe(201);
    expect(await names(events)).toContain('second.clusterspace.member1');
  });
});
