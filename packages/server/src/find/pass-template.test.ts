import { notFound, StatusError } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import type { PlainReply } from '../http/message.ts';
import { bodyText } from '../testing/body-text.ts';
import { type Answer, FakeUpstream, replyOf, silence, statusReply } from '../testing/fake-upstream.ts';
import { knownKinds } from '../testing/known-kinds.ts';
import { incomingOf, stripAt, templateTargetOf } from '../testing/targets.ts';
import { passTemplate } from './pass-template.ts';

const path = '/apis/apps/v1/namespaces/d/deployments/web';
const there: Answer = () => replyOf(200, { kind: 'PartialObjectMetadata' });
const lacks: Answer = () => replyOf(404, notFound({ group: 'apps', resource: 'deployments' }, 'web').toStatus());

function ask(answers: Record<string, Answer>, { method = 'GET', url = path, granted = ['m1', 'm2', 'm3'] } = {}) {
  const upstreams = new Map(Object.entries(answers).map(([name, answer]) => [name, new FakeUpstream(answer)]));
  const routeTo = (cluster: string) => ({
    cluster,
    ready: true,
    upstream: upstreams.get(cluster)!,
    identity: { 'impersonate-user': `alice at ${cluster}` },
    strip: stripAt(cluster),
    kinds: knownKinds,
  });
  const reply = passTemplate({
    target: templateTargetOf(method, url),
    members: async () => granted.filter((name) => upstreams.has(name)),
    routeTo,
    lookIn: routeTo,
    incoming: incomingOf(method, url),
  });
  return { reply, upstreams };
}

describe('NAME-6: a plain name with federation on', () => {
  it('is the control plane’s, whatever members have', async () => {
    const { reply, upstreams } = ask({ karmada: () => replyOf(200, { kind: 'Deployment' }), m1: there });
    expect(JSON.parse(await bodyText((await reply) as PlainReply))).toEqual({ kind: 'Deployment' });
    expect(upstreams.get('karmada')!.paths).toEqual([`GET ${path}`]);
    expect(upstreams.get('m1')!.paths).toEqual([]);
  });
});

describe('FED-39: a plain name that the control plane does not have', () => {
  const failed = async ({ reply }: ReturnType<typeof ask>): Promise<StatusError> => {
    const error = await reply.then(undefined, (thrown: unknown) => thrown);
    if (error instanceof StatusError) return error;
    throw new Error('answered', { cause: error });
  };

  it('the answer names the objects that members have', async () => {
    const asked = ask({ karmada: lacks, m1: there, m2: lacks, m3: there });
    expect(await failed(asked)).toMatchObject({
      code: 404,
      reason: 'NotFound',
      details: { name: 'web', group: 'apps', kind: 'deployments' },
      message: 'deployments.apps "web" not found: members have "web.clusterspace.m1", "web.clusterspace.m3"',
    });
    expect(asked.upstreams.get('m1')!.calls[0]).toMatchObject({ headers: { 'impersonate-user': 'alice at m1' } });
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('%s: members are only looked in', async (method) => {
    const asked = ask({ karmada: lacks, m1: there }, { method });
    expect((await failed(asked)).message).toContain('"web.clusterspace.m1"');
    expect(asked.upstreams.get('m1')!.paths).toEqual([`GET ${path}`]);
  });

  it('the object counts, whatever of it is asked for', async () => {
    const url = '/api/v1/namespaces/d/pods/web/log?tailLines=1';
    const asked = ask({ karmada: lacks, m1: there }, { url });
    expect((await failed(asked)).message).toContain('members have "web.clusterspace.m1"');
    expect(asked.upstreams.get('m1')!.paths).toEqual(['GET /api/v1/namespaces/d/pods/web']);
  });

  it.each([
    [501, 'NotImplemented'],
    [400, 'BadRequest'],
  ])('a pod that is a template runs in members: %i', async (status, reason) => {
    const answer: Answer = () => statusReply(status, reason, 'no');
    const pod = '/api/v1/namespaces/d/pods/web';
    const asked = ask({ karmada: answer, m1: lacks, m2: there }, { url: `${pod}/log` });
    expect(await failed(asked)).toMatchObject({
      code: status,
      reason,
      message: 'no: members have "web.clusterspace.m2"',
    });
    // Of others the answer is the control plane's own.
    const own = ask({ karmada: answer, m2: there }, { url: `${pod}/status` });
    expect((await own.reply).status).toBe(status);
    expect(own.upstreams.get('m2')!.paths).toEqual([]);
  });

  it('an answer that cannot be read, as one in protobuf, becomes the message of a 404', async () => {
    const asked = ask({ karmada: () => replyOf(404, 'k8s\0'), m1: there });
    expect((await failed(asked)).message).toBe('deployments.apps "web" not found: members have "web.clusterspace.m1"');
  });

  it('is not named where the user may not reach the member, or is refused there', async () => {
    const forbidden: Answer = () => statusReply(403, 'Forbidden', 'no');
    const asked = ask({ karmada: lacks, m1: there, m2: forbidden, m3: there }, { granted: ['m2', 'm3'] });
    const { message } = await failed(asked);
    expect(message).toContain('members have "web.clusterspace.m3"');
    expect(asked.upstreams.get('m1')!.paths).toEqual([]);
  });

  it('where nobody has it, the control plane’s answer is passed on', async () => {
    const { reply } = ask({ karmada: lacks, m1: lacks });
    const answer = (await reply) as PlainReply;
    expect(JSON.parse(await bodyText(answer))).toMatchObject({ message: 'deployments.apps "web" not found' });
  });

  it('does not wait for a member that is silent', async () => {
    const { message } = await failed(ask({ karmada: lacks, m1: silence, m2: there }));
    expect(message).toContain('members have "web.clusterspace.m2"');
  });
});
