import type { KubeClient } from '@fleet/client/kube-client.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import type { Cluster } from '../cluster.ts';
import { correctAddresses, type FormerMember, untilRejoined } from './rejoined.ts';

const { signal } = new AbortController();

const old = 'https://127.0.0.1:1001';
const now = 'https://127.0.0.1:2002';

const memberOf = (id: string, more: Partial<FormerMember> = {}): FormerMember => ({
  url: now,
  formerUrls: [old],
  client: { get: async () => ({ metadata: { uid: id } }) } as unknown as KubeClient,
  ...more,
});

const clusterOf = (name: string, id: string, apiEndpoint: string | undefined, ready = 'True') =>
  ({
    metadata: { name },
    spec: { id, syncMode: 'Push', ...(apiEndpoint && { apiEndpoint }) },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  }) as unknown as Cluster;

function controlPlaneOf(...clusters: Cluster[]) {
  const patched: [string, unknown][] = [];
  const client = {
    list: async () => ({ items: clusters }),
    patch: async (path: string, _: string, patch: unknown) => void patched.push([path.split('/').at(-1)!, patch]),
  };
  return { patched, controlPlane: client as unknown as KubeClient };
}

describe('the address of a member that an earlier start joined', () => {
  const corrected = async (member: FormerMember, ...clusters: Cluster[]) => {
    const { controlPlane, patched } = controlPlaneOf(...clusters);
    await correctAddresses([member], { controlPlane, signal });
    return patched;
  };
  const toNow = { spec: { apiEndpoint: now } };

  it('is corrected if it is a former one, by whatever name a user registered the member', async () => {
    expect(await corrected(memberOf('a'), clusterOf('renamed', 'a', old))).toEqual([['renamed', toNow]]);
    const twice = memberOf('a', { formerUrls: ['https://127.0.0.1:1003', old] });
    expect(await corrected(twice, clusterOf('tokyo', 'a', old))).toEqual([['tokyo', toNow]]);
  });

  it('stays if it is right', async () => {
    expect(await corrected(memberOf('a', { formerUrls: [now] }), clusterOf('tokyo', 'a', now))).toEqual([]);
  });

  it('stays if a user gave it one of their own', async () => {
    expect(await corrected(memberOf('a'), clusterOf('tokyo', 'a', 'https://tunnel:6443'))).toEqual([]);
    expect(await corrected(memberOf('a'), clusterOf('tokyo', 'a', undefined))).toEqual([]);
  });

  it('is not that of another cluster with its name, or at its former address', async () => {
    expect(await corrected(memberOf('a'), clusterOf('tokyo', 'b', old))).toEqual([]);
  });
});

describe('members that an earlier start joined', () => {
  const unreachable = () => Promise.reject(new StatusError(503, 'ServiceUnavailable', 'unreachable'));

  function rejoined(
    clusters: Cluster[],
    answer: (path: string, signal: AbortSignal) => Promise<unknown>,
    within = 300,
  ) {
    const fleet = { get: answer } as unknown as KubeClient;
    const members = [memberOf('a'), memberOf('b')];
    return untilRejoined(members, { controlPlane: controlPlaneOf(...clusters).controlPlane, fleet, signal, within });
  }
  const both = [clusterOf('tokyo', 'a', now), clusterOf('virginia', 'b', now)];

  it('are ready when they answer through the fleet, once each', async () => {
    const asked: string[] = [];
    const answer = async (path: string) => {
      asked.push(path);
      // The fleet needs a moment to connect.
      return asked.length === 1 ? unreachable() : {};
    };
    expect(await rejoined(both, answer, 30_000)).toBe('all are ready');
    const [tokyo, virginia] = ['/clusterspaces/tokyo/version', '/clusterspaces/virginia/version'];
    expect(asked).toEqual([tokyo, virginia, tokyo]);
  });

  it('are not ready because the previous start found them so', async () => {
    expect(await rejoined(both, (path) => (path.includes('tokyo') ? unreachable() : Promise.resolve({})))).toBe(
      '1 of 2 are ready',
    );
  });

  it('are not ready because they answer, as long as the fleet does not find them so', async () => {
    const clusters = [both[0]!, clusterOf('virginia', 'b', now, 'False')];
    expect(await rejoined(clusters, () => Promise.resolve({}))).toBe('1 of 2 are ready');
  });

  it('are not waited for once a user took them out', async () => {
    expect(await rejoined([both[0]!], () => Promise.resolve({}), 30_000)).toBe('1 of 2 are ready');
  });

  it('do not hold up the start by being silent', async () => {
    const silent = (_: string, aborted: AbortSignal) =>
      new Promise((_, reject) => {
        aborted.addEventListener('abort', () => reject(aborted.reason), { once: true });
      });
    expect(await rejoined(both, silent)).toBe('0 of 2 are ready');
  });

  it('an interruption ends the wait, with its reason', async () => {
    const ending = new AbortController();
    const fleet = {
      get: () => {
        ending.abort(new Error('Ctrl-C'));
        return unreachable();
      },
    } as unknown as KubeClient;
    const { controlPlane } = controlPlaneOf(...both);
    const waiting = untilRejoined([memberOf('a')], { controlPlane, fleet, signal: ending.signal });
    await expect(waiting).rejects.toThrow('Ctrl-C');
  });
});
