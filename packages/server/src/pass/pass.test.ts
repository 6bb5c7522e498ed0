import { PassThrough, Readable } from 'node:stream';
import { type BytesReply, type Headers, UnreachableError } from '@fleet/client/upstream.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Incoming, PlainReply, Reply } from '../http/message.ts';
import { combineVersions } from '../present/versions.ts';
import { type Answer, FakeUpstream, openBody, replyOf, silence, statusReply } from '../testing/fake-upstream.ts';
import { knownKinds } from '../testing/known-kinds.ts';
import { incomingOf, stripAt, targetOf, templateTargetOf } from '../testing/targets.ts';
import { pass } from './pass.ts';

const identity: Headers = { 'impersonate-user': 'alice' };
const pods = '/api/v1/namespaces/d/pods';

function passing(answer: Answer) {
  const upstream = new FakeUpstream(answer);
  const send = async (method: string, url: string, more: Partial<Incoming> = {}, body?: string): Promise<Reply> =>
    pass(
      { cluster: 'm1', ready: true, upstream, identity, strip: stripAt('m1'), kinds: knownKinds },
      targetOf(method, url, body),
      incomingOf(method, url, more),
    );
  return { upstream, send };
}

async function textOf(reply: Reply): Promise<string> {
  const { body } = reply as PlainReply;
  if (body === undefined || Buffer.isBuffer(body)) return String(body ?? '');
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

afterEach(() => {
  vi.useRealTimers();
});

describe('URL-4: one place, bytes through', () => {
  it('method, path, query and body go on as they came, as the user', async () => {
    const { upstream, send } = passing(() => replyOf(201, '{"kind":"Pod"}', { 'x-a': '1', connection: 'close' }));
    const body = Readable.from(['{}']);
    const reply = await send('POST', `/clusterspaces/m1${pods}?dryRun=All&x=%2f`, {
      headers: {
        'content-type': 'application/vnd.kubernetes.protobuf',
        authorization: 'Bearer mine',
        'impersonate-user': 'root',
        cookie: 'c',
        'x-forwarded-for': '10.0.0.1',
        'x-real-ip': '10.0.0.1',
      },
      remoteAddress: '::ffff:192.0.2.7',
      body,
    });
    expect(upstream.calls[0]).toMatchObject({ method: 'POST', path: `${pods}?dryRun=All&x=%2f` });
    expect(upstream.calls[0]?.body).toBe(body);
    expect(upstream.calls[0]?.headers).toEqual({
      'content-type': 'application/vnd.kubernetes.protobuf',
      'impersonate-user': 'alice',
      'x-forwarded-for': '192.0.2.7',
    });
    expect(reply).toMatchObject({ status: 201, headers: { 'content-type': 'application/json', 'x-a': '1' } });
    expect(reply.headers).not.toHaveProperty('connection');
    expect(await textOf(reply)).toBe('{"kind":"Pod"}');
  });

  it('a member’s error is the client’s answer, in its own words', async () => {
    const reply = await passing(() => statusReply(409, 'Conflict', 'modified')).send(
      'PUT',
      `/clusterspaces/m1${pods}/x`,
    );
    expect(reply.status).toBe(409);
    expect(await textOf(reply)).toContain('"modified"');
  });

  it('LIMIT-1: the body of a read stays here, and is not waited for, but where the member proxies it', async () => {
    const { upstream, send } = passing(() => replyOf(200, '{}'));
    const more = () => ({ headers: { 'content-length': '10' }, body: new PassThrough() });
    for (const url of [pods, `${pods}?watch=true`, '/version']) await send('GET', `/clusterspaces/m1${url}`, more());
    const sent = { ...identity, 'x-forwarded-for': '127.0.0.1' };
    for (const { body, headers } of upstream.calls) expect([body, headers]).toEqual([undefined, sent]);
    await send('GET', `/clusterspaces/m1${pods}/x/proxy/_search`, more());
    expect(upstream.calls.at(-1)).toMatchObject({ body: expect.any(PassThrough), headers: { 'content-length': '10' } });
  });

  it('NAME-8: no answer is 503 or 504', async () => {
    const { send } = passing(() => Promise.reject(new UnreachableError(true, {})));
    await expect(send('GET', `/clusterspaces/m1${pods}`)).rejects.toMatchObject({ code: 503 });
    await expect(send('DELETE', `/clusterspaces/m1${pods}/x`)).rejects.toMatchObject({ code: 504 });
  });

  it('LIST-1: other requests have 60 s for their head, watches and streams as long as they need', async () => {
    vi.useFakeTimers();
    const { send } = passing(silence);
    const get = send('GET', `/clusterspaces/m1${pods}`);
    const ended: string[] = [];
    for (const url of [
      `${pods}?watch=true`,
      `${pods}/x/log?follow=true`,
      `${pods}/x/exec`,
      '/api/v1/nodes/n/proxy/logs',
    ]) {
      send('GET', `/clusterspaces/m1${url}`).catch(() => ended.push(url));
    }
    get.catch(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(get).rejects.toMatchObject({ code: 504, message: 'cluster "m1" did not answer in time' });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(ended).toEqual([]);
  });

  it('a client that leaves ends the call', async () => {
    const gone = new AbortController();
    const { upstream, send } = passing(silence);
    const sending = send('GET', `/clusterspaces/m1${pods}`, { signal: gone.signal });
    gone.abort(new Error('the client is gone'));
    await expect(sending).rejects.toThrow('the client is gone');
    expect(upstream.calls[0]?.signal.aborted).toBe(true);
  });
});

describe('NAME-4: by suffixed name', () => {
  const named = `${pods}/x.clusterspace.m1`;

  it('the member is asked for JSON by plain name, the answer carries the suffix', async () => {
    const { upstream, send } = passing(() =>
      replyOf(200, '{"kind":"Pod","metadata":{"name":"x"}}', { 'content-length': '38' }),
    );
    const reply = await send('GET', named, {
      headers: { accept: 'application/vnd.kubernetes.protobuf, application/json', 'accept-encoding': 'gzip' },
    });
    expect(upstream.calls[0]).toMatchObject({
      path: `${pods}/x`,
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
    });
    expect(JSON.parse(await textOf(reply)).metadata.name).toBe('x.clusterspace.m1');
    expect(reply.headers).not.toHaveProperty('content-length');
  });

  it('a 404 quotes the name that was asked for', async () => {
    const { send } = passing(() =>
      replyOf(404, new StatusError(404, 'NotFound', 'pods "x" not found', { name: 'x' }).toStatus()),
    );
    expect(JSON.parse(await textOf(await send('GET', named)))).toMatchObject({
      message: 'pods "x.clusterspace.m1" not found',
      details: { name: 'x.clusterspace.m1' },
    });
  });

  it('NAME-4: a 422 about a name that was made quotes it as one of the cluster’s', async () => {
    const { send } = passing(() =>
      replyOf(422, new StatusError(422, 'Invalid', 'Pod "x-abcde" is invalid', { name: 'x-abcde' }).toStatus()),
    );
    const made = '{"metadata":{"generateName":"x-.clusterspace.m1"}}';
    expect(JSON.parse(await textOf(await send('POST', pods, {}, made)))).toMatchObject({
      message: 'Pod "x-abcde.clusterspace.m1" is invalid',
      details: { name: 'x-abcde.clusterspace.m1' },
    });
  });

  it('logs are bytes, but errors about them name the object', async () => {
    const log = '{"kind":"not","metadata":{"name":"x"}}';
    const { upstream, send } = passing(() => replyOf(200, log));
    expect(await textOf(await send('GET', `${named}/log`))).toBe(log);
    upstream.answer = () => statusReply(404, 'NotFound', 'pods "x" not found');
    expect(await textOf(await send('GET', `${named}/log`))).toContain('x.clusterspace.m1');
  });

  it('NAME-4: errors about logs are asked for in JSON, what a pod itself answers in any form', async () => {
    const { upstream, send } = passing(() => replyOf(200, ''));
    const accept = 'application/vnd.kubernetes.protobuf,application/json';
    await send('GET', `${named}/log`, { headers: { accept } });
    await send('GET', `${named}/proxy/`, { headers: { accept } });
    await send('GET', `${named}/log`, { headers: { accept: 'image/png' } });
    expect(upstream.calls.map(({ headers }) => headers['accept'])).toEqual(['application/json', accept, 'image/png']);
  });

  it('LIST-9: not every answer has every form, so the member is asked for all of them that are JSON', async () => {
    const { upstream, send } = passing(() => replyOf(201, '{"kind":"Status","status":"Success"}'));
    const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const accept = `application/vnd.kubernetes.protobuf,${table},application/json`;
    await send('POST', `${named}/eviction`, { headers: { accept } }, '{}');
    expect(upstream.calls[0]?.headers['accept']).toBe(`${table},application/json`);
  });

  it('LIST-9: 406 for a client that takes no JSON', async () => {
    const { upstream, send } = passing(() => replyOf(200, '{}'));
    await expect(
      send('GET', named, { headers: { accept: 'application/vnd.kubernetes.protobuf' } }),
    ).rejects.toMatchObject({ code: 406 });
    expect(upstream.calls).toEqual([]);
  });

  it('NAME-3: a write goes on by plain name, its answer comes back by the one that was sent', async () => {
    const { upstream, send } = passing(() => replyOf(200, '{"kind":"Pod","metadata":{"name":"x"}}'));
    const body = '{"metadata":{"name":"x.clusterspace.m1"}}';
    const reply = await send('PUT', named, { headers: { 'content-length': '99', 'content-type': 'a/b' } }, body);
    const sent = '{"metadata":{"name":"x"}}';
    expect(upstream.calls[0]).toMatchObject({
      path: `${pods}/x`,
      body: Buffer.from(sent),
      headers: { 'content-length': String(sent.length), 'content-type': 'application/json' },
    });
    expect(JSON.parse(await textOf(reply)).metadata.name).toBe('x.clusterspace.m1');
  });

  it('RV-5: a merged version becomes the cluster’s own; one without it is 409 and reaches nobody', async () => {
    const { upstream, send } = passing(() => replyOf(200, '{"kind":"Pod"}'));
    const put = (versions: Record<string, string>) =>
      send(
        'PUT',
        named,
        {},
        JSON.stringify({ metadata: { resourceVersion: combineVersions(new Map(Object.entries(versions))) } }),
      );
    await put({ m1: '7', m2: '8' });
    expect(String(upstream.calls[0]?.body)).toBe('{"metadata":{"resourceVersion":"7"}}');
    await expect(put({ m2: '8' })).rejects.toMatchObject({ code: 409, reason: 'Conflict' });
    expect(upstream.calls).toHaveLength(1);
  });

  it('lists and watches are shown as they come', async () => {
    const selected = `${pods}?fieldSelector=metadata.name%3Dx.clusterspace.m1`;
    const { upstream, send } = passing(() =>
      replyOf(200, '{"kind":"PodList","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"x"}}]}\n'),
    );
    expect(await textOf(await send('GET', selected))).toBe(
      '{"kind":"PodList","metadata":{"resourceVersion":"5"},"items":[{"metadata":{"name":"x.clusterspace.m1"}}]}\n',
    );
    upstream.answer = () =>
      replyOf(
        200,
        '{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"x"}}}\n{"type":"ERROR","object":{"kind":"Status","message":"pods \\"x\\" expired"}}\n',
      );
    expect(await textOf(await send('GET', `${selected}&watch=true`))).toBe(
      '{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"x.clusterspace.m1"}}}\n{"type":"ERROR","object":{"kind":"Status","message":"pods \\"x.clusterspace.m1\\" expired"}}\n',
    );
  });

  it('LIST-9: a small list is not compressed; one that breaks off before anything is sent is 502', async () => {
    const selected = `${pods}?fieldSelector=metadata.name%3Dx.clusterspace.m1`;
    const gzip = { headers: { 'accept-encoding': 'gzip' } };
    const list = '{"kind":"PodList","metadata":{},"items":[{"metadata":{"name":"x"}}';
    const answer = await passing(() => replyOf(200, `${list}]}`)).send('GET', selected, gzip);
    expect(answer.headers).not.toHaveProperty('content-encoding');
    const broken = passing(() => replyOf(200, list)).send('GET', selected, gzip);
    await expect(broken).rejects.toMatchObject({ code: 502, message: expect.stringContaining('"m1"') });
  });

  it('an answer that breaks off or is no JSON is 502 and names the cluster, never half an object', async () => {
    const { body } = openBody();
    body.push(Buffer.from('{"kind":"Pod",'));
    body.fail(new Error('connection reset'));
    const broken: BytesReply[] = [
      { status: 200, headers: { 'content-type': 'application/json' }, body },
      replyOf(200, '{"kind":'),
      replyOf(200, '[]'),
    ];
    for (const reply of broken) {
      await expect(passing(() => reply).send('GET', named)).rejects.toMatchObject({
        code: 502,
        message: expect.stringContaining('"m1"'),
      });
    }
  });
});

describe('a member that refuses the product itself', () => {
  const refusing = () => statusReply(401, 'Unauthorized', 'Unauthorized');

  it('is 503 to clients, who have proved who they are', async () => {
    for (const url of [`/clusterspaces/m1${pods}`, `${pods}/x.clusterspace.m1`, '/clusters/m1/version']) {
      await expect(passing(refusing).send('GET', url)).rejects.toMatchObject({
        code: 503,
        message: 'cluster "m1" does not accept the credential that this server has for it',
        details: undefined,
      });
    }
  });

  it('the same for an upgrade', async () => {
    const { upstream, send } = passing(silence);
    upstream.upgradeAnswer = async () => ({ is: 'refused', reply: refusing() });
    const asked = { upgrade: true, headers: { connection: 'Upgrade', upgrade: 'websocket' } };
    await expect(send('GET', `/clusters/m1${pods}/x/exec`, asked)).rejects.toMatchObject({ code: 503 });
  });

  it.each([`${pods}/x/proxy/login`, '/api/v1/proxy/namespaces/d/services/web/login'])(
    'a 401 of what stands behind the member’s own proxy is the client’s: %s',
    async (url) => {
      const reply = await passing(() => replyOf(401, 'who are you?')).send('GET', `/clusters/m1${url}`);
      expect(reply).toMatchObject({ status: 401 });
      expect(await textOf(reply)).toBe('who are you?');
    },
  );
});

describe('URL-13: upgrades', () => {
  const exec = `${pods}/x.clusterspace.m1/exec?command=ls`;
  const asked = { upgrade: true, headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'k' } };

  it('are sent again to the member', async () => {
    const { upstream, send } = passing(silence);
    const stream = new PassThrough();
    upstream.upgradeAnswer = async () => ({
      is: 'upgraded',
      status: 101,
      statusText: 'S',
      headers: {},
      stream,
      head: Buffer.alloc(0),
    });
    expect(await send('GET', exec, asked)).toMatchObject({ is: 'upgraded', stream });
    expect(upstream.calls[0]).toMatchObject({
      path: `${pods}/x/exec?command=ls`,
      headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'k', 'impersonate-user': 'alice' },
    });
  });

  it('one that is refused is an ordinary answer, by the name that was asked for', async () => {
    const { upstream, send } = passing(silence);
    upstream.upgradeAnswer = async () => ({
      is: 'refused',
      reply: statusReply(403, 'Forbidden', 'pods "x" is forbidden'),
    });
    const reply = await send('GET', exec, asked);
    expect(reply).toMatchObject({ is: 'plain', status: 403 });
    expect(await textOf(reply)).toContain('x.clusterspace.m1');
  });

  describe('WATCH-9: of a watch, by an upstream that does not change protocols', () => {
    const watch = `/clusterspaces/m1${pods}?watch=1`;
    const headers = { ...asked.headers, 'sec-websocket-version': '13' };
    const answering = async (reply: BytesReply) => {
      const { upstream, send } = passing(silence);
      upstream.upgradeAnswer = async () => ({ is: 'refused', reply });
      return send('GET', watch, { ...asked, headers });
    };

    it('its lines are the messages', async () => {
      const reply = await answering(replyOf(200, '{"type":"ADDED"}\n', { 'content-type': 'application/json' }));
      if (reply.is !== 'upgraded') throw new Error('not upgraded');
      const frames = Buffer.concat(await Array.fromAsync(reply.stream as AsyncIterable<Buffer>));
      expect(frames.toString('latin1')).toBe('\x81\x11{"type":"ADDED"}\n\x88\x02\x03\xe8');
    });

    it.each([
      [403, 'application/json'],
      [200, 'application/vnd.kubernetes.protobuf;stream=watch'],
    ])('%i in %s stays what it is', async (status, type) => {
      expect(await answering(replyOf(status, '{}', { 'content-type': type }))).toMatchObject({ is: 'plain', status });
    });
  });

  it('ERR-4: one with a body is 400 at once: its bytes would not be HTTP any more, and the member would wait for them', async () => {
    const { upstream, send } = passing(silence);
    await expect(send('POST', exec, { ...asked, body: Readable.from(['x']) })).rejects.toMatchObject({ code: 400 });
    expect(upstream.calls).toEqual([]);
  });

  it('NAME-8: one that found nobody is 503', async () => {
    const { upstream, send } = passing(silence);
    upstream.upgradeAnswer = () => Promise.reject(new UnreachableError(false, {}));
    await expect(send('POST', exec, asked)).rejects.toMatchObject({ code: 503 });
  });
});

