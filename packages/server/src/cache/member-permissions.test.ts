import { ManualClock, settled } from '@fleet/client/testing/manual-clock.ts';
import type { Headers } from '@fleet/client/upstream.ts';
import { UnreachableError } from '@fleet/client/upstream.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { FakeUpstream, replyOf, silence, statusReply } from '../testing/fake-upstream.ts';
import { MemberPermissions } from './member-permissions.ts';
import type { RbacListener, RbacWatch } from './rbac-changes.ts';
import { rbacObject } from './rbac-reason.ts';
import { canDeny, type ReviewedMember } from './reviewed-member.ts';

interface Attributes {
  verb: string;
  namespace?: string;
  name?: string;
  fieldSelector?: { rawSelector: string };
  labelSelector?: { rawSelector: string };
}

class FakeRbac implements RbacWatch {
  healthy = true;
  lastChange = Number.NEGATIVE_INFINITY;
  knownSince = Number.NEGATIVE_INFINITY;
  readonly listeners = new Set<RbacListener>();
  readonly objects = new Set([binding, role, narrowBinding, narrowRole]);

  has(object: string): boolean {
    return this.objects.has(object);
  }

  isHealthy(): boolean {
    return this.healthy;
  }

  subscribe(listener: RbacListener): Disposable {
    this.listeners.add(listener);
    return { [Symbol.dispose]: () => void this.listeners.delete(listener) };
  }

  change(object: string): void {
    this.lastChange = clock.now();
    for (const { changed } of this.listeners) changed(object);
  }
}

const wideReason = 'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "view" to User "alice"';
const narrowReason = 'RBAC: allowed by RoleBinding "web-view/web" of Role "view" to User "alice"';
const binding = rbacObject('ClusterRoleBinding', '', 'all');
const role = rbacObject('ClusterRole', '', 'view');
const narrowBinding = rbacObject('RoleBinding', 'web', 'web-view');
const narrowRole = rbacObject('Role', 'web', 'view');
const unrelated = rbacObject('ClusterRole', '', 'other');
const { signal } = new AbortController();
const everything = { labelSelector: '', fieldSelector: '' };
const alice: Headers = { 'impersonate-user': 'alice', 'impersonate-group': ['dev', 'ops'] };

let clock: ManualClock;
let rbac: FakeRbac;
let upstream: FakeUpstream;
let member: ReviewedMember;
let permissions: MemberPermissions;
/** The reason of a yes, or undefined for a no. */
let decide: (attributes: Attributes, headers: Headers) => string | undefined;

const asked: Attributes[] = [];
beforeEach(() => {
  clock = new ManualClock();
  rbac = new FakeRbac();
  asked.length = 0;
  decide = () => wideReason;
  upstream = new FakeUpstream(({ body, headers }) => {
    const { spec } = JSON.parse(String(body)) as { spec: { resourceAttributes: Attributes } };
    asked.push(spec.resourceAttributes);
    const reason = decide(spec.resourceAttributes, headers);
    return replyOf(201, { status: reason === undefined ? { allowed: false } : { allowed: true, reason } });
  });
  member = { id: 'uid-1', impersonator: upstream, rbac, canDeny: false, ready: true };
  permissions = new MemberPermissions({ clock, memberOf: (cluster) => (cluster === 'm1' ? member : undefined) });
});

const pods = { group: '', version: 'v1', resource: 'pods' };
const ask = (where: { namespace?: string; name?: string } = {}, selectors = everything, user = alice) =>
  permissions.of('m1', user, { ...pods, ...where }).ask('list', selectors, signal);
const isYes = async (...args: Parameters<typeof ask>) => (await ask(...args)) !== undefined;
const places = () =>
  asked.map(({ namespace = '*', name }) => (name === undefined ? namespace : `${namespace}/${name}`));
/** How many reviews the next question costs. */
const cost = async (...args: Parameters<typeof ask>) => {
  const before = asked.length;
  await ask(...args);
  return asked.length - before;
};

