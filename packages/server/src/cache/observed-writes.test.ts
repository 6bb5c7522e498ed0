import { ReplyBody } from '@fleet/client/reply-body.ts';
import { type BytesReply, UnreachableError, type Upstream, type UpstreamCall } from '@fleet/client/upstream.ts';
import type { Verb } from '@fleet/kube/request-info.ts';
import { describe, expect, it } from 'vitest';
import { BusyError } from '../members/limited.ts';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { isWrite, type Observed, observingWrite, type WriteAsk } from './observed-writes.ts';

const call: UpstreamCall = {
  method: 'POST',
  path: '/api/v1/namespaces/shop/configmaps',
  headers: {},
  signal: new AbortController().signal,
};

interface Noted {
  writes: Observed[];
  reply: BytesReply | undefined;
}

async function noted(upstream: Upstream, verb: Verb, about: Partial<WriteAsk> = {}, path = call.path): Promise<Noted> {
  const writes: Observed[] = [];
  const maps = { group: '', version: 'v1', resource: 'configmaps', subresource: undefined, rest: [] };
  const ask = { is: 'resource', verb, namespace: 'shop', name: 'a', ...maps, ...about } as WriteAsk;
  const observed = observingWrite(upstream, ask, (write) => writes.push(write));
  const reply = await observed.call({ ...call, path }).catch(() => undefined);
  return { writes, reply };
}

const made = { kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '7' } };
const answering = (answer: () => BytesReply) => new FakeUpstream(answer);
/** A reply of JSON, as members send it. */
const json = (status: number, body: object): BytesReply => ({
  ...replyOf(status, body),
  headers: { 'content-type': 'application/json' },
});

const protobuf = { 'content-type': 'application/vnd.kubernetes.protobuf' };

