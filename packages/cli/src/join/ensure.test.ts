import { KubeClient } from '@fleet/client/kube-client.ts';
import { bodyOf } from '@fleet/client/reply-body.ts';
import type { Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { describe, expect, test } from 'vitest';
import { managed } from '../labels.ts';
import { covers, ensure } from './ensure.ts';
import { cacheGrant } from './grants.ts';
import { Journal } from './journal.ts';
import { type Manifest, namespace, pathOf } from './manifest.ts';
import { kindsPermissions } from './member-objects.ts';

const desired = namespace('fleet-system');
const role = kindsPermissions({ metadata: { name: 'fleet-system', uid: 'uid-0' } }, cacheGrant, [])[0]!;

/** Holds at most one object, enough for the decisions of `ensure`. */
function store(first?: Manifest, loseAnswerTo?: string) {
  let object = first;
  const methods: string[] = [];
  const upstream = {
    async call({ method, body }: UpstreamCall) {
      methods.push(method);
      if (method === 'POST' || (method === 'PATCH' && object)) {
        object = { ...object, ...JSON.parse(String(body)) } as Manifest;
        object.metadata.uid ??= 'uid-1';
      }
      const answer = object;
      if (method === 'DELETE') object = undefined;
      if (method === loseAnswerTo) throw new UnreachableError(true, {});
      const reply = answer ?? { kind: 'Status', code: 404, message: 'not found' };
      return { status: answer ? 200 : 404, headers: {}, body: bodyOf(Buffer.from(JSON.stringify(reply))) };
    },
  } as unknown as Upstream;
  const journal = new Journal();
  const { signal } = new AbortController();
  return { options: { client: new KubeClient(upstream), journal, signal }, methods, journal, left: () => object };
}

describe('CLU-2', () => {
  test('what is missing is made, and can be undone', async () => {
    const { options, journal, methods, left } = store();
    expect((await ensure(desired, options)).outcome).toBe('made');
    expect(methods).toEqual(['GET', 'POST']);
    await journal.undo(options.signal);
    expect(left()).toBeUndefined();
  });

  test('what is there is kept, and not undone', async () => {
    const { options, journal, methods } = store({ ...desired.object, status: { phase: 'Active' } });
    expect((await ensure(desired, options)).outcome).toBe('kept');
    expect(methods).toEqual(['GET']);
    expect(journal.empty).toBe(true);
  });

  test('what differs is repaired, and not undone', async () => {
    const { options, journal } = store({ ...desired.object, spec: { finalizers: [] } });
    const changed = { ...desired, object: { ...desired.object, spec: { finalizers: ['x'] } } };
    expect((await ensure(changed, options)).outcome).toBe('repaired');
    expect(journal.empty).toBe(true);
  });

  test('a field that the user chose is changed, and restored by an undo', async () => {
    const found = { ...role.object, rules: [{ verbs: ['get'] }] };
    const { options, journal, left } = store(found);
    expect((await ensure(role, { ...options, chosen: 'rules' })).outcome).toBe('changed');
    expect(left()?.rules).toEqual(role.object.rules);
    expect(await journal.undo(options.signal)).toEqual([]);
    expect(left()?.rules).toEqual(found.rules);
  });

  test('a field that may have been changed, the answer being lost, is restored', async () => {
    const found = { ...role.object, rules: [{ verbs: ['get'] }] };
    const { options, journal, left } = store(found, 'PATCH');
    await expect(ensure(role, { ...options, chosen: 'rules' })).rejects.toThrow(UnreachableError);
    expect(left()?.rules).toEqual(role.object.rules);
    const behind = await journal.undo(options.signal);
    expect(left()?.rules).toEqual(found.rules);
    expect(behind.map(({ what }) => what)).toEqual(['ClusterRole fleet:cache with new rules']);
  });

  test('a changed object that was removed meanwhile needs no undo', async () => {
    const { options, journal } = store({ ...role.object, rules: [] });
    await ensure(role, { ...options, chosen: 'rules' });
    await options.client.delete(pathOf(role), {}, options.signal);
    expect(await journal.undo(options.signal)).toEqual([]);
  });

  test('where the chosen field is as it should be, the rest is repaired, and not undone', async () => {
    const { options, journal } = store({ ...role.object, metadata: { ...role.object.metadata, name: 'other' } });
    expect((await ensure(role, { ...options, chosen: 'rules' })).outcome).toBe('repaired');
    expect(journal.empty).toBe(true);
  });

  test("what is somebody else's is refused", async () => {
    const { options, methods } = store({ metadata: { name: 'fleet-system' } });
    await expect(ensure(desired, options)).rejects.toThrow('was not made by fleet');
    expect(methods).toEqual(['GET']);
  });

  test('what may have been made, the answer being lost, is undone', async () => {
    const { options, journal, left } = store(undefined, 'POST');
    await expect(ensure(desired, options)).rejects.toThrow(UnreachableError);
    expect(left()).toBeDefined();
    await journal.undo(options.signal);
    expect(left()).toBeUndefined();
  });
});

test('covers: fields may be added, lists may not be longer', () => {
  expect(covers({ a: 1, b: { c: [{ d: 1, e: 2 }] } }, { b: { c: [{ d: 1 }] } })).toBe(true);
  expect(covers({ c: [1, 2] }, { c: [1] })).toBe(false);
  expect(covers({ c: null }, { c: { d: 1 } })).toBe(false);
  expect(covers({ labels: managed }, { labels: {} })).toBe(true);
});
