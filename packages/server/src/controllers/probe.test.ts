import { expect, it } from 'vitest';
import { FakeUpstream, replyOf } from '../testing/fake-upstream.ts';
import { probe, readVersion } from './probe.ts';

const { signal } = new AbortController();

it('SEC-2: a member whose word takes more than 1 MiB has not given it', async () => {
  const filler = 'x'.repeat(1024 * 1024);
  const upstream = new FakeUpstream(() => replyOf(200, { gitVersion: 'v1.36.3', filler }));
  expect(await probe(upstream, signal)).toMatchObject({ status: 'False', reason: 'ClusterNotReachable' });
  expect(await readVersion(upstream, signal)).toBeUndefined();
});