describe('CACHE-7: what a delete did', () => {
  const status = { kind: 'Status', status: 'Success', details: { name: 'a', uid: 'u1' } };
  const item = (name: string, uid: string) => ({ metadata: { name, namespace: 'shop', uid } });
  const objects = [{ key: 'shop/a', uid: 'u1' }];

  it.each<[string, Verb, object, Observed, Partial<WriteAsk>?]>([
    ['the uid of a Status', 'delete', status, { deleted: { objects } }],
    [
      'the uid and version of an object',
      'delete',
      { kind: 'Pod', metadata: { name: 'a', namespace: 'shop', uid: 'u1', resourceVersion: '7' } },
      { deleted: { objects, version: '7' } },
    ],
    [
      'those of a Namespace, which is in none',
      'delete',
      { ...status, details: { uid: 'u2' } },
      { deleted: { objects: [{ key: 'shop', uid: 'u2' }] } },
      { resource: 'namespaces', namespace: 'shop', name: 'shop' },
    ],
    [
      'those of a collection',
      'deletecollection',
      { kind: 'PodList', metadata: { resourceVersion: '9' }, items: [item('a', 'u1'), item('b', 'u2')] },
      { deleted: { objects: [...objects, { key: 'shop/b', uid: 'u2' }], version: '9' } },
    ],
    ['an eviction does not show its pod', 'create', { kind: 'Status' }, { evicted: true }, { subresource: 'eviction' }],
  ])('%s', async (_, verb, answer, expected, about) => {
    const { writes, reply } = await noted(
      answering(() => json(200, answer)),
      verb,
      about,
    );
    expect(writes).toEqual([expected]);
    expect(JSON.parse((await reply!.body.bytes()).toString())).toEqual(answer);
  });

  const held = { name: 'a', uid: 'u1', resourceVersion: '7', deletionTimestamp: '2026-01-01T00:00:00Z' };
  const finalized = { deleted: { objects: [{ ...objects[0]!, isGone: true as const }], version: '7' } };
  const inNamespaces = { resource: 'namespaces', namespace: 'shop', name: 'shop' };

  it.each<[string, Verb, object, Observed, Partial<WriteAsk>?]>([
    ['a patch that removes the last finalizer deletes the object', 'patch', { metadata: held }, finalized],
    ['so does an update', 'update', { metadata: { ...held, finalizers: [] } }, finalized],
    ['not one that leaves a finalizer', 'patch', { metadata: { ...held, finalizers: ['x'] } }, { version: '7' }],
    [
      'not one while the grace period runs',
      'patch',
      { metadata: { ...held, deletionGracePeriodSeconds: 30 } },
      { version: '7' },
    ],
    ['once it is over', 'patch', { metadata: { ...held, deletionGracePeriodSeconds: 0 } }, finalized],
    [
      'a Namespace that is finalized',
      'update',
      { metadata: held, spec: {} },
      { deleted: { objects: [{ key: 'shop', uid: 'u1', isGone: true }], version: '7' } },
      { ...inNamespaces, subresource: 'finalize' },
    ],
    [
      'one that still has a finalizer in its spec',
      'update',
      { metadata: held, spec: { finalizers: ['kubernetes'] } },
      { version: '7' },
      inNamespaces,
    ],
  ])('%s', async (_, verb, answer, expected, about) => {
    const upstream = answering(() => json(200, answer));
    expect((await noted(upstream, verb, about)).writes).toEqual([expected]);
  });

  it('a deletecollection that was refused at one object may have deleted others', async () => {
    const upstream = answering(() => statusReply(403, 'Forbidden', 'admission webhook "x" denied the request'));
    expect((await noted(upstream, 'deletecollection')).writes).toEqual([{ unconfirmed: true }]);
  });

  it('a value with the words of a dry run is none', async () => {
    const path = `${call.path}/a?fieldManager=a?dryRun=All`;
    expect(
      (
        await noted(
          answering(() => json(200, made)),
          'patch',
          {},
          path,
        )
      ).writes,
    ).toEqual([{ version: '7' }]);
  });

  it('a dry run does nothing', async () => {
    const upstream = answering(() => json(200, status));
    expect((await noted(upstream, 'delete', {}, `${call.path}/a?dryRun=All`)).writes).toEqual([]);
  });

  it('a collection of any size is passed on whole, and is unknown', async () => {
    const items = Array.from({ length: 20_000 }, (_, index) => item(`map-${index}`, `uid-${'x'.repeat(60)}-${index}`));
    const list = { kind: 'ConfigMapList', metadata: { resourceVersion: '9' }, items };
    const { body, bytes } = inChunks(Buffer.from(JSON.stringify(list)));
    const { writes, reply } = await noted(
      answering(() => ({ ...json(200, {}), body })),
      'deletecollection',
    );
    expect(writes).toEqual([{ unknown: true }]);
    const parts: Buffer[] = [];
    for await (const part of reply!.body) parts.push(part);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  it('a long collection that breaks off breaks off for the client, too', async () => {
    const { body } = inChunks(Buffer.alloc(2_000_000, ' '), new Error('lost'));
    const { reply } = await noted(
      answering(() => ({ ...json(200, {}), body })),
      'deletecollection',
    );
    await expect(Array.fromAsync(reply!.body)).rejects.toThrow('lost');
  });
});

/** As it arrives; without an error whole. */
function inChunks(bytes: Buffer, error?: Error): { body: ReplyBody; bytes: Buffer } {
  const body = new ReplyBody({ pause() {}, resume() {}, abort() {} });
  for (let at = 0; at < bytes.length; at += 100_000) body.push(bytes.subarray(at, at + 100_000));
  if (error) setImmediate(() => body.fail(error));
  else body.end();
  return { body, bytes };
}

describe('CACHE-7: what a write did is noted before its client learns of it', () => {
  it('by the version that the object got; the answer goes on whole', async () => {
    const { writes, reply } = await noted(
      answering(() => json(201, made)),
      'create',
    );
    expect(writes).toEqual([{ version: '7' }]);
    expect(JSON.parse((await reply!.body.bytes()).toString())).toEqual(made);
  });

  it.each<[string, Verb, () => BytesReply]>([
    ['a delete without a uid', 'delete', () => json(200, { kind: 'Status', status: 'Success' })],
    ['a collection without a version', 'deletecollection', () => json(200, { kind: 'ConfigMapList', items: [] })],
    [
      'a collection with an object that has no uid',
      'deletecollection',
      () => json(200, { metadata: { resourceVersion: '9' }, items: [{ metadata: { name: 'a' } }] }),
    ],
    ['a delete that is answered in another form', 'delete', () => ({ ...json(200, made), headers: protobuf })],
    ['an answer without a version', 'create', () => json(201, { kind: 'Status' })],
    ['an answer that is no JSON', 'update', () => ({ ...json(200, made), headers: { 'content-type': 'text/plain' } })],
  ])('%s is unknown', async (_, verb, answer) => {
    expect((await noted(answering(answer), verb)).writes).toEqual([{ unknown: true }]);
  });

  it.each<[string, () => BytesReply | Promise<BytesReply>]>([
    ['a failure', () => statusReply(504, 'Timeout', 'late')],
    ['no answer', () => Promise.reject(new UnreachableError(true, {}))],
    ['an abort by the client', () => Promise.reject(new DOMException('the client is gone', 'AbortError'))],
  ])('%s does not confirm it: it may have been done, or refused', async (_, answer) => {
    expect((await noted(new FakeUpstream(answer), 'patch')).writes).toEqual([{ unconfirmed: true }]);
  });

  it.each([new BusyError('m1'), new UnreachableError(false, {})])(
    'what was never sent wrote nothing: %s',
    async (error) => {
      const upstream = new FakeUpstream(() => Promise.reject(error));
      expect(await noted(upstream, 'patch')).toEqual({ writes: [], reply: undefined });
    },
  );

  it.each<Verb>(['update', 'delete', 'deletecollection'])(
    'the answer to a %s that breaks off after its headers is unknown',
    async (verb) => {
      const { body } = inChunks(
        Buffer.from('{"kind":"ConfigMap","metadata":{"name":"a",'),
        new Error('connection reset'),
      );
      const upstream = answering(() => ({ ...json(200, {}), body }));
      expect(await noted(upstream, verb)).toEqual({ writes: [{ unknown: true }], reply: undefined });
    },
  );

  it.each<[string, boolean]>([
    ['exec', false],
    ['token', false],
    ['eviction', true],
    ['status', true],
  ])('whether a create of the subresource %s writes an object', (subresource, writes) => {
    const of = { group: '', version: 'v1', resource: 'serviceaccounts', namespace: 'shop', name: 'a', rest: [] };
    expect(isWrite({ is: 'resource', verb: 'create', ...of, subresource })).toBe(writes);
  });

  it('a refusal wrote nothing', async () => {
    expect(
      (
        await noted(
          answering(() => statusReply(409, 'Conflict', 'changed')),
          'update',
        )
      ).writes,
    ).toEqual([]);
  });
});
