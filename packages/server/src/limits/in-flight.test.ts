import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { incomingOf, targetOf } from '../testing/targets.ts';
import { createInFlight } from './in-flight.ts';

const one = (method: string, url: string) => {
  const gone = new AbortController();
  return { incoming: incomingOf(method, url, { signal: gone.signal }), target: targetOf(method, url), gone };
};

describe('LIMIT-1: writes above the limit', () => {
  afterEach(() => void vi.useRealTimers());
  const url = '/clusterspaces/m1/api/v1/namespaces/a/configmaps/x';

  it('wait for their turn in the order of arrival, as many as may be under way', async () => {
    const { admit, underWay } = createInFlight({ reads: 1, writes: 2 });
    const requests = Array.from({ length: 5 }, () => one('PATCH', url));
    const begun: number[] = [];
    const admitted = requests.slice(0, 4).map(async ({ incoming, target }, index) => {
      await admit(incoming, target);
      begun.push(index);
    });
    await Promise.all(admitted.slice(0, 2));
    expect(begun).toEqual([0, 1]);
    expect(() => admit(requests[4]!.incoming, requests[4]!.target)).toThrow(expect.objectContaining({ code: 429 }));
    requests[1]!.gone.abort();
    await admitted[2];
    expect(begun).toEqual([0, 1, 2]);
    requests[0]!.gone.abort();
    await admitted[3];
    expect(underWay).toEqual({ reads: 0, writes: 2 });
    for (const { gone } of requests) gone.abort();
    expect(underWay).toEqual({ reads: 0, writes: 0 });
  });

  it('listen to their clients for one thing only once their turn has come', async () => {
    const { admit } = createInFlight({ reads: 1, writes: 1 });
    const [first, next] = [one('PUT', url), one('PUT', url)];
    await admit(first.incoming, first.target);
    const turn = admit(next.incoming, next.target);
    first.gone.abort();
    await turn;
    expect(getEventListeners(next.gone.signal, 'abort')).toHaveLength(1);
  });

  it('are 429 after five seconds, and leave nothing behind when their clients are gone', async () => {
    vi.useFakeTimers();
    const { admit, underWay } = createInFlight({ reads: 1, writes: 1 });
    const [first, late, gone, next] = Array.from({ length: 4 }, () => one('PUT', url));
    await admit(first!.incoming, first!.target);
    const refused = expect(admit(late!.incoming, late!.target)).rejects.toMatchObject({ code: 429 });
    await vi.advanceTimersByTimeAsync(5_000);
    await refused;
    const left = expect(admit(gone!.incoming, gone!.target)).rejects.toThrow();
    gone!.gone.abort();
    await left;
    const turn = admit(next!.incoming, next!.target);
    first!.gone.abort();
    await turn;
    expect(underWay.writes).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('LIMIT-1: requests in flight', () => {
  it('one too many is 429 with Retry-After, until another has ended', () => {
    const { admit, underWay } = createInFlight({ reads: 2, writes: 1 });
    const requests = [1, 2, 3].map(() => one('GET', '/clusterspaces/m1/api/v1/pods'));
    for (const { incoming, target } of requests.slice(0, 2)) admit(incoming, target);
    const [first, , third] = requests;
    const again = () => admit(third!.incoming, third!.target);
    expect(again).toThrow(
      expect.objectContaining({ code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } }),
    );
    first!.gone.abort();
    again();
    expect(underWay).toEqual({ reads: 2, writes: 0 });
  });

  it('reads and writes are counted apart', () => {
    const { admit } = createInFlight({ reads: 1, writes: 1 });
    const url = '/clusterspaces/m1/api/v1/namespaces/a/configmaps/x';
    const requests = [one('GET', url), one('PUT', url)];
    for (const { incoming, target } of requests) admit(incoming, target);
    const [read] = requests;
    expect(() => admit(read!.incoming, read!.target)).toThrow();
    const other = one('PUT', url);
    const waits = admit(other.incoming, other.target);
    other.gone.abort();
    return expect(waits).rejects.toThrow();
  });

  it.each([
    '/clusterspaces/m1/api/v1/pods?watch=1',
    '/clusterspaces/m1/api/v1/namespaces/a/pods/x/exec',
    '/clusterspaces/m1/api/v1/namespaces/a/pods/x/log?follow=true',
    '/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy/api/v1/pods?watch=true',
    '/healthz',
    '/metrics',
  ])('%s is never one too many', (url) => {
    const { admit, underWay } = createInFlight({ reads: 1, writes: 1 });
    for (let i = 0; i < 3; i++) admit(one('GET', url).incoming, one('GET', url).target);
    expect(underWay).toEqual({ reads: 0, writes: 0 });
  });

  it('0 is no limit', () => {
    const { admit, underWay } = createInFlight({ reads: 0, writes: 0 });
    const { incoming, target } = one('GET', '/clusterspaces/m1/api/v1/pods');
    for (let i = 0; i < 1000; i++) admit(incoming, target);
    expect(underWay.reads).toBe(1000);
  });
});