describe('NAME-11: a workload’s selector names its cluster, wherever a list of them would go to all members', () => {
  const anyMember = '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy';
  const apps = '/apis/apps/v1/namespaces/d';
  const deployment =
    '{"kind":"Deployment","metadata":{"name":"x","namespace":"d"},"spec":{"selector":{"matchLabels":{"app":"x"}}}}';
  const narrowed = { matchLabels: { clusterspace: 'm1', app: 'x' } };
  const own = { matchLabels: { app: 'x' } };
  const ask = async (method: string, url: string, answer = deployment, headers: Headers = {}) => {
    const { upstream, send } = passing(() => replyOf(200, answer));
    const text = await textOf(await send(method, url, { headers }, method === 'GET' ? undefined : '{}'));
    return { text, accept: upstream.calls[0]?.headers['accept'] };
  };

  it.each([
    ['GET', `${apps}/deployments/x`, narrowed],
    ['PUT', `${apps}/deployments/x`, narrowed],
    ['PATCH', `${apps}/statefulsets/x`, narrowed],
    ['GET', `${apps}/deployments/x.clusterspace.m1`, narrowed],
    ['GET', `${anyMember}${apps}/deployments/x`, narrowed],
    ['GET', `/clusterspaces/all${apps}/deployments/x`, narrowed],
    ['GET', `/clusterspaces/m1${apps}/deployments/x`, own],
    ['GET', '/apis/apps/v1/namespaces/d.clusterspace.m1/deployments/x', own],
    ['GET', `${apps}/deployments/x/status`, own],
    ['GET', '/apis/example.fleet/v1/namespaces/d/deployments/x', own],
  ])('%s %s', async (method, url, selector) => {
    expect(JSON.parse((await ask(method, url)).text).spec.selector).toEqual(selector);
  });

  it('found by its plain name, all else of it keeps its bytes, and lists, watches and errors keep all', async () => {
    const { text, accept } = await ask('GET', `${apps}/deployments/x`, deployment, { accept: '*/*' });
    expect(text).toBe(deployment.replace('{"app"', '{"clusterspace":"m1","app"'));
    expect(accept).toBe('application/json');
    const selected = `${apps}/deployments?fieldSelector=metadata.name%3Dx`;
    const list = `{"kind":"DeploymentList","items":[${deployment}]}`;
    expect((await ask('GET', selected, list)).text).toBe(list);
    const event = `{"type":"ADDED","object":${deployment}}\n`;
    expect((await ask('GET', `${selected}&watch=true`, event)).text).toBe(event);
    const named = `${apps}/deployments?fieldSelector=metadata.name%3Dx.clusterspace.m1&watch=true`;
    expect((await ask('GET', named, event)).text).toBe(event.replace('"x"', '"x.clusterspace.m1"'));
  });

  it('NAME-5: the pods of a template are in members, whichever name it is asked by', async () => {
    const upstream = new FakeUpstream(() => replyOf(200, deployment));
    const route = { cluster: 'karmada', ready: true, upstream, identity, strip: stripAt('karmada'), kinds: knownKinds };
    const selectorAt = async (name: string, target = templateTargetOf('GET', `${apps}/deployments/${name}`)) =>
      JSON.parse(await textOf(await pass(route, target, incomingOf('GET', apps)))).spec.selector;
    expect(await selectorAt('x')).toEqual(own);
    expect(await selectorAt('x.clusterspace.karmada')).toEqual(own);
  });

  it('what selects no pods keeps its bytes', async () => {
    const pod = '{"kind":"Pod","metadata":{"name":"x","namespace":"d"},"spec":{"selector":{}}}';
    expect((await ask('GET', `${pods}/x`, pod)).text).toBe(pod);
  });
});

