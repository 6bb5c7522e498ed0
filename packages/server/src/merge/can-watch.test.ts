import type { UpstreamCall } from '@fleet/client/upstream.ts';
import { describe, expect, it } from 'vitest';
import { type Answer, FakeUpstream, openBody, replyOf, silence, statusReply } from '../testing/fake-upstream.ts';
import { targetOf } from '../testing/targets.ts';
import { LiveSource } from './live-source.ts';
import { readSelection } from './selection.ts';

const signal = new AbortController().signal;
const review = 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const watch =
  'GET /apis/apps/v1/namespaces/ns/deployments?labelSelector=x&watch=true&allowWatchBookmarks=true&resourceVersion=7';

function canWatch(answer: Answer, path = '/apis/apps/v1/namespaces/ns/deployments', query = 'watch=true') {
  const upstream = new FakeUpstream(answer);
  const { ask } = targetOf('GET', `${path}?${query}`);
  const source = new LiveSource({
    cluster: 'm1',
    upstream,
    streams: upstream,
    path,
    resource: ask.is === 'resource' ? ask : undefined,
    headers: { 'impersonate-user': 'alice' },
    headDeadline: 50,
  });
  const selection = readSelection('labelSelector=x', new Set());
  return { upstream, answer: source.canWatch({ from: '7', selection, form: 'object', signal }) };
}

const isReview = ({ method }: UpstreamCall) => method === 'POST';
const reviewed = (allowed: boolean) => replyOf(201, { kind: 'SelfSubjectAccessReview', status: { allowed } });

describe('AUTHZ-3: whether a user may watch is the member’s word', () => {
  it('a yes to the user’s own review is enough, and no stream is opened', async () => {
    const { upstream, answer } = canWatch(() => reviewed(true));
    expect(await answer).toEqual({ is: 'allowed' });
    expect(upstream.paths).toEqual([review]);
    expect(upstream.calls[0]!.headers['impersonate-user']).toBe('alice');
    expect(JSON.parse(String(upstream.calls[0]!.body)).spec).toEqual({
      resourceAttributes: {
        verb: 'watch',
        group: 'apps',
        version: 'v1',
        resource: 'deployments',
        namespace: 'ns',
      },
    });
  });

  it('of one name, where a selector names it', async () => {
    const { upstream, answer } = canWatch(
      () => reviewed(true),
      '/clusterspaces/*/api/v1/secrets',
      'watch=true&fieldSelector=metadata.name%3Dx',
    );
    await answer;
    expect(JSON.parse(String(upstream.calls[0]!.body)).spec.resourceAttributes).toMatchObject({ name: 'x' });
  });

  it.each([
    ['a no', () => reviewed(false)],
    ['no permission to ask', () => statusReply(403, 'Forbidden', 'cannot create selfsubjectaccessreviews')],
    ['garbage', () => replyOf(201, 'yes')],
    ['null', () => replyOf(201, { status: null })],
    ['no word', silence],
  ] satisfies [string, Answer][])('%s: the request itself decides, by the member’s own refusal', async (_, reply) => {
    const { upstream, answer } = canWatch((call) =>
      isReview(call) ? reply(call) : statusReply(403, 'Forbidden', 'no'),
    );
    expect(await answer).toMatchObject({ is: 'refused', error: { message: 'no' } });
    expect(upstream.paths).toEqual([review, watch]);
  });

  it('a stream that was opened to ask is closed again', async () => {
    const stream = openBody();
    const { answer } = canWatch((call) =>
      isReview(call) ? reviewed(false) : { status: 200, headers: {}, body: stream.body },
    );
    expect(await answer).toEqual({ is: 'allowed' });
    await stream.aborted;
  });

  it('a member that cannot be reached has not answered', async () => {
    const { answer } = canWatch(() => Promise.reject(new Error('reset')));
    expect(await answer).toEqual({ is: 'missing', reason: 'cannot be reached' });
  });

  it('SEC-2: a yes that is longer than any is none', async () => {
    const long = openBody();
    const { answer } = canWatch((call) => {
      if (!isReview(call)) return statusReply(403, 'Forbidden', 'no');
      setImmediate(() => {
        long.write(JSON.stringify({ status: { allowed: true, reason: 'x'.repeat(300_000) } }));
        long.body.end();
      });
      return { status: 201, headers: {}, body: long.body };
    });
    expect(await answer).toMatchObject({ is: 'refused' });
  });
});
