import { KubeClient } from '@fleet/client/kube-client.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemberRefusedError } from '../members/agent-tunnel.ts';
import { type Cluster, clustersPath } from '../members/cluster.ts';
import { FakeControlPlane } from '../testing/fake-control-plane.ts';
import { MemberIdentities } from './member-identity.ts';

let controlPlane: FakeControlPlane;
let identities: MemberIdentities;
/** As an informer that has not seen the latest. */
let known: Map<string, Cluster>;

const cluster = (name: string, id?: string): Cluster => ({
  metadata: { name, uid: `uid-of-${name}` },
  spec: { syncMode: 'Push', ...(id ? { id } : {}) },
});
const put = (...clusters: Cluster[]) => {
  for (const one of clusters) {
    controlPlane.put(clustersPath, one);
    known.set(one.metadata.name, one);
  }
};
const idOf = (name: string) => controlPlane.get<Cluster>(clustersPath, name).spec.id;

beforeEach(() => {
  controlPlane = new FakeControlPlane();
  known = new Map();
  const members = { cluster: (name: string) => known.get(name), allClusters: () => known.values() };
  identities = new MemberIdentities(members, new KubeClient(controlPlane.upstream));
});

describe('AGENT-9: which member it is', () => {
  it('the first uid is recorded, and is the one from then on', async () => {
    put(cluster('gondor'));
    await identities.check('gondor', 'one');
    expect(idOf('gondor')).toBe('one');
    await identities.check('gondor', 'one');
    await expect(identities.check('gondor', 'two')).rejects.toBeInstanceOf(MemberRefusedError);
    expect(idOf('gondor')).toBe('one');
  });

  it('another uid than the registered one is refused', async () => {
    put(cluster('gondor', 'one'));
    await identities.check('gondor', 'one');
    await expect(identities.check('gondor', 'two')).rejects.toThrow(
      'is another member than the one that was registered',
    );
  });

  it('one that another Cluster has is refused, also if both ask at once', async () => {
    put(cluster('rohan', 'one'), cluster('gondor'), cluster('mordor'));
    await expect(identities.check('gondor', 'one')).rejects.toThrow('already registered as cluster "rohan"');
    const both = await Promise.allSettled([identities.check('gondor', 'two'), identities.check('mordor', 'two')]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect([idOf('gondor'), idOf('mordor')]).toEqual(['two', undefined]);
  });

  it('a Cluster that is gone keeps no uid', async () => {
    put(cluster('gondor'), cluster('mordor'));
    await identities.check('gondor', 'one');
    known.delete('gondor');
    await identities.check('mordor', 'one');
    expect(idOf('mordor')).toBe('one');
    await expect(identities.check('gondor', 'one')).rejects.toThrow('is not registered');
  });
});