describe('SEC-1: what was found is what was asked for', () => {
  const pod = (metadata: object, kind = 'Pod') => ({ kind, apiVersion: 'v1', metadata });
  const own = { name: 'x', namespace: 'd' };

  it.each([
    ['another name', pod({ name: 'db.clusterspace.m2', namespace: 'd' })],
    ['another namespace', pod({ name: 'x', namespace: 'd.clusterspace.m2' })],
    ['another kind', pod(own, 'Namespace')],
  ])('%s is 502', async (_, answer) => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { send } = passing(() => replyOf(200, answer));
      await expect(send(method, `${pods}/x`, {}, '{}')).rejects.toMatchObject({ code: 502 });
    }
    const events = passing(() => replyOf(200, `${JSON.stringify({ type: 'ADDED', object: answer })}\n`));
    const watch = await events.send('GET', `${pods}?fieldSelector=metadata.name%3Dx&watch=true`);
    await expect(textOf(watch)).rejects.toThrow();
  });

  it('in a form that cannot be looked at it is refused, and not asked for', async () => {
    const accept = 'application/vnd.kubernetes.protobuf';
    const { send, upstream } = passing(() => replyOf(200, 'k8s\0', { 'content-type': accept }));
    await expect(send('GET', `${pods}/x`)).rejects.toMatchObject({ code: 502 });
    await expect(send('GET', `${pods}/x`, { headers: { accept } })).rejects.toMatchObject({ code: 406 });
    await expect(send('GET', `${pods}/x`, { headers: { accept: `${accept},*/*` } })).rejects.toMatchObject({
      code: 502,
    });
    expect(upstream.calls.map(({ headers }) => headers['accept'])).toEqual(['application/json', 'application/json']);
  });

  it('errors and logs keep their bytes, and the name of a cluster keeps everything', async () => {
    const refusal = '{ "kind": "Status", "message": "pods \\"x\\" not found" }';
    expect(await textOf(await passing(() => replyOf(404, refusal)).send('GET', `${pods}/x`))).toBe(refusal);
    const { send, upstream } = passing(() => replyOf(400, refusal));
    expect(await textOf(await send('GET', `${pods}/x/log`, { headers: { accept: 'text/plain' } }))).toBe(refusal);
    expect(upstream.calls[0]?.headers['accept']).toBe('text/plain');
    const other = JSON.stringify(pod({ name: 'y.clusterspace.m2' }, 'Namespace'));
    expect(await textOf(await passing(() => replyOf(200, other)).send('GET', `/clusterspaces/m1${pods}/x`))).toBe(
      other,
    );
  });
});

