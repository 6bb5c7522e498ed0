import { describe, expect, it } from 'vitest';
import { errorOf, isStatus, KubeClient } from './kube-client.ts';
import { bodyOf } from './reply-body.ts';
import type { Upstream, UpstreamCall } from './upstream.ts';

function answering(...replies: [number, unknown][]) {
  const calls: UpstreamCall[] = [];
  const upstream = {
    async call(call: UpstreamCall) {
      calls.push(call);
      const [status, value] = replies[Math.min(calls.length, replies.length) - 1]!;
      return {
        status,
        headers: {},
        body: bodyOf(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))),
      };
    },
  } as unknown as Upstream;
  return { calls, client: new KubeClient(upstream, 'test') };
}

describe('KubeClient', () => {
  it('lists all pages', async () => {
    const { calls, client } = answering(
      [200, { metadata: { resourceVersion: '1', continue: 'a/b' }, items: [1] }],
      [200, { metadata: { resourceVersion: '1' }, items: null }],
    );
    expect(await client.list('/api/v1/pods?labelSelector=x')).toEqual({
      metadata: { resourceVersion: '1' },
      items: [1],
    });
    expect(calls.map(({ path }) => path)).toEqual([
      '/api/v1/pods?labelSelector=x&limit=500',
      '/api/v1/pods?labelSelector=x&limit=500&continue=a%2Fb',
    ]);
  });

  describe('when pages expire', () => {
    const expired = { kind: 'Status', reason: 'Expired', message: 'too old', metadata: { continue: 'inconsistent' } };

    it('lists again without pages, once', async () => {
      const { calls, client } = answering(
        [200, { metadata: { resourceVersion: '1', continue: 'a' }, items: [1] }],
        [410, expired],
        [200, { metadata: { resourceVersion: '9' }, items: [2, 3] }],
      );
      expect(await client.list('/api/v1/pods?labelSelector=x')).toEqual({
        metadata: { resourceVersion: '9' },
        items: [2, 3],
      });
      expect(calls.map(({ path }) => path)).toEqual([
        '/api/v1/pods?labelSelector=x&limit=500',
        '/api/v1/pods?labelSelector=x&limit=500&continue=a',
        '/api/v1/pods?labelSelector=x',
      ]);
    });

    it('the first one is an error, and so is any other than that they expired', async () => {
      const first = answering([410, expired]);
      await expect(first.client.list('/api/v1/pods')).rejects.toMatchObject({ code: 410 });
      expect(first.calls).toHaveLength(1);
      const other = answering([200, { metadata: { resourceVersion: '1', continue: 'a' }, items: [1] }], [500, {}]);
      await expect(other.client.list('/api/v1/pods')).rejects.toMatchObject({ code: 500 });
      expect(other.calls).toHaveLength(2);
    });
  });

  it('writes the largest and smallest integers of Go as they were', async () => {
    const object = '{"largest":9223372036854775807,"smallest":-9223372036854775808,"text":"9223372036854776000"}';
    const { calls, client } = answering([200, object]);
    await client.replace('/x', await client.get('/x'));
    expect(calls[1]!.body?.toString()).toBe(object);
  });

  it('SEC-2: no answer of more than 64 MiB is held', async () => {
    const { client } = answering([200, 'x'.repeat(64 * 1024 * 1024 + 1)]);
    await expect(client.get('/x')).rejects.toThrow('more than 67108864 bytes');
  });

  it('patches have their content type', async () => {
    const { calls, client } = answering([200, {}]);
    await client.patch('/x', 'merge', { a: 1 });
    expect(calls[0]).toMatchObject({
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json', 'user-agent': 'test' },
    });
    expect(String(calls[0]?.body)).toBe('{"a":1}');
  });

  it('errors keep code, reason, message and details', async () => {
    const { client } = answering([
      409,
      { kind: 'Status', reason: 'AlreadyExists', message: 'there', details: { name: 'x' } },
    ]);
    await expect(client.create('/x', {})).rejects.toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'there',
      details: { name: 'x' },
    });
  });

  it('PAGE-2: errors keep the continue token', () => {
    const expired = { kind: 'Status', metadata: { continue: 't' }, code: 410 };
    expect(errorOf(410, Buffer.from(JSON.stringify(expired))).continueToken).toBe('t');
  });

  it('errors without a Status have a message with the code, without the body', () => {
    for (const text of ['<html>10.0.0.1</html>', '{"a":1}', '', 'null']) {
      const error = errorOf(502, Buffer.from(text));
      expect(error).toMatchObject({ code: 502, message: 'the server answered 502' });
    }
    expect(errorOf(401, Buffer.from(''))).toMatchObject({ reason: 'Unauthorized' });
    expect(isStatus(errorOf(404, Buffer.from('')), 404)).toBe(true);
    expect(isStatus(new Error('404'), 404)).toBe(false);
  });
});
