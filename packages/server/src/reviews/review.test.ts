import { describe, expect, it } from 'vitest';
import type { User } from '../authn/user.ts';
import type { AccessReviewer } from '../authz/access-review.ts';
import { createAuthorizer, type Granted } from '../authz/authorize.ts';
import type { PlainReply } from '../http/message.ts';
import { bodyText } from '../testing/body-text.ts';
import { type Answer, FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { knownKinds } from '../testing/known-kinds.ts';
import { incomingOf, stripAt, targetOf, templateTargetOf } from '../testing/targets.ts';
import { review } from './review.ts';

const alice: User = { name: 'alice', uid: undefined, groups: [], extra: {}, origin: 'other' };
const reviews = '/apis/authorization.k8s.io/v1';
const self = `${reviews}/selfsubjectaccessreviews`;
const pods = { verb: 'get', resource: 'pods' };

const answering =
  (status: object): Answer =>
  () =>
    replyOf(201, { kind: 'Review', spec: {}, status });
const yes = answering({ allowed: true, reason: 'RBAC: allowed' });
const no = answering({ allowed: false });
const away: Answer = () => statusReply(500, 'InternalError', 'etcd');

/** Permissions by `user verb cluster`; by default all of them. */
function fleet(answers: Record<string, Answer>, permissions?: readonly string[], templates = false) {
  const upstreams = new Map(Object.entries(answers).map(([name, answer]) => [name, new FakeUpstream(answer)]));
  const reviewer: AccessReviewer = {
    isAllowed: async (user, attributes) =>
      permissions === undefined ||
      ('resource' in attributes &&
        permissions.includes(`${user.name} ${attributes.resource.verb} ${attributes.resource.name}`)),
  };
  const members = [...upstreams.keys()].filter((name) => name !== 'karmada');
  const authorizer = createAuthorizer(reviewer, () => members);
  const asks = templates ? templateTargetOf : targetOf;
  const ask = async (url: string, spec: object, headers = {}) => {
    const granted: Granted = await authorizer.authorize(alice, asks('POST', url, JSON.stringify({ spec })));
    if (granted.place.at !== 'review') throw new Error(`placed at ${granted.place.at}`);
    const { target, place } = granted;
    const routeTo = (cluster: string) => ({
      cluster,
      ready: true,
      upstream: upstreams.get(cluster)!,
      identity: { 'impersonate-user': 'alice' },
      strip: stripAt(cluster),
      kinds: knownKinds,
    });
    const reply = await review({ ...place, target, routeTo, incoming: incomingOf('POST', url, { headers }) });
    return { code: reply.status, ...JSON.parse(await bodyText(reply as PlainReply)) };
  };
  const asked = () => [...upstreams].filter(([, { calls }]) => calls.length > 0).map(([name]) => name);
  return { ask, asked, upstreams };
}

describe('AUTHZ-4: can-i, over many members', () => {
  it('one yes is enough, and its cluster is named', async () => {
    const { ask } = fleet({ m1: no, m2: yes, m3: away });
    const spec = { resourceAttributes: pods };
    expect(await ask(self, spec)).toEqual({
      code: 201,
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec,
      status: { allowed: true, reason: 'cluster "m2": RBAC: allowed' },
    });
  });

  it('no member’s yes is a no', async () => {
    const { status } = await fleet({ m1: no, m2: no }).ask(self, { resourceAttributes: pods });
    expect(status).toEqual({ allowed: false });
  });

  it('a no while a member is silent names it', async () => {
    const { status } = await fleet({ m1: no, m2: away }).ask(self, { resourceAttributes: pods });
    expect(status).toEqual({ allowed: false, evaluationError: 'no answer from "m2"' });
  });

  it('a member that refuses the question, or must not know the user, counts as no', async () => {
    const { status } = await fleet({ m1: () => statusReply(403, 'Forbidden', 'x') }).ask(self, {
      resourceAttributes: pods,
    });
    expect(status).toEqual({ allowed: false });
  });

  it('AUTHZ-2: a member that cannot be reached with that verb is not asked', async () => {
    const { ask, asked } = fleet({ m1: yes, m2: yes }, ['alice list m1', 'alice get m2']);
    expect((await ask(self, { resourceAttributes: pods })).status.reason).toContain('"m2"');
    expect(asked()).toEqual(['m2']);
    expect((await ask(self, { resourceAttributes: { ...pods, verb: 'delete' } })).status).toEqual({
      allowed: false,
      reason: 'no permission to delete clusterspaces in group cluster.karmada.io for any cluster',
    });
  });

  it('LIST-9: 406 for a client that takes no JSON', async () => {
    await expect(
      fleet({ m1: yes }).ask(self, { resourceAttributes: pods }, { accept: 'application/cbor' }),
    ).rejects.toMatchObject({ code: 406 });
  });
});

describe('AUTHZ-4: with federation on the control plane is one of the places', () => {
  it('its yes counts, and needs no permission for a cluster', async () => {
    const { ask, asked } = fleet({ karmada: yes, m1: no, m2: no }, ['alice get m1'], true);
    expect((await ask(self, { resourceAttributes: pods })).status).toMatchObject({
      allowed: true,
      reason: 'cluster "karmada": RBAC: allowed',
    });
    expect(asked()).toEqual(['karmada', 'm1']);
  });

  it('so do its rules, of which those of other groups do not count where federation is off', async () => {
    const rule = { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'] };
    const karmada = answering({ resourceRules: [rule], nonResourceRules: [], incomplete: false });
    const rulesWith = async (templates: boolean) =>
      (await fleet({ karmada }, [], templates).ask(`${reviews}/selfsubjectrulesreviews`, { namespace: 'd' })).status;
    expect((await rulesWith(true)).resourceRules).toEqual([rule]);
    expect((await rulesWith(false)).resourceRules).toEqual([]);
  });
});

describe('AUTHZ-4: can-i, in the member that is named', () => {
  const spec = { resourceAttributes: { ...pods, namespace: 'd', name: 'x.clusterspace.m1' } };

  it('only that one is asked, by plain name; the question comes back as it was asked', async () => {
    const { ask, asked, upstreams } = fleet({ m1: no, m2: yes });
    expect(await ask(self, spec)).toMatchObject({ spec, status: { allowed: false } });
    expect(asked()).toEqual(['m1']);
    const [call] = upstreams.get('m1')!.calls;
    expect(call).toMatchObject({ method: 'POST', path: self, headers: { 'impersonate-user': 'alice' } });
    expect(JSON.parse(String(call?.body)).spec.resourceAttributes).toEqual({ ...pods, namespace: 'd', name: 'x' });
  });

  it('without the permission for it: no, and it is not asked', async () => {
    const { ask, asked } = fleet({ m1: yes, m2: yes }, ['alice get m2', 'alice create m1']);
    expect((await ask(self, spec)).status).toMatchObject({ allowed: false, reason: expect.stringContaining('"m1"') });
    expect(asked()).toEqual([]);
  });

  it('by URL its answer is its own, errors too', async () => {
    const { ask, upstreams } = fleet({ m1: yes });
    expect(await ask(`/clusterspaces/m1${self}`, { resourceAttributes: pods })).toMatchObject({ kind: 'Review' });
    upstreams.get('m1')!.answer = () => statusReply(422, 'Invalid', 'x');
    expect(await ask(self, spec)).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  it('about others: the user needs the permission to ask, and a yes counts if they reach the member', async () => {
    const about = { user: 'bob', ...spec };
    const url = `${reviews}/subjectaccessreviews`;
    await expect(fleet({ m1: yes }, ['bob get m1']).ask(url, about)).rejects.toMatchObject({ code: 403 });
    const reached = fleet({ m1: yes }, ['alice create m1', 'bob get m1']);
    expect((await reached.ask(url, about)).status.allowed).toBe(true);
    const stranger = fleet({ m1: yes }, ['alice create m1', 'alice get m1']);
    expect((await stranger.ask(url, about)).status.allowed).toBe(false);
  });
});

describe('AUTHZ-4: can-i --list, over many members', () => {
  const rules = `${reviews}/selfsubjectrulesreviews`;
  const rule = (verbs: string[], apiGroups: string[] = ['']) => ({ verbs, apiGroups, resources: ['pods'] });
  const list = (...resourceRules: object[]) =>
    answering({ resourceRules, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }], incomplete: false });
  const karmada = list(rule(['*'], ['*']), rule(['get'], ['apps']));

  it('the union: members’ rules once each, the control plane’s in its own groups, its paths', async () => {
    const { ask } = fleet({ karmada, m1: list(rule(['get'])), m2: list(rule(['get']), rule(['list'])) });
    const { status } = await ask(rules, { namespace: 'd' });
    const [own, ...others] = status.resourceRules;
    expect(own.apiGroups).toContain('cluster.karmada.io');
    expect(own.apiGroups).not.toContain('*');
    expect(others).toEqual([rule(['get']), rule(['list'])]);
    expect(status).toMatchObject({
      incomplete: true,
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
    });
  });

  it('AUTHZ-2: verbs without the permission for a cluster are left out of its rules', async () => {
    const { ask } = fleet({ karmada: list(), m1: list(rule(['*'])), m2: list(rule(['get', 'delete'])) }, [
      'alice get m1',
      'alice list m1',
      'alice delete m2',
    ]);
    const { status } = await ask(rules, { namespace: 'd' });
    expect(status.resourceRules).toEqual([rule(['get', 'list']), rule(['delete'])]);
  });

  it('AUTHZ-2: who may not create in a cluster gets no exec, attach and port-forward there', async () => {
    const of = (verbs: string[], resources: string[], apiGroups = ['']) => ({ verbs, apiGroups, resources });
    const member = list(
      of(['get'], ['pods', 'pods/log', 'pods/exec']),
      of(['get', 'create'], ['pods/attach', 'pods/portforward']),
      of(['get', 'patch'], ['*/exec']),
      of(['get'], ['virtualmachineinstances/console'], ['subresources.kubevirt.io']),
      of(['get'], ['things/console'], ['example.io']),
    );
    const rulesOf = async (...permissions: string[]) =>
      (await fleet({ karmada: list(), m1: member }, permissions).ask(rules, { namespace: 'd' })).status.resourceRules;
    expect(await rulesOf('alice get m1', 'alice patch m1')).toEqual([
      of(['get'], ['pods', 'pods/log']),
      of(['patch'], ['*/exec']),
      of(['get'], ['things/console'], ['example.io']),
    ]);
    expect(await rulesOf('alice get m1', 'alice create m1')).toHaveLength(5);
  });

  it('a silent member is named', async () => {
    const { status } = await fleet({ karmada, m1: away }).ask(rules, { namespace: 'd' });
    expect(status).toMatchObject({ incomplete: true, evaluationError: expect.stringContaining('no answer from "m1"') });
  });

  it('the member in the namespace alone, as far as it is reached', async () => {
    const { ask, asked, upstreams } = fleet({ karmada, m1: list(rule(['*'])), m2: list() }, ['alice get m1']);
    const { status, spec } = await ask(rules, { namespace: 'd.clusterspace.m1' });
    expect(status).toMatchObject({ resourceRules: [rule(['get'])], incomplete: false });
    expect(spec).toEqual({ namespace: 'd.clusterspace.m1' });
    expect(asked()).toEqual(['m1']);
    expect(JSON.parse(String(upstreams.get('m1')!.calls[0]?.body)).spec).toEqual({ namespace: 'd' });
    expect((await ask(rules, { namespace: 'd.clusterspace.m2' })).status.resourceRules).toEqual([]);
  });
});

describe('SEC-2: a member that answers garbage', () => {
  const texts = ['', 'x', 'null', '{"status":5}', `{"status":{"reason":"${'x'.repeat(17 * 1024 * 1024)}"}}`];
  const answeringText =
    (text: string): Answer =>
    () =>
      replyOf(201, text);

  it('is ignored among others', async () => {
    for (const text of texts) {
      const { ask } = fleet({ m1: answeringText(text), m2: no });
      const { status } = await ask(self, { resourceAttributes: pods });
      expect(status).toEqual({ allowed: false, evaluationError: 'no answer from "m1"' });
    }
  });

  it('is 502 where it is asked alone', async () => {
    for (const text of texts) {
      const { ask } = fleet({ m1: answeringText(text) });
      const asked = ask(self, { resourceAttributes: { ...pods, name: 'x.clusterspace.m1' } });
      await expect(asked, text.slice(0, 20)).rejects.toMatchObject({ code: 502 });
    }
  });

  it.each([
    { resourceRules: 'x' },
    { resourceRules: [null] },
    { resourceRules: [{}] },
    { resourceRules: [{ verbs: 'get' }] },
    { resourceRules: [{ verbs: [{}], resources: ['pods'] }] },
    { resourceRules: [], nonResourceRules: [5] },
  ])('has no rules: %j', async (status) => {
    const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };
    const { ask } = fleet({
      karmada: answering({}),
      m1: answering(status),
      m2: answering({ resourceRules: [rule], nonResourceRules: [], incomplete: false }),
    });
    const rules = (await ask(`${reviews}/selfsubjectrulesreviews`, { namespace: 'd' })).status;
    expect(rules.resourceRules).toEqual([rule]);
    expect(rules.evaluationError).toContain('no answer from "m1"');
  });
});
