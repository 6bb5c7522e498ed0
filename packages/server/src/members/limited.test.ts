import { bodyOf } from '@fleet/client/reply-body.ts';
import type { BytesReply, UpstreamCall } from '@fleet/client/upstream.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FakeUpstream, openBody, replyOf, silence } from '../testing/fake-upstream.ts';
import { createMemberLimits, type Until } from './limited.ts';

const call = (signal = new AbortController().signal): UpstreamCall => ({
  method: 'GET',
  path: '/',
  headers: {},
  signal,
});
const busy = { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } };

afterEach(() => {
  vi.useRealTimers();
});

describe('LIMIT-2: requests to one member', () => {
  it('one too many waits, and is sent when another has been answered', async () => {
    const answers: ((reply: BytesReply) => void)[] = [];
    const upstream = new FakeUpstream(() => new Promise((resolve) => answers.push(resolve)));
    const m1 = createMemberLimits(2).limited('m1', upstream, 'read');
    const replies = [1, 2, 3].map(() => m1.call(call()));
    await vi.waitFor(() => expect(upstream.calls).toHaveLength(2));
    const open = openBody();
    answers[0]!({ status: 200, headers: {}, body: open.body });
    await replies[0];
    expect(upstream.calls).toHaveLength(2);
    open.body.end();
    await vi.waitFor(() => expect(upstream.calls).toHaveLength(3));
    for (const answer of answers) answer({ status: 200, headers: {}, body: bodyOf(Buffer.alloc(0)) });
    await Promise.all(replies);
  });

  it.each<[Until, number]>([
    ['read', 1],
    ['answered', 0],
  ])('a place is held until the answer is %s', async (until, inUse) => {
    const { body } = openBody();
    const limits = createMemberLimits(5);
    await limits.limited('m1', new FakeUpstream(() => ({ status: 200, headers: {}, body })), until).call(call());
    const inUseNow = () => [...limits.lines()][0]?.[1].inUse;
    expect(inUseNow()).toBe(inUse);
    body.cancel();
    expect(inUseNow()).toBe(0);
  });

  it('with the line full, or after 5 s in it, it is 429 with Retry-After', async () => {
    vi.useFakeTimers();
    const m1 = createMemberLimits(1).limited('m1', new FakeUpstream(silence), 'read');
    m1.call(call());
    const waiting = m1.call(call());
    const rejected = expect(waiting).rejects.toMatchObject(busy);
    await expect(m1.call(call())).rejects.toMatchObject({ ...busy, message: expect.stringContaining('"m1" is busy') });
    await vi.advanceTimersByTimeAsync(5_000);
    await rejected;
  });

  it('one user with many does not keep another waiting', async () => {
    const answers: (() => void)[] = [];
    const upstream = new FakeUpstream(
      () => new Promise((resolve) => answers.push(() => resolve(replyOf(200, { kind: 'PodList' })))),
    );
    const m1 = createMemberLimits(4).limited('m1', upstream, 'answered');
    const as = (name: string) => m1.call({ ...call(), headers: { 'impersonate-user': name } }).catch(() => undefined);
    for (let i = 0; i < 20; i++) void as('mallory');
    await vi.waitFor(() => expect(upstream.calls).toHaveLength(4));
    void as('alice');
    answers[0]!();
    answers[1]!();
    await vi.waitFor(() => expect(upstream.calls).toHaveLength(6));
    expect(upstream.calls.slice(4).map(({ headers }) => headers['impersonate-user'])).toContain('alice');
  });

  it('watches that begin in crowds wait for one another, and lists for none of them', async () => {
    const upstream = new FakeUpstream(silence);
    const limits = createMemberLimits(8);
    const [lists, watches] = [
      limits.limited('m1', upstream, 'answered'),
      limits.limited('m1', upstream, 'answered', 'watches'),
    ];
    const gone = new AbortController();
    const asked = Array.from({ length: 20 }, () => watches.call(call(gone.signal)).catch(() => {}));
    // A quarter of the places.
    expect(upstream.calls).toHaveLength(2);
    asked.push(...(Array.from({ length: 8 }, () => lists.call(call(gone.signal)).catch(() => {})) as Promise<void>[]));
    expect(upstream.calls).toHaveLength(10);
    expect([...limits.lines()][0]?.[1]).toEqual({ inUse: 10, waiting: 8 });
    gone.abort();
    await Promise.all(asked);
  });

  it('whoever waits past its own deadline hears the same', async () => {
    const m1 = createMemberLimits(1).limited('m1', new FakeUpstream(silence), 'read');
    m1.call(call());
    await expect(m1.call(call(AbortSignal.timeout(10)))).rejects.toMatchObject(busy);
  });

  it('a failure gives the place back', async () => {
    const limits = createMemberLimits(1);
    const failing = limits.limited('m1', new FakeUpstream(() => Promise.reject(new Error('broke'))), 'read');
    for (let i = 0; i < 3; i++) await expect(failing.call(call())).rejects.toThrow('broke');
  });

  it('members are counted apart, all transports to one together, and streams not at all', async () => {
    const limits = createMemberLimits(1);
    const [slow, fast] = [new FakeUpstream(silence), new FakeUpstream(() => replyOf(200, {}))];
    slow.upgradeAnswer = async () => ({ is: 'refused', reply: replyOf(403, {}) });
    limits.limited('m1', slow, 'read').call(call());
    expect(await limits.limited('m2', fast, 'read').call(call())).toMatchObject({ status: 200 });
    expect(await limits.limited('m1', slow, 'read').upgrade(call())).toMatchObject({ is: 'refused' });
    await expect(limits.limited('m1', fast, 'answered').call(call(AbortSignal.timeout(10)))).rejects.toMatchObject(
      busy,
    );
  });

  it('0 is no limit', () => {
    const upstream = new FakeUpstream(silence);
    expect(createMemberLimits(0).limited('m1', upstream, 'read')).toBe(upstream);
  });
});
