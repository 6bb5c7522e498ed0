import { ListGate } from '@fleet/cache/reflector/list-gate.ts';
import { ReplyBody } from '@fleet/client/reply-body.ts';
import { ManualClock, settled } from '@fleet/client/testing/manual-clock.ts';
import type { UpstreamCall } from '@fleet/client/upstream.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { RbacChanges } from './rbac-changes.ts';
import { rbacObject } from './rbac-reason.ts';

interface Thing {
  metadata: { name: string; namespace?: string; resourceVersion: string };
}

const thing = (name: string, resourceVersion: string, namespace?: string): Thing => ({
  metadata: { name, resourceVersion, ...(namespace === undefined ? {} : { namespace }) },
});

let clock: ManualClock;
let upstream: FakeUpstream;
let changes: RbacChanges;
let reported: string[];
/** By resource. */
let objects: Map<string, Thing[]>;
let streams: Map<string, ReplyBody>;
let version: string;

beforeEach(async () => {
  clock = new ManualClock();
  [objects, streams, version, reported] = [new Map(), new Map(), '10', []];
  upstream = new FakeUpstream(answer);
});
afterEach(() => changes[Symbol.asyncDispose]());

function answer({ path, signal }: UpstreamCall) {
  const [where, query = ''] = path.split('?');
  const resource = where!.split('/').at(-1)!;
  if (!query.includes('watch=true')) {
    const items = objects.get(resource) ?? [];
    return replyOf(200, { kind: 'PartialObjectMetadataList', metadata: { resourceVersion: version }, items });
  }
  const body = new ReplyBody({ pause() {}, resume() {}, abort() {} });
  signal.addEventListener('abort', () => body.fail(signal.reason));
  streams.set(resource, body);
  return { status: 200, headers: {}, body };
}

async function start() {
  changes = new RbacChanges({ member: 'm1', upstream, gate: new ListGate({ clock }), clock });
  changes.subscribe({ changed: (object) => reported.push(object), anythingChanged: () => reported.push('anything') });
  await clock.until(() => streams.size === 4);
  await clock.advance(1_000);
}

const send = async (resource: string, type: string, object: Thing) => {
  streams.get(resource)!.push(Buffer.from(`${JSON.stringify({ type, object })}\n`));
  await settled();
};

test('IMP-3: the four RBAC kinds are watched, as metadata alone', async () => {
  await start();
  expect([...streams.keys()].toSorted()).toEqual(['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles']);
  for (const { path, headers } of upstream.calls) {
    expect(path).toMatch(/^\/apis\/rbac\.authorization\.k8s\.io\/v1\//);
    expect(headers['accept']).toContain('as=PartialObjectMetadata');
  }
  expect(changes.isHealthy()).toBe(true);
});

test('the first list of each kind ends what was decided before, but is no event', async () => {
  await start();
  expect(reported).toEqual(['anything', 'anything', 'anything', 'anything']);
  expect(changes.lastChange).toBe(Number.NEGATIVE_INFINITY);
  expect(changes.knownSince).toBeGreaterThan(0);
});

test.each(['ADDED', 'MODIFIED', 'DELETED'])('each event reports its object: %s', async (type) => {
  await start();
  reported = [];
  await send('rolebindings', type, thing('b', '11', 'web'));
  await send('clusterroles', type, thing('a "quoted" näme', '12'));
  expect(reported).toEqual([rbacObject('RoleBinding', 'web', 'b'), rbacObject('ClusterRole', '', 'a "quoted" näme')]);
  expect(changes.lastChange).toBe(clock.now());
});

test('what there is is known by name, from lists and events', async () => {
  const [listed, added] = [rbacObject('Role', 'web', 'listed'), rbacObject('ClusterRoleBinding', '', 'added')];
  objects.set('roles', [thing('listed', '1', 'web')]);
  await start();
  expect([listed, added].map((one) => changes.has(one))).toEqual([true, false]);
  await send('clusterrolebindings', 'ADDED', thing('added', '11'));
  await send('roles', 'DELETED', thing('listed', '12', 'web'));
  expect([listed, added].map((one) => changes.has(one))).toEqual([false, true]);
  // Of another kind or namespace it is another object.
  expect(changes.has(rbacObject('ClusterRole', '', 'added'))).toBe(false);
  expect(changes.has(rbacObject('RoleBinding', 'web', 'added'))).toBe(false);
});

test('a list after a gap reports what differs, and nothing else', async () => {
  objects.set('roles', [thing('same', '1', 'web'), thing('changed', '2', 'web'), thing('gone', '3', 'web')]);
  await start();
  reported = [];
  objects.set('roles', [thing('same', '1', 'web'), thing('changed', '20', 'web'), thing('new', '21', 'web')]);
  version = '30';
  streams.get('roles')!.push(Buffer.from('{"type":"ERROR","object":{"kind":"Status","code":410,"message":"gone"}}\n'));
  await clock.until(() => reported.length === 3);
  expect(reported.toSorted()).toEqual(['changed', 'gone', 'new'].map((name) => rbacObject('Role', 'web', name)));
  expect(changes.lastChange).toBeGreaterThan(0);
});

test('a member that went back may have changed anything', async () => {
  await start();
  reported = [];
  version = '5';
  streams.get('roles')!.push(Buffer.from('{"type":"ERROR","object":{"kind":"Status","code":410,"message":"gone"}}\n'));
  await clock.until(() => reported.length > 0);
  expect(reported).toEqual(['anything']);
  expect(changes.lastChange).toBeGreaterThan(0);
});

test('healthy while all four bring something; one that is silent, broken or refused is enough', async () => {
  await start();
  const bookmarks = async () => {
    for (const resource of streams.keys()) await send(resource, 'BOOKMARK', thing('', '50'));
  };
  await clock.advance(60_000);
  await bookmarks();
  expect(changes.isHealthy()).toBe(true);
  await clock.advance(71_000);
  expect(changes.isHealthy()).toBe(false);
  await bookmarks();
  expect(changes.isHealthy()).toBe(true);
  upstream.answer = (call) => (call.path.includes('/roles') ? statusReply(403, 'Forbidden', 'no') : answer(call));
  streams.get('roles')!.end();
  await clock.advance(1_000);
  expect(changes.isHealthy()).toBe(false);
});

test('no listener is called after that', async () => {
  await start();
  const own: string[] = [];
  const subscription = changes.subscribe({ changed: (object) => own.push(object), anythingChanged() {} });
  subscription[Symbol.dispose]();
  await send('roles', 'ADDED', thing('b', '11', 'web'));
  expect(own).toEqual([]);
});

test('SEC-2: names that are too long are garbage, and nothing of them is kept', async () => {
  objects.set('roles', [thing('n'.repeat(5_000), '1', 'web')]);
  changes = new RbacChanges({ member: 'm1', upstream, gate: new ListGate({ clock }), clock });
  await clock.until(() => streams.size === 3);
  await clock.advance(1_000);
  expect(streams.has('roles')).toBe(false);
  expect(changes.isHealthy()).toBe(false);
});
