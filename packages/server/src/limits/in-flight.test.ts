import { describe, expect, it } from 'vitest';
import { incomingOf, targetOf } from '../testing/targets.ts';
import { createInFlight } from './in-flight.ts';

const one = (method: string, url: string) => {
  const gone = new AbortController();
  return { incoming: incomingOf(method, url, { signal: gone.signal }), target: targetOf(method, url), gone };
};

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
    for (const { incoming, target } of requests) expect(() => admit(incoming, target)).toThrow();
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