describe('IMP-3: the question', () => {
  test('is a SelfSubjectAccessReview, made as the user', async () => {
    await ask();
    const [call] = upstream.calls;
    expect(call).toMatchObject({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      headers: { 'impersonate-user': 'alice', 'impersonate-group': ['dev', 'ops'] },
    });
    expect(asked).toEqual([{ verb: 'list', ...pods }]);
  });

  test('is asked at once in all namespaces, in the namespace, and by name', async () => {
    await ask({ namespace: 'web', name: 'x' });
    expect(places().toSorted()).toEqual(['*', 'web', 'web/x']);
  });

  test('a list of one name, selected by a field, is asked by that name', async () => {
    await ask({ namespace: 'web' }, { labelSelector: '', fieldSelector: 'metadata.name=x' });
    expect(places().toSorted()).toEqual(['*', 'web', 'web/x']);
  });

  test.each([
    ['of everything', '*'],
    ['of the namespace', 'web'],
    ['by name', 'web/x'],
  ])('any of their yeses serves: %s', async (_, place) => {
    decide = () => (places().at(-1) === place ? narrowReason : undefined);
    expect(await isYes({ namespace: 'web', name: 'x' })).toBe(true);
  });

  test('does not wait for a wider answer that is late', async () => {
    const late = Promise.withResolvers<ReturnType<typeof replyOf>>();
    const answer = upstream.answer;
    upstream.answer = (call) => (String(call.body).includes('"namespace"') ? answer(call) : late.promise);
    expect(await isYes({ namespace: 'web' })).toBe(true);
    late.resolve(replyOf(201, {}));
  });

  test.each([
    ['a refusal', () => replyOf(201, { status: { allowed: false } })],
    ['a user who may not ask', () => statusReply(403, 'Forbidden', 'no')],
    ['a busy member', () => statusReply(429, 'TooManyRequests', 'later')],
    ['a member that fails', () => statusReply(500, 'InternalError', 'oh')],
    ['garbage', () => replyOf(201, 'garbage')],
    ['an answer without a decision', () => replyOf(201, {})],
    ['a decision that is no boolean', () => replyOf(201, { status: { allowed: 'true' } })],
    ['no connection', () => Promise.reject(new UnreachableError(false, {}))],
  ])('anything but a yes is none: %s', async (_, answer) => {
    upstream.answer = answer;
    expect(await ask()).toBeUndefined();
  });

  test('a review without an answer is dropped after 5 s', async () => {
    upstream.answer = silence;
    const answered = ask();
    await clock.advance(5_000);
    expect(await answered).toBeUndefined();
  });

  test('SEC-5: headers that name nobody are not asked about: the member would answer for the product', async () => {
    expect(await isYes({}, everything, { 'impersonate-group': ['dev'] })).toBe(false);
    expect(asked).toEqual([]);
  });

  test('no cluster, no yes', async () => {
    expect(await permissions.of('m2', alice, pods).ask('list', everything, signal)).toBeUndefined();
  });

  test('whoever leaves does not wait, and takes nothing from the others', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof replyOf>>();
    upstream.answer = () => promise;
    const leaving = new AbortController();
    const left = permissions.of('m1', alice, pods).ask('list', everything, leaving.signal);
    const stays = ask();
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    resolve(replyOf(201, { status: { allowed: true, reason: wideReason } }));
    expect(await stays).toBeDefined();
  });
});

describe('IMP-3: selectors', () => {
  const selected = { labelSelector: 'app=web', fieldSelector: 'spec.nodeName=n1' };

  test('are left out first, and asked with where that is refused', async () => {
    decide = ({ fieldSelector }) => (fieldSelector ? '' : undefined);
    expect(await isYes({}, selected)).toBe(true);
    expect(asked).toEqual([
      { verb: 'list', ...pods },
      {
        verb: 'list',
        ...pods,
        labelSelector: { rawSelector: 'app=web' },
        fieldSelector: { rawSelector: 'spec.nodeName=n1' },
      },
    ]);
  });

  test('a yes without them serves with them, and is asked for once', async () => {
    expect(await cost({}, selected)).toBe(1);
    expect(await cost()).toBe(0);
    expect(await cost({}, { labelSelector: 'app=other', fieldSelector: '' })).toBe(0);
  });

  test('a yes with them is of those selectors alone, for 10 s, whatever its reason', async () => {
    decide = ({ fieldSelector }) => (fieldSelector ? wideReason : undefined);
    await ask({}, selected);
    expect(await cost({}, selected)).toBe(0);
    expect(await isYes()).toBe(false);
    expect(await cost({}, { ...selected, fieldSelector: 'spec.nodeName=n2' })).toBe(2);
    expect(await cost({ namespace: 'web' }, selected)).toBeGreaterThan(0);
    await clock.advance(10_000);
    expect(await cost({}, selected)).toBe(2);
  });
});

