import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeUpstream, openBody, replyOf, silence, statusReply } from '../testing/fake-upstream.ts';
import { silentLog } from '../testing/silent-log.ts';
import { ApiChanges } from './api-changes.ts';
import { Discovery } from './discovery.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const event = '{"type":"ADDED","object":{"kind":"PartialObjectMetadata"}}\n';

describe('DISC-3: changes of CRDs', () => {
  it('are watched by name alone, with APIServices; what comes together counts once', async () => {
    const { body, write, aborted } = openBody();
    const upstream = new FakeUpstream((call) =>
      call.path.includes('customresource') ? { status: 200, headers: {}, body } : silence(call),
    );
    const onChange = vi.fn();
    const changes = new ApiChanges(onChange);
    changes.follow([{ name: 'm1', upstream }]);
    changes.follow([{ name: 'm1', upstream }]);
    expect(upstream.paths).toEqual([
      'GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions?watch=true&timeoutSeconds=600',
      'GET /apis/apiregistration.k8s.io/v1/apiservices?watch=true&timeoutSeconds=600',
    ]);
    expect(upstream.calls[0]?.headers['accept']).toContain('as=PartialObjectMetadata');
    write(event + event);
    await vi.waitFor(() => expect(onChange.mock.calls).toEqual([['m1']]));
    write(event);
    await vi.waitFor(() => expect(onChange.mock.calls).toEqual([['m1'], ['m1']]));
    write('\n'.repeat(1_000));
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(3));
    changes.follow([]);
    expect(upstream.calls.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    body.cancel();
    await aborted;
  });

  it.each([
    ['an event', 200],
    ['a refusal', 403],
  ])('SEC-2: %s that is larger than an object may be ends the watch', async (_, status) => {
    const { body, write, aborted } = openBody(1_000);
    const upstream = new FakeUpstream((call) =>
      call.path.includes('customresource') ? { status, headers: {}, body } : silence(call),
    );
    using changes = new ApiChanges(() => {});
    changes.follow([{ name: 'm1', upstream }]);
    write('x'.repeat(2_000));
    await aborted;
  });

  it.each([
    ['refused', () => statusReply(403, 'Forbidden', 'no'), [60_000, 60_000, 60_000]],
    ['away', () => Promise.reject(new Error('away')), [1_000, 2_000, 4_000]],
  ])('a watch that is %s is asked for again, later', async (_, answer, pauses) => {
    const upstream = new FakeUpstream(answer);
    const waited: number[] = [];
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    const changes = new ApiChanges(
      () => {},
      async (ms) => {
        waited.push(ms);
        // Two watches, each three times.
        if (waited.length >= 6) changes[Symbol.dispose]();
        if (waited.length === 6) resolve();
      },
    );
    changes.follow([{ name: 'm1', upstream }]);
    await enough;
    expect(waited.slice(0, 6)).toEqual(pauses.flatMap((ms) => [ms, ms]));
  });
});

it('DISC-3: a change of CRDs is in the union in a moment, without a request that asks for it', async () => {
  const { body, write } = openBody();
  let groups = ['a'];
  const upstream = new FakeUpstream((call) => {
    if (call.path.includes('customresource')) return { status: 200, headers: {}, body };
    if (call.path.includes('apiservices')) return silence(call);
    const items = groups.map((name) => ({ metadata: { name }, versions: [{ version: 'v1' }] }));
    return replyOf(200, { kind: 'APIGroupDiscoveryList', items, paths: {} });
  });
  const discovery = new Discovery(() => [{ name: 'm1', upstream }], silentLog().log);
  const groupsOf = async () => (await discovery.union()).groups.items.map(({ metadata }) => metadata.name);
  using _ = discovery.keepFresh();
  expect(await groupsOf()).toEqual(['a']);
  groups = ['a', 'b'];
  expect(await groupsOf()).toEqual(['a']);
  const reads = () => upstream.paths.filter((path) => path === 'GET /apis').length;
  write(event.repeat(50));
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(100);
    expect(await groupsOf()).toEqual(['a', 'b']);
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads()).toBe(4);
});