describe('SEC-1: names that cannot be marked are not shown', () => {
  const named = `${pods}/x.clusterspace.m1`;
  const all = `${pods}?labelSelector=clusterspace%3Dm1`;
  const bad = '{"kind":"Pod","metadata":{"name":"x"}}';
  const typed = (type: string, status = 200, text = bad) =>
    passing(() => replyOf(status, text, { 'content-type': type }));

  it('a media type may be written in any case, with parameters', async () => {
    for (const type of ['Application/json', 'APPLICATION/JSON ; charset=utf-8']) {
      expect(await textOf(await typed(type).send('GET', named))).toContain('x.clusterspace.m1');
    }
  });

  it.each(['application/yaml', 'application/vnd.kubernetes.protobuf', 'application/jsonx', 'text/plain', ''])(
    'an answer as "%s" is refused',
    async (type) => {
      for (const [method, url] of [
        ['GET', named],
        ['GET', all],
        ['GET', `${all}&watch=true`],
        ['DELETE', named],
      ] as const) {
        for (const status of [200, 201]) {
          await expect(typed(type, status).send(method, url)).rejects.toMatchObject({ code: 502 });
        }
      }
      if (type !== 'text/plain') {
        await expect(typed(type).send('GET', `${named}/status`)).rejects.toMatchObject({ code: 502 });
      }
    },
  );

  it('errors, logs, empty answers and what only clients of a subresource understand stay as they are', async () => {
    expect(await textOf(await typed('text/plain', 404).send('GET', named))).toBe(bad);
    expect(await textOf(await typed('text/plain').send('GET', `${named}/log`))).toBe(bad);
    expect(await textOf(await typed('text/plain').send('GET', `${named}/proxy/`))).toBe(bad);
    expect(await textOf(await typed('text/plain').send('GET', `${named}/other`))).toBe(bad);
    expect(await textOf(await typed('text/plain', 200, '').send('GET', named))).toBe('');
  });
});