describe('IMP-3: how long a yes is kept', () => {
  test('one of RBAC 5 min', async () => {
    await ask();
    await clock.advance(299_000);
    expect(await cost()).toBe(0);
    await clock.advance(1_000);
    expect(await cost()).toBe(1);
  });

  test.each([
    ['without a reason', ''],
    ['of a webhook', 'allowed by the cloud'],
    ['of RBAC in unknown words', 'RBAC: allowed by a miracle'],
  ])('any other 10 s: %s', async (_, reason) => {
    decide = () => reason;
    await ask();
    await clock.advance(9_999);
    expect(await cost()).toBe(0);
    await clock.advance(1);
    expect(await cost()).toBe(1);
  });

  test.each(['none', 'unhealthy'])('every yes 10 s without a healthy watch of RBAC objects: %s', async (watch) => {
    if (watch === 'none') member.rbac = undefined;
    else rbac.healthy = false;
    await ask();
    await clock.advance(9_999);
    expect(await cost()).toBe(0);
    await clock.advance(1);
    expect(await cost()).toBe(1);
  });

  test('a yes of the past counts for 10 s only once that watch breaks', async () => {
    await ask();
    await clock.advance(60_000);
    rbac.healthy = false;
    expect(await cost()).toBe(1);
  });

  test('a member whose other authorisers may deny: every yes 10 s, just for what was asked', async () => {
    member.canDeny = canDeny({ metadata: { name: 'm1', annotations: { 'fleet.karmada.io/deny-authorizer': 'true' } } });
    await ask();
    expect(await cost({ namespace: 'web' })).toBe(2);
    await clock.advance(10_000);
    expect(await cost()).toBe(1);
    expect(canDeny({ metadata: { name: 'm1' } })).toBe(false);
  });

  test.each([
    ['binding', binding],
    ['role', role],
  ])('until the %s that the reason names changes', async (_, object) => {
    await ask();
    rbac.change(object);
    expect(await cost()).toBe(1);
  });

  test('changes of other objects do not matter to it', async () => {
    await ask();
    rbac.change(unrelated);
    rbac.change(rbacObject('RoleBinding', 'web', 'all'));
    expect(await cost()).toBe(0);
  });

  test('one given within 5 s after any change is used once', async () => {
    await ask();
    rbac.change(unrelated);
    expect(await cost({}, everything, { 'impersonate-user': 'bob' })).toBe(1);
    await clock.advance(4_999);
    expect(await cost({}, everything, { 'impersonate-user': 'bob' })).toBe(1);
    await clock.advance(1);
    expect(await cost({}, everything, { 'impersonate-user': 'bob' })).toBe(1);
    expect(await cost({}, everything, { 'impersonate-user': 'bob' })).toBe(0);
  });

  test('a change while it is on its way counts, too', async () => {
    const answer = upstream.answer;
    upstream.answer = (call) => {
      rbac.change(unrelated);
      return answer(call);
    };
    expect(await isYes()).toBe(true);
    upstream.answer = answer;
    await clock.advance(1_000);
    expect(await cost()).toBe(1);
  });

  test('the first list of RBAC objects ends what was decided before it', async () => {
    rbac.healthy = false;
    await ask();
    rbac.healthy = true;
    for (const { anythingChanged } of rbac.listeners) anythingChanged();
    expect(await cost()).toBe(1);
  });

  test('another watch of RBAC objects ends it: nobody knows what happened in between', async () => {
    await ask();
    member.rbac = new FakeRbac();
    expect(await cost()).toBe(1);
    expect(rbac.listeners.size).toBe(0);
  });

  test('a no is not kept', async () => {
    decide = () => undefined;
    await ask();
    decide = () => wideReason;
    expect(await isYes()).toBe(true);
  });

  test('another cluster of the same name is another one', async () => {
    await ask();
    member = { ...member, id: 'uid-2' };
    expect(await cost()).toBe(1);
  });
});

