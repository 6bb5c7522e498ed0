import { PassThrough } from 'node:stream';
import { forbidden } from '@fleet/kube/status.ts';
import { describe, expect, it } from 'vitest';
import type { PlainReply, Reply } from '../http/message.ts';
import { mapOf } from '../present/versions.ts';
import { parseTarget } from '../target/parse.ts';
import { nothingRegistered, type Registrations } from '../target/registered.ts';
import type { Target } from '../target/target.ts';
import { bodyText } from '../testing/body-text.ts';
import { FakeUpstream, replyOf, statusReply } from '../testing/fake-upstream.ts';
import { knownKinds } from '../testing/known-kinds.ts';
import { incomingOf, stripAt, targetOf } from '../testing/targets.ts';
import { type PassFoundAsk, passFound } from './pass-found.ts';

const path = '/api/v1/namespaces/d/configmaps/x';
const there = { kind: 'ConfigMap', metadata: { name: 'x', namespace: 'd', resourceVersion: '7' } };

/** A request by plain name to two members, of which m1 has the object. */
function ask(
  method: string,
  url = path,
  { requireCluster = false, status = 200, upgrade = false } = {},
  registrations: Registrations = nothingRegistered,
  more: Partial<PassFoundAsk> = {},
) {
  const upstreams = {
    m1: new FakeUpstream(() => replyOf(status, there)),
    m2: new FakeUpstream(() => replyOf(404, {})),
  };
  upstreams.m1.answer = ({ method: sent }) =>
    sent === 'GET' || status === 200 ? replyOf(200, there) : statusReply(status, 'Forbidden', 'no');
  upstreams.m1.upgradeAnswer = async () => ({
    is: 'upgraded',
    status: 101,
    statusText: '',
    headers: {},
    stream: new PassThrough(),
    head: Buffer.alloc(0),
  });
  const target = parseTarget(method, url, registrations) as Target;
  const reply = passFound({
    target,
    clusters: ['m1', 'm2'],
    requireCluster,
    routeTo: (cluster) => {
      const upstream = upstreams[cluster as 'm1' | 'm2'];
      return { cluster, ready: true, upstream, identity: {}, strip: stripAt(cluster), kinds: knownKinds };
    },
    merged: () => Promise.reject(new Error('not a list')),
    incoming: { ...incomingOf(method, url, {}), upgrade },
    ...more,
  });
  return { upstreams, reply, sent: () => [...upstreams.m1.paths, ...upstreams.m2.paths] };
}

const found =
  '299 - "configmaps \\"x\\" was found in cluster \\"m1\\": next time name it, as in \\"x.clusterspace.m1\\""';

describe('NAME-6: a write that was found by its plain name', () => {
  it.each(['DELETE', 'PUT', 'PATCH'])('%s: the answer names the cluster', async (method) => {
    expect((await ask(method).reply).headers['warning']).toEqual([found]);
  });

  it('so does a refusal, and what is done through a subresource', async () => {
    expect((await ask('DELETE', path, { status: 403 }).reply).headers['warning']).toEqual([found]);
    const eviction = '/api/v1/namespaces/d/pods/x/eviction';
    expect((await ask('POST', eviction).reply).headers['warning']).toEqual([
      expect.stringContaining('pods \\"x\\" was found in cluster \\"m1\\"'),
    ]);
  });

  it('an exec is a stream, which has no reader for it', async () => {
    const reply = await ask('GET', '/api/v1/namespaces/d/pods/x/exec?command=ls', { upgrade: true }).reply;
    expect({ is: reply.is, warning: reply.headers['warning'] }).toEqual({ is: 'upgraded', warning: undefined });
  });

  it.each(['GET', 'HEAD'])('%s: nothing is warned of', async (method) => {
    expect((await ask(method).reply).headers['warning']).toBeUndefined();
  });
});

describe('NAME-6: with --require-cluster-for-writes', () => {
  it.each([
    ['DELETE', path],
    ['PUT', path],
    ['PATCH', path],
    ['POST', '/api/v1/namespaces/d/pods/x/eviction'],
    ['POST', '/api/v1/namespaces/d/pods/x/exec?command=ls'],
    ['GET', '/api/v1/namespaces/d/pods/x/exec?command=ls'],
  ])('%s %s is 400 with how to name one, and nobody is asked', async (method, url) => {
    const { reply, sent } = ask(method, url, { requireCluster: true });
    await expect(reply).rejects.toMatchObject({
      code: 400,
      message: expect.stringMatching(
        /"x\.clusterspace\.\{cluster\}".*\/clusterspaces\/\{cluster\}\/api\/v1\/namespaces\/d\//,
      ),
    });
    expect(sent()).toEqual([]);
  });

  it('reads are found as before', async () => {
    expect((await ask('GET', path, { requireCluster: true }).reply).status).toBe(200);
  });
});

