import { ScriptedMember } from '@fleet/cache/reflector/testing/scripted-member.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../testing/silent-log.ts';
import { retryBelow, retryInterval } from './full-retries.ts';
import { ResourceCache } from './resource-cache.ts';

const pods = { group: '', version: 'v1', resource: 'pods', namespace: undefined };

const limit = 1_000_000;
const patiently = { timeout: 10_000 };

test('CACHE-18: what does not fit is tried again from time to time while memory is free', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const names = Array.from({ length: 6_000 }, (_, index) => `pod-${index}`);
  const member = new ScriptedMember(5, names);
  await using cache = new ResourceCache({
    memory: limit,
    memberOf: () => ({ control: member, isReady: () => true }),
    log: silentLog().log,
  });
  cache.want([{ id: 'pods', cluster: 'm1', member: 'm1', ...pods, kind: 'Pod', namespaced: true }]);
  await vi.waitFor(() => expect(cache.stateOf('m1', pods)).toMatchObject({ is: 'full' }), patiently);
  // What was listed before it was full is released again.
  await vi.waitFor(async () => expect((await cache.stat()).bytes).toBeLessThan(limit * retryBelow), patiently);
  const before = member.count('limit=500 Table');
  vi.advanceTimersByTime(retryInterval);
  await vi.waitFor(() => expect(member.count('limit=500 Table')).toBeGreaterThan(before), patiently);
});