describe('IMP-3: what a yes covers', () => {
  test('one of RBAC covers narrower questions', async () => {
    await ask();
    expect(await cost({ namespace: 'web' })).toBe(0);
    expect(await cost({ namespace: 'web', name: 'x' })).toBe(0);
  });

  test('one of a namespace covers names in it, and neither other namespaces nor all', async () => {
    decide = ({ namespace }) => (namespace === 'web' ? narrowReason : undefined);
    expect(await isYes({ namespace: 'web' })).toBe(true);
    expect(await cost({ namespace: 'web', name: 'x' })).toBe(0);
    expect(await isYes({ namespace: 'db' })).toBe(false);
    expect(await isYes({ namespace: 'web2' })).toBe(false);
    expect(await isYes()).toBe(false);
  });

  test('one by name covers that name alone', async () => {
    decide = ({ name }) => (name === 'x' ? narrowReason : undefined);
    expect(await isYes({ namespace: 'web', name: 'x' })).toBe(true);
    expect(await isYes({ namespace: 'web', name: 'y' })).toBe(false);
    expect(await isYes({ namespace: 'web' })).toBe(false);
  });

  test('any other covers just what was asked', async () => {
    decide = ({ namespace }) => (namespace === undefined ? 'allowed by the cloud' : undefined);
    expect(await isYes()).toBe(true);
    expect(await isYes({ namespace: 'web' })).toBe(false);
    expect(await isYes()).toBe(true);
  });

  test('each user by itself, as the member sees it; the order of groups does not matter', async () => {
    await ask();
    expect(await cost({}, everything, { 'impersonate-group': ['ops', 'dev'], 'impersonate-user': 'alice' })).toBe(0);
    expect(await cost({}, everything, { ...alice, 'user-agent': 'kubectl' })).toBe(0);
    expect(await cost({}, everything, { 'impersonate-user': 'alice', 'impersonate-group': ['dev'] })).toBe(1);
    expect(await cost({}, everything, { ...alice, 'impersonate-uid': '1' })).toBe(1);
    expect(await cost({}, everything, { ...alice, 'impersonate-extra-scopes': ['a'] })).toBe(1);
  });

  test('each verb, group, version and resource by itself', async () => {
    await ask();
    const before = asked.length;
    await permissions.of('m1', alice, pods).ask('watch', everything, signal);
    await permissions.of('m1', alice, { ...pods, group: 'apps' }).ask('list', everything, signal);
    await permissions.of('m1', alice, { ...pods, version: 'v2' }).ask('list', everything, signal);
    await permissions.of('m1', alice, { ...pods, resource: 'secrets' }).ask('list', everything, signal);
    expect(asked.length - before).toBe(4);
  });

  test('names that hold what stands between them are no other names', async () => {
    decide = ({ namespace, name }) => (namespace === 'a","b' && !name ? '' : undefined);
    expect(await isYes({ namespace: 'a","b' })).toBe(true);
    expect(await isYes({ namespace: 'a', name: 'b' })).toBe(false);
  });
});

describe('IMP-3: many who ask', () => {
  test('the same at once share one review', async () => {
    expect(await Promise.all(Array.from({ length: 100 }, () => isYes()))).not.toContain(false);
    expect(asked).toHaveLength(1);
  });

  test('right after a change those who come later share the next one: two reviews for all', async () => {
    await ask();
    rbac.change(binding);
    const before = asked.length;
    expect(await Promise.all(Array.from({ length: 100 }, () => isYes()))).not.toContain(false);
    expect(asked.length - before).toBe(2);
  });

  test('a revocation is not covered by a review that began before it', async () => {
    await ask();
    const first = Promise.withResolvers<ReturnType<typeof replyOf>>();
    const answer = upstream.answer;
    rbac.change(unrelated);
    upstream.answer = () => first.promise;
    const before = ask({}, everything, { 'impersonate-user': 'bob' });
    await settled();
    decide = () => undefined;
    upstream.answer = answer;
    const after = ask({}, everything, { 'impersonate-user': 'bob' });
    first.resolve(replyOf(201, { status: { allowed: true, reason: wideReason } }));
    expect(await before).toBeDefined();
    expect(await after).toBeUndefined();
  });

  test('a member has a few reviews at a time', async () => {
    let [now, most] = [0, 0];
    const answer = upstream.answer;
    upstream.answer = async (call) => {
      most = Math.max(most, ++now);
      await settled();
      now--;
      return answer(call);
    };
    const users = Array.from({ length: 60 }, (_, i) => ({ 'impersonate-user': `user-${i}` }));
    expect(await Promise.all(users.map((user) => isYes({}, everything, user)))).not.toContain(false);
    expect(most).toBe(16);
  });

  test('bounded in number', async () => {
    permissions = new MemberPermissions({ clock, memberOf: () => member, most: 2 });
    for (const name of ['a', 'b', 'c']) await ask({}, everything, { 'impersonate-user': name });
    expect(await cost({}, everything, { 'impersonate-user': 'c' })).toBe(0);
    expect(await cost({}, everything, { 'impersonate-user': 'a' })).toBe(1);
  });
});

