import { expect, it } from 'vitest';
import { EventRecorder, type EventSubject } from './event-recorder.ts';
import { KubeClient } from './kube-client.ts';
import { bodyOf } from './reply-body.ts';
import type { Upstream, UpstreamCall } from './upstream.ts';

const about: EventSubject = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web-abc', namespace: 'shop', uid: 'u1', resourceVersion: '7' },
};

function recording(answer: (method: string) => number = () => 201, body: (method: string) => object = () => ({})) {
  const sent: { method: string; path: string; body: Record<string, unknown> & { metadata?: { name: string } } }[] = [];
  const errors: unknown[] = [];
  const upstream = {
    async call({ method, path, body: written }: UpstreamCall) {
      sent.push({ method, path, body: JSON.parse(String(written)) });
      return { status: answer(method), headers: {}, body: bodyOf(Buffer.from(JSON.stringify(body(method)))) };
    },
  } as unknown as Upstream;
  const recorder = new EventRecorder({
    client: new KubeClient(upstream),
    component: 'replicaset-controller',
    onError: (error) => errors.push(error),
  });
  return { recorder, sent, errors };
}

it('writes Events as client-go does', async () => {
  const { recorder, sent } = recording();
  recorder.event(about, 'Normal', 'SuccessfulCreate', 'Created pod: web-abc-x');
  await recorder.idle;
  expect(sent).toMatchObject([
    {
      method: 'POST',
      path: '/api/v1/namespaces/shop/events',
      body: {
        involvedObject: { kind: 'ReplicaSet', namespace: 'shop', name: 'web-abc', uid: 'u1', resourceVersion: '7' },
        reason: 'SuccessfulCreate',
        message: 'Created pod: web-abc-x',
        source: { component: 'replicaset-controller' },
        reportingComponent: 'replicaset-controller',
        reportingInstance: '',
        count: 1,
        type: 'Normal',
        eventTime: null,
      },
    },
  ]);
  expect(sent[0]!.body.metadata!.name).toMatch(/^web-abc\.[0-9a-f]{16}$/);
});

it('counts the same Event up by a patch, and creates it again if it has expired', async () => {
  let isGone = false;
  const { recorder, sent } = recording((method) => (method === 'PATCH' && isGone ? 404 : 200));
  for (let time = 0; time < 2; time += 1) recorder.event(about, 'Warning', 'FailedCreate', 'no');
  await recorder.idle;
  isGone = true;
  recorder.event(about, 'Warning', 'FailedCreate', 'no');
  await recorder.idle;
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'PATCH', 'POST']);
  expect(sent[1]!.body).toMatchObject({ count: 2, message: 'no' });
  expect(sent[1]!.path).toBe(`/api/v1/namespaces/shop/events/${sent[0]!.body.metadata!.name}`);
  expect(sent[3]!.body).toMatchObject({ count: 3, message: 'no' });
});

it('combines the tenth of similar Events and those after it, and stops at 25 of an object', async () => {
  const { recorder, sent } = recording();
  for (let pod = 0; pod < 30; pod += 1) recorder.event(about, 'Normal', 'SuccessfulCreate', `Created pod: p${pod}`);
  await recorder.idle;
  expect(sent).toHaveLength(25);
  expect(sent[9]!.body['message']).toBe('(combined from similar events): Created pod: p9');
  expect(sent[24]).toMatchObject({
    method: 'PATCH',
    body: { count: 16, message: '(combined from similar events): Created pod: p24' },
  });
});

it('reports errors, and continues', async () => {
  let code = 500;
  const { recorder, sent, errors } = recording(() => code);
  recorder.event(about, 'Normal', 'A', 'a');
  await recorder.idle;
  code = 403;
  recorder.event(about, 'Normal', 'B', 'b');
  await recorder.idle;
  expect([sent.length, errors.length]).toEqual([2, 2]);
  await recorder[Symbol.asyncDispose]();
  recorder.event(about, 'Normal', 'C', 'c');
  await recorder.idle;
  expect(sent).toHaveLength(2);
});

it.each([
  ['is being deleted', 403, 'Forbidden', { causes: [{ reason: 'NamespaceTerminating', message: 'm', field: 'f' }] }],
  ['is gone', 404, 'NotFound', { name: 'shop', kind: 'namespaces' }],
])('a namespace that %s takes no Events: there is nothing to report', async (_, code, reason, details) => {
  let isLate = false;
  const status = { kind: 'Status', status: 'Failure', code, reason, message: 'm', details };
  const { recorder, sent, errors } = recording(
    () => (isLate ? code : 201),
    () => (isLate ? status : {}),
  );
  recorder.event(about, 'Normal', 'A', 'a');
  await recorder.idle;
  isLate = true;
  for (const name of ['A', 'B']) recorder.event(about, 'Normal', name, name.toLowerCase());
  await recorder.idle;
  expect(errors).toEqual([]);
  expect(sent.at(-1)).toMatchObject({ method: 'POST', body: { reason: 'B' } });
});