describe('the aggregation family', () => {
  const root = '/apis/search.karmada.io/v1alpha1/proxying/karmada/proxy';
  const registered: Registrations = { ...nothingRegistered, isRegistered: () => true };
  const positions = new Map([
    ['m1', '70'],
    ['m2', '90'],
  ]);
  const listed: string[] = [];
  const inFamily = (method: string, url: string, more: Partial<PassFoundAsk> = {}) =>
    ask(method, `${root}${url}`, {}, registered, {
      positionsBy: async ({ wire }) => {
        listed.push(wire.path);
        return positions;
      },
      ...more,
    });
  const objectOf = async (reply: Promise<Reply>) => JSON.parse(await bodyText((await reply) as PlainReply));

  it('RV-4: a GET carries the map of all positions, with its own version for its cluster', async () => {
    const { metadata } = await objectOf(inFamily('GET', path).reply);
    expect(metadata.annotations).toEqual({ 'resource.karmada.io/cached-from-cluster': 'm1' });
    expect(Object.fromEntries(mapOf(metadata.resourceVersion)!)).toEqual({ m1: '7', m2: '90' });
    expect(listed).toEqual(['/api/v1/namespaces/d/configmaps']);
  });

  it('RV-3: the answer to a write has its own, and no warning: plain names are what everybody writes', async () => {
    const { reply } = inFamily('PATCH', path);
    expect((await objectOf(reply)).metadata.resourceVersion).toBe('7');
    expect((await reply).headers['warning']).toBeUndefined();
  });

  it('SEC-1: a redirect stays in the cluster by the suffixed name, within the family', async () => {
    const proxy = '/api/v1/namespaces/d/services/x:80/proxy';
    const { upstreams, reply } = inFamily('GET', `${proxy}/a`);
    upstreams.m1.answer = ({ path: sent }) =>
      sent.includes('/proxy/') ? replyOf(307, '', { location: `${proxy}/b` }) : replyOf(200, there);
    expect((await reply).headers['location']).toBe(`${root}/api/v1/namespaces/d/services/x.clusterspace.m1:80/proxy/b`);
  });
});

describe('CACHE-8: what the cache had in m1 is there no more', () => {
  const known = {
    knownAt: (cluster: string) => ({ isThere: async () => cluster === 'm1', wasThere: async () => false }),
  };
  /** What the two members answer, to a look and to anything else. */
  const moved = (method: string, answers: { m1: number; m2: number }, more: Partial<PassFoundAsk> = {}) => {
    const asked = ask(method, path, {}, nothingRegistered, { ...known, ...more });
    for (const [name, upstream] of Object.entries(asked.upstreams)) {
      const status = answers[name as 'm1' | 'm2'];
      upstream.answer = () =>
        status === 200 ? replyOf(200, there) : statusReply(status, 'NotFound', `gone at ${name}`);
    }
    return asked;
  };

  it.each(['GET', 'DELETE', 'PATCH', 'PUT'])('LIST-7: %s goes to the member that has it', async (method) => {
    const { reply, upstreams } = moved(method, { m1: 404, m2: 200 });
    expect((await reply).status).toBe(200);
    expect(upstreams.m2.paths).toEqual([`GET ${path}`, `${method} ${path}`]);
  });

  it('where nobody has it the answer is that of the member which had it', async () => {
    const reply = await moved('DELETE', { m1: 404, m2: 404 }).reply;
    expect(await bodyText(reply as PlainReply)).toContain('gone at m1');
  });

  it('a write is 503 while another member is silent', async () => {
    await expect(moved('DELETE', { m1: 404, m2: 500 }).reply).rejects.toMatchObject({
      code: 503,
      message: expect.stringContaining('"m2"'),
    });
  });

  it('IMP-5: so it is where another member must not know the user', async () => {
    const lookIn = (cluster: string) => {
      if (cluster === 'm2') throw forbidden('no identity');
      const upstream = new FakeUpstream(() => replyOf(404, {}));
      return { cluster, ready: true, upstream, identity: {}, strip: stripAt(cluster), kinds: knownKinds };
    };
    expect((await moved('DELETE', { m1: 404, m2: 200 }, { lookIn }).reply).status).toBe(404);
  });

  it('a 404 of something else about it stands, and no other member is asked', async () => {
    const { reply, upstreams } = moved('DELETE', { m1: 404, m2: 200 });
    upstreams.m1.answer = ({ method }) =>
      method === 'GET' ? replyOf(200, there) : statusReply(404, 'NotFound', 'no such subresource');
    expect((await reply).status).toBe(404);
    expect(upstreams.m2.paths).toEqual([]);
  });

  it('a body that has been sent on unread is not sent again', async () => {
    const body = new PassThrough();
    const incoming = { ...incomingOf('DELETE', path), body };
    const { reply, upstreams } = moved('DELETE', { m1: 404, m2: 200 }, { incoming });
    expect((await reply).status).toBe(404);
    expect(upstreams.m2.paths).toEqual([]);
  });

  it('an apply, which would make it anew, asks the members first', async () => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}';
    const target = targetOf('PATCH', path, body, 'application/apply-patch+yaml');
    const { reply, upstreams } = moved('PATCH', { m1: 404, m2: 200 }, { target });
    expect((await reply).status).toBe(200);
    expect([upstreams.m1.paths, upstreams.m2.paths]).toEqual([[`GET ${path}`], [`GET ${path}`, `PATCH ${path}`]]);
  });
});

describe('SEC-1: a redirect of what was found by its plain name', () => {
  const proxy = '/api/v1/namespaces/d/services/x/proxy';
  const star = '/apis/cluster.karmada.io/v1alpha1/clusters/*/proxy';
  it.each([
    [`${proxy}/a`, `/clusterspaces/m1${proxy}/b`],
    [`${star}${proxy}/a`, `${star.replace('*', 'm1')}${proxy}/b`],
  ])('of %s stays in the cluster that has it', async (url, expected) => {
    const { upstreams, reply } = ask('GET', url);
    upstreams.m1.answer = ({ path: sent }) =>
      sent.includes('/proxy/') ? replyOf(307, '', { location: `${proxy}/b` }) : replyOf(200, there);
    expect((await reply).headers['location']).toBe(expected);
  });
});