describe('IMP-3: a review that was under way when the RBAC objects were first listed', () => {
  const begun = () => {
    rbac.knownSince = clock.now();
    for (const { anythingChanged } of rbac.listeners) anythingChanged();
  };

  test.each(['its watch had begun', 'it had none'])('its yes is kept for 10 s: %s', async (before) => {
    if (before === 'it had none') member = { ...member, rbac: undefined };
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof replyOf>>();
    const { answer } = upstream;
    upstream.answer = () => promise;
    const late = ask();
    member = { ...member, rbac };
    begun();
    resolve(replyOf(201, { status: { allowed: true, reason: wideReason } }));
    expect(await late).toBeDefined();
    upstream.answer = answer;
    // What was revoked before the list has no event any more.
    decide = () => undefined;
    await clock.advance(10_000);
    expect(await isYes()).toBe(false);
  });

  test('one that began when authorisers had noticed all of it is kept', async () => {
    begun();
    await clock.advance(5_000);
    await ask();
    await clock.advance(299_000);
    expect(await cost()).toBe(0);
  });
});

describe('IMP-3, CACHE-12: while a member is unreachable', () => {
  const away = () => {
    rbac.healthy = false;
    upstream.answer = () => Promise.reject(new UnreachableError(false, {}));
  };

  test.each(['known to be not ready', 'found out by asking'])(
    'its last yes of the past 24 h counts: %s',
    async (how) => {
      expect(await ask()).toMatchObject({ isOld: false });
      away();
      if (how === 'known to be not ready') member.ready = false;
      await clock.advance(23 * 3_600_000);
      expect(await ask()).toMatchObject({ isOld: true });
      expect(await ask({ namespace: 'web' })).toMatchObject({ isOld: true });
      await clock.advance(3_600_000);
      expect(await ask()).toBeUndefined();
    },
  );

  test('one that is known to be not ready is not waited for', async () => {
    member.ready = false;
    upstream.answer = silence;
    expect(await ask()).toBeUndefined();
    expect(upstream.calls).toHaveLength(0);
  });

  test('a refusal since then was the last word', async () => {
    await ask();
    await clock.advance(300_000);
    decide = () => undefined;
    expect(await isYes()).toBe(false);
    away();
    expect(await isYes()).toBe(false);
  });

  test('what a change of RBAC objects has ended does not come back', async () => {
    await ask();
    rbac.change(binding);
    away();
    await clock.advance(60_000);
    expect(await isYes()).toBe(false);
  });

  test('a yes that was used once is no last yes', async () => {
    await ask({}, everything, { 'impersonate-user': 'bob' });
    rbac.change(binding);
    expect(await isYes()).toBe(true);
    away();
    expect(await isYes()).toBe(false);
  });

  test('a yes that was not of RBAC counts for what was asked alone', async () => {
    decide = () => '';
    await ask();
    away();
    await clock.advance(3_600_000);
    expect(await isYes()).toBe(true);
    expect(await isYes({ namespace: 'web' })).toBe(false);
  });

  test('one whose review waited for those of others is not unreachable: its last yes does not come back', async () => {
    decide = () => '';
    await ask();
    await clock.advance(60_000);
    const others = Promise.withResolvers<ReturnType<typeof replyOf>>();
    upstream.answer = () => others.promise;
    for (let index = 0; index < 16; index++) ask({}, everything, { 'impersonate-user': `other-${index}` });
    const answered = ask();
    await clock.advance(4_900);
    upstream.answer = silence;
    others.resolve(replyOf(201, {}));
    await settled();
    await clock.advance(100);
    expect(await answered).toBeUndefined();
  });

  test('one that is busy is not unreachable: the request itself is sent', async () => {
    await ask();
    await clock.advance(300_000);
    upstream.answer = () => statusReply(429, 'TooManyRequests', 'later');
    expect(await isYes()).toBe(false);
  });
});

