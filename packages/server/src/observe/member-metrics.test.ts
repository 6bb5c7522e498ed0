import { PassThrough } from 'node:stream';
import { ReplyBody } from '@fleet/client/reply-body.ts';
import { UnreachableError, type UpgradeReply, type UpstreamCall } from '@fleet/client/upstream.ts';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { FakeUpstream, replyOf } from '../testing/fake-upstream.ts';
import { createMemberMetrics } from './member-metrics.ts';

const call = (more: Partial<UpstreamCall> = {}): UpstreamCall => ({
  method: 'GET',
  path: '/',
  headers: {},
  signal: new AbortController().signal,
  ...more,
});

function metered(members = [{ name: 'm1', ready: true }]) {
  const registry = new Registry();
  const upstream = new FakeUpstream(() => replyOf(200, {}));
  const metrics = createMemberMetrics(registry, () => members);
  const lines = async (name: string) =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith(`fleet_member_${name}{`));
  return { upstream, metrics, m1: metrics.measured('m1', upstream), lines };
}

describe('metrics per member', () => {
  it('requests by class of code, time to the head, bytes in both directions', async () => {
    const { m1, upstream, lines } = metered();
    await (await m1.call(call({ body: Buffer.from('abc') }))).body.bytes();
    upstream.answer = () => replyOf(404, {});
    await (await m1.call(call())).body.bytes();
    expect(await lines('requests_total')).toEqual([
      'fleet_member_requests_total{cluster="m1",code="2xx"} 1',
      'fleet_member_requests_total{cluster="m1",code="4xx"} 1',
    ]);
    expect(await lines('request_duration_seconds_count')).toEqual([
      'fleet_member_request_duration_seconds_count{cluster="m1"} 2',
    ]);
    expect(await lines('sent_bytes_total')).toEqual(['fleet_member_sent_bytes_total{cluster="m1"} 3']);
    expect(await lines('received_bytes_total')).toEqual(['fleet_member_received_bytes_total{cluster="m1"} 4']);
    expect(await lines('open_answers')).toEqual(['fleet_member_open_answers{cluster="m1"} 0']);
  });

  it('a watch is open until it ends, is aborted or breaks; bytes count as they come', async () => {
    for (const end of ['end', 'cancel', 'fail'] as const) {
      const { m1, upstream, lines } = metered();
      const body = new ReplyBody({ pause() {}, resume() {}, abort() {} });
      body.push(Buffer.from('before '));
      upstream.answer = () => ({ status: 200, headers: {}, body });
      await m1.call(call());
      body.push(Buffer.from('after'));
      expect(await lines('open_answers')).toEqual(['fleet_member_open_answers{cluster="m1"} 1']);
      expect(await lines('received_bytes_total')).toEqual(['fleet_member_received_bytes_total{cluster="m1"} 12']);
      body[end](new Error('broke'));
      body.cancel();
      expect(await lines('open_answers')).toEqual(['fleet_member_open_answers{cluster="m1"} 0']);
    }
  });

  it('an upgraded stream is open until it closes', async () => {
    const { metrics, lines } = metered();
    const stream = new PassThrough();
    const upgraded: UpgradeReply = {
      is: 'upgraded',
      status: 101,
      statusText: 'Switching Protocols',
      headers: {},
      stream,
      head: Buffer.alloc(0),
    };
    const upstream = Object.assign(new FakeUpstream(() => replyOf(200, {})), { upgrade: async () => upgraded });
    await metrics.measured('m2', upstream).upgrade(call());
    expect(await lines('open_answers')).toEqual(['fleet_member_open_answers{cluster="m2"} 1']);
    stream.destroy();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(await lines('open_answers')).toEqual(['fleet_member_open_answers{cluster="m2"} 0']);
  });

  it('no answer is an error', async () => {
    const { m1, upstream, lines } = metered();
    upstream.answer = () => {
      throw new UnreachableError(false, {});
    };
    await expect(m1.call(call())).rejects.toThrow(UnreachableError);
    expect(await lines('errors_total')).toEqual(['fleet_member_errors_total{cluster="m1"} 1']);
    expect(await lines('open_answers')).toEqual([]);
  });

  it('health, as it is when asked; one that left leaves nothing', async () => {
    const members = [{ name: 'm1', ready: true }];
    const { metrics, m1, lines } = metered(members);
    await (await m1.call(call())).body.bytes();
    members[0]!.ready = false;
    expect(await lines('ready')).toEqual(['fleet_member_ready{cluster="m1"} 0']);
    members.pop();
    metrics.forget('m1');
    for (const name of ['ready', 'requests_total', 'open_answers', 'request_duration_seconds_count']) {
      expect(await lines(name)).toEqual([]);
    }
  });

  it('what was open when a cluster left ends without a trace, also when one of that name has joined since', async () => {
    const { metrics, m1, upstream, lines } = metered();
    const open = [0, 1, 2].map(() => new ReplyBody({ pause() {}, resume() {}, abort() {} }));
    const [first, second, third] = open as [ReplyBody, ReplyBody, ReplyBody];
    const answers = [...open];
    upstream.answer = () => ({ status: 200, headers: {}, body: answers.shift()! });
    await m1.call(call());
    const late = m1.call(call());
    metrics.forget('m1');
    await late;
    first.push(Buffer.from('after'));
    first.end();
    second.end();
    for (const name of ['open_answers', 'received_bytes_total', 'requests_total', 'sent_bytes_total']) {
      expect(await lines(name)).toEqual([]);
    }
    const again = new FakeUpstream(() => ({ status: 200, headers: {}, body: third }));
    await metrics.measured('m1', again).call(call());
    expect(await lines('open_answers')).toEqual(['fleet_member_open_answers{cluster="m1"} 1']);
    third.end();
    expect(await lines('open_answers')).toEqual(['fleet_member_open_answers{cluster="m1"} 0']);
  });

  it('one upstream is wrapped once', () => {
    const { metrics, upstream, m1 } = metered();
    expect(metrics.measured('m1', upstream)).toBe(m1);
  });
});
