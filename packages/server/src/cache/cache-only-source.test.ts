import { ManualClock } from '@fleet/client/testing/manual-clock.ts';
import { expect, test } from 'vitest';
import { impersonationForMember } from '../members/impersonation.ts';
import { FakeUpstream, replyOf } from '../testing/fake-upstream.ts';
import { targetOf } from '../testing/targets.ts';
import { alice } from '../testing/watch-fleet.ts';
import { cacheOnlySource } from './cache-only-source.ts';
import type { CachedFeed } from './cached-feed.ts';
import type { CachedSourcesOptions } from './cached-sources.ts';
import { MemberPermissions } from './member-permissions.ts';

const { signal } = new AbortController();
const selection = { text: '', labelSelector: '', fieldSelector: '', includeObject: undefined };
const query = { limit: undefined, timeout: undefined, selection, at: { is: 'any' } as const };

function searchAs(name: string, answer: { allowed: boolean } | undefined) {
  const reviews = new FakeUpstream(() => (answer ? replyOf(201, { status: answer }) : replyOf(500, {})));
  const member = { id: 'uid-1', impersonator: reviews, rbac: undefined, canDeny: false, ready: true };
  const permissions = new MemberPermissions({ clock: new ManualClock(), memberOf: () => member });
  const shard = { seqOf: async () => ({ is: 'seq', seq: 1 }), read: async () => ({ is: 'gone' }) };
  const feed = { shard, isFresh: () => true, isShapeKnown: () => true, staleSince: () => undefined };
  const options = {
    permissions,
    cache: { feedOf: () => feed as unknown as CachedFeed },
    onCached: () => {},
  } as unknown as CachedSourcesOptions;
  const target = targetOf('GET', '/api/v1/namespaces/web/pods');
  const identity = impersonationForMember({ ...alice, name }, undefined);
  return { reviews, source: cacheOnlySource(options, { cluster: 'm1', target, identity }) };
}

test('CACHE-15: a refused user is refused by one review of each question, under their own name', async () => {
  const { reviews, source } = searchAs('Zoë', { allowed: false });
  const answer = await source.list({ query, form: 'object', signal });
  const message = expect.stringContaining('User "Zoë" cannot list resource "pods"');
  expect(answer).toMatchObject({ is: 'refused', error: { code: 403, message } });
  // In the namespace, and in all.
  expect(reviews.calls).toHaveLength(2);
});

test('CACHE-15: a member that gives no answer to the reviews refuses nobody: it is missing', async () => {
  const { source } = searchAs('Zoë', undefined);
  expect(await source.list({ query, form: 'object', signal })).toMatchObject({ is: 'missing' });
});