describe('IMP-3: a reason is of the member’s own RBAC only if the watch knows its binding and its role', () => {
  test.each([
    ['neither, as another API server is the member’s webhook', [binding, role]],
    ['no binding', [binding]],
    ['no role', [role]],
  ])('%s: the yes counts 10 s, just for what was asked', async (_, unknown) => {
    for (const object of unknown) rbac.objects.delete(object);
    await ask();
    expect(await cost({ namespace: 'web' })).toBeGreaterThan(0);
    await clock.advance(9_999);
    expect(await cost()).toBe(0);
    await clock.advance(1);
    decide = () => undefined;
    expect(await isYes()).toBe(false);
  });

  test('a wider one does not answer for what was asked, either', async () => {
    rbac.objects.clear();
    decide = ({ namespace }) => (namespace === undefined ? wideReason : undefined);
    expect(await isYes({ namespace: 'web' })).toBe(false);
  });

  test('a binding that the watch shows later makes the next yes one of RBAC', async () => {
    rbac.objects.delete(binding);
    await ask();
    rbac.objects.add(binding);
    await clock.advance(10_000);
    await ask();
    await clock.advance(299_000);
    expect(await cost()).toBe(0);
    expect(await cost({ namespace: 'web' })).toBe(0);
  });

  test('without a watch there is nothing to know it by', async () => {
    member = { ...member, rbac: undefined };
    await ask();
    expect(await cost({ namespace: 'web' })).toBeGreaterThan(0);
  });
});

describe('IMP-3: an open cached watch', () => {
  const open = async (user = alice) => {
    const yes = await permissions.of('m1', user, pods).ask('watch', everything, signal);
    const ended = { lost: 0 };
    const end = yes!.onLost(() => void ended.lost++);
    return { ended, end };
  };

  test('ends when its binding is gone and the member does not allow it, at once', async () => {
    const { ended } = await open();
    decide = () => undefined;
    rbac.change(binding);
    await settled();
    expect(ended.lost).toBe(1);
    await clock.advance(600_000);
    expect(ended.lost).toBe(1);
  });

  test('continues where the member allows it by another binding', async () => {
    const { ended } = await open();
    decide = () => narrowReason;
    rbac.change(binding);
    await clock.advance(20_000);
    expect(ended.lost).toBe(0);
  });

  test('a yes right after a change is asked for again when the member must have noticed it', async () => {
    const { ended } = await open();
    rbac.change(binding);
    await clock.advance(4_000);
    expect(ended.lost).toBe(0);
    decide = () => undefined;
    await clock.advance(1_000);
    expect(ended.lost).toBe(1);
  });

  test('asks again when its yes has gone by time: 5 min, or 10 s where it is not of RBAC', async () => {
    const first = await open();
    await clock.advance(299_000);
    expect(asked).toHaveLength(1);
    decide = () => '';
    await clock.advance(2_000);
    expect(asked).toHaveLength(2);
    await clock.advance(8_000);
    decide = () => undefined;
    await clock.advance(1_100);
    expect(first.ended.lost).toBe(1);
  });

  test('ends within 10 s where the watch of RBAC objects is lost, too', async () => {
    const { ended } = await open();
    await clock.advance(60_000);
    rbac.healthy = false;
    decide = () => undefined;
    await clock.advance(10_000);
    expect(ended.lost).toBe(1);
  });

  test('a thousand of one user ask once', async () => {
    const all = await Promise.all(Array.from({ length: 1_000 }, () => open()));
    const before = asked.length;
    decide = () => undefined;
    rbac.change(binding);
    await settled();
    expect(asked.length - before).toBe(1);
    expect(all.every(({ ended }) => ended.lost === 1)).toBe(true);
  });

  test('goes on while the member is unreachable, by its last yes, for 24 h', async () => {
    const { ended } = await open();
    rbac.healthy = false;
    member.ready = false;
    await clock.advance(3_600_000);
    expect(ended.lost).toBe(0);
    clock.skip(24 * 3_600_000);
    await clock.advance(20_000);
    expect(ended.lost).toBe(1);
  });

  test('a member that cannot answer is asked some more before the watch ends', async () => {
    const { ended } = await open();
    const answer = upstream.answer;
    upstream.answer = () => statusReply(429, 'TooManyRequests', 'later');
    rbac.change(binding);
    await clock.advance(2_000);
    upstream.answer = answer;
    await clock.advance(20_000);
    expect(ended.lost).toBe(0);
    upstream.answer = () => statusReply(429, 'TooManyRequests', 'later');
    rbac.change(binding);
    await clock.advance(10_000);
    expect(ended.lost).toBe(1);
  });

  test('ends when the member is forgotten, or another one takes its name', async () => {
    const { ended } = await open();
    member = { ...member, id: 'uid-2' };
    permissions.forget('uid-1');
    await settled();
    expect(ended.lost).toBe(1);
  });

  test('one that was closed is not called, and leaves no timer', async () => {
    const { ended, end } = await open();
    end();
    expect(clock.pending).toBe(0);
    decide = () => undefined;
    rbac.change(binding);
    await clock.advance(600_000);
    expect(ended.lost).toBe(0);
  });
});

