import { expect, it } from 'vitest';
import { KubeClient, type KubeObject } from './kube-client.ts';
import { bodyOf, ReplyBody } from './reply-body.ts';
import { SharedInformers } from './shared-informers.ts';
import type { Upstream, UpstreamCall } from './upstream.ts';

it('has one informer per resource, without managed fields, ended together', async () => {
  const asked: string[] = [];
  const pod = { metadata: { name: 'a', namespace: 'd', resourceVersion: '1', managedFields: [{}] } };
  const upstream = {
    async call({ path, signal }: UpstreamCall) {
      asked.push(path);
      if (!path.includes('watch=true')) {
        const list = { metadata: { resourceVersion: '5' }, items: [pod] };
        return { status: 200, headers: {}, body: bodyOf(Buffer.from(JSON.stringify(list))) };
      }
      const body = new ReplyBody({ pause() {}, resume() {}, abort() {} });
      signal.addEventListener('abort', () => body.fail(signal.reason));
      return { status: 200, headers: {}, body };
    },
  } as unknown as Upstream;
  const informers = new SharedInformers({
    client: new KubeClient(upstream),
    onError: (error) => expect.fail(`${error}`),
  });
  const pods = informers.of<KubeObject>('/api/v1/pods');
  expect(informers.of('/api/v1/pods')).toBe(pods);
  await informers.synced();
  expect(pods.get('d/a')).toEqual({ metadata: { name: 'a', namespace: 'd', resourceVersion: '1' } });
  await informers[Symbol.asyncDispose]();
  expect(asked).toHaveLength(2);
});
