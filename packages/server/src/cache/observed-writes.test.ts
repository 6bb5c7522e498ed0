import type { BytesReply, Upstream, UpstreamCall } from '@fleet/client/upstream.ts';
import type { Verb } from '@fleet/kube/request-info.ts';
import { describe, expect, it } from 'vitest';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { observingWrite } from './observed-writes.ts';
import type { Write } from './own-writes.ts';

const call: UpstreamCall = {
  method: 'POST',
  path: '/api/v1/namespaces/shop/configmaps',
  headers: {},
  signal: new AbortController().signal,
};

async function noted(upstream: Upstream, verb: Verb): Promise<{ writes: Write[]; reply: BytesReply | undefined }> {
  const writes: Write[] = [];
  const observed = observingWrite(upstream, verb, (write) => writes.push(write));
  const reply = await observed.call(call).catch(() => undefined);
  return { writes, reply };
}

const made = { kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '7' } };
const answering = (answer: () => BytesReply) => new FakeUpstream(answer);
/** A reply of JSON, as members send it. */
const json = (status: number, body: object): BytesReply => ({
  ...replyOf(status, body),
  headers: { 'content-type': 'application/json' },
});

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
    ['a delete', 'delete', () => json(200, { kind: 'Status', status: 'Success' })],
    ['a collection', 'deletecollection', () => json(200, { kind: 'ConfigMapList', items: [] })],
    ['an answer without a version', 'create', () => json(201, { kind: 'Status' })],
    ['an answer that is no JSON', 'update', () => ({ ...json(200, made), headers: { 'content-type': 'text/plain' } })],
    ['a failure, after which it may have been done', 'patch', () => statusReply(504, 'Timeout', 'late')],
  ])('%s is unknown', async (_, verb, answer) => {
    expect((await noted(answering(answer), verb)).writes).toEqual([{ unknown: true }]);
  });

  it('no answer at all is unknown', async () => {
    const lost = answering(() => {
      throw new Error('lost');
    });
    expect(await noted(lost, 'create')).toEqual({ writes: [{ unknown: true }], reply: undefined });
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