test('IMP-3: a watch that was opened right after another change ends with its revocation, too', async () => {
  rbac.change(unrelated);
  await clock.advance(100);
  const resource = { group: '', version: 'v1', resource: 'pods' };
  const yes = await permissions.of('m1', alice, resource).ask('watch', everything, signal);
  let isLost = false;
  yes!.onLost(() => {
    isLost = true;
  });
  decide = () => undefined;
  await clock.advance(100);
  rbac.change(binding);
  await clock.until(() => isLost);
  expect(clock.now() - rbac.lastChange).toBeLessThan(1_000);
});

test.each(['its answer', 'the watch is held'])(
  'IMP-3: a yes that is revoked before %s ends its watch within a second',
  async (moment) => {
    const { answer } = upstream;
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.answer = async (call) => {
      const reply = await answer(call);
      await promise;
      return reply;
    };
    const asking = permissions.of('m1', alice, pods).ask('watch', everything, signal);
    await settled();
    const revoke = () => {
      decide = () => undefined;
      rbac.change(binding);
    };
    if (moment === 'its answer') revoke();
    resolve();
    const yes = await asking;
    // A watch waits for the version that it begins at.
    await clock.advance(100);
    if (moment !== 'its answer') revoke();
    await clock.advance(100);
    let isLost = false;
    yes?.onLost(() => {
      isLost = true;
    });
    await clock.advance(0);
    expect(yes === undefined || isLost).toBe(true);
  },
);

describe('IMP-3: another token of the same user', () => {
  const extra = 'impersonate-extra-authentication.kubernetes.io%2fcredential-id';
  const withToken = (id: string, more: Headers = {}): Headers => ({ ...alice, [extra]: [`JTI=${id}`], ...more });
  const costOf = (user: Headers) => cost({ namespace: 'web' }, everything, user);
  const allows = (user: Headers) => isYes({ namespace: 'web' }, everything, user);

  test('is the same to RBAC, also while the member is unreachable', async () => {
    await allows(withToken('1'));
    expect(await costOf(withToken('2'))).toBe(0);
    expect(await costOf(alice)).toBe(0);
    await clock.advance(3_600_000);
    member.ready = false;
    expect(await allows(withToken('3'))).toBe(true);
  });

  test('any other extra is not', async () => {
    await allows(withToken('1'));
    expect(await costOf(withToken('1', { 'impersonate-extra-node': ['n1'] }))).toBeGreaterThan(0);
  });

  test.each(['another authoriser', 'a member that may deny'])('may be another to %s', async (who) => {
    if (who === 'a member that may deny') member = { ...member, canDeny: true };
    else decide = () => 'IAM';
    await allows(withToken('1'));
    expect(await costOf(withToken('1'))).toBe(0);
    decide = () => undefined;
    expect(await allows(withToken('2'))).toBe(false);
    expect(await allows(alice)).toBe(false);
  });

  test('a no to one ends the yes of all', async () => {
    await allows(withToken('1'));
    await clock.advance(300_000);
    decide = () => undefined;
    expect(await allows(withToken('2'))).toBe(false);
    member.ready = false;
    expect(await allows(withToken('1'))).toBe(false);
  });
});
