import { describe, expect, it } from 'vitest';
import { bodyBytes } from '../../testing/body-text.ts';
import { FakeUpstream, openBody, replyOf, silence, statusReply } from '../../testing/fake-upstream.ts';
import { silentLog } from '../../testing/silent-log.ts';
import { answerOpenApi } from './answer.ts';
import { digest } from './index-document.ts';
import { type Contributor, OpenApi } from './openapi.ts';

const apps = 'apis/apps/v1';
const protobufV2 = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** Serves these schemas of one group as kube-apiserver does. */
function place(name: string, schemas: Record<string, string>, more: Partial<Contributor> = {}) {
  const v3 = JSON.stringify({ openapi: '3.0.0', paths: {}, components: { schemas } });
  const v2 = JSON.stringify({ swagger: '2.0', paths: {}, definitions: schemas });
  const upstream = new FakeUpstream(({ path, headers }) => {
    const body = path === '/openapi/v2' ? v2 : v3;
    const etag = `"${digest(body)}"`;
    if (headers['if-none-match'] === etag) return replyOf(304, '', { etag });
    return replyOf(200, body, { etag });
  });
  const contributor: Contributor = {
    name,
    upstream,
    index: new Map([[apps, digest(v3)]]),
    isUnreachable: false,
    ...more,
  };
  return { ...contributor, upstream };
}

const started = (...contributors: Contributor[]) => {
  const openapi = new OpenApi(async () => contributors, silentLog().log);
  return async (url: string, headers = {}) => {
    const [path = '', query = ''] = url.split('?');
    const reply = await answerOpenApi(openapi, { view: 'fleet', path, query, headers });
    if (!reply) throw new Error('no OpenAPI path');
    const text = reply.body === undefined ? '' : String(await bodyBytes(reply));
    return { ...reply, text };
  };
};

const schemasOf = ({ text }: { text: string }) => {
  const document = JSON.parse(text);
  return document.definitions ?? document.components.schemas;
};

const urlIn = async (ask: ReturnType<typeof started>): Promise<string> =>
  JSON.parse((await ask('/openapi/v3')).text).paths[apps].serverRelativeURL;

describe('DISC-2: OpenAPI of all clusters', () => {
  it('the first in precedence counts where schemas conflict, and all that any has is there', async () => {
    const ask = started(
      place('karmada', { Pod: 'k' }),
      place('m1', { Pod: 'm', A: 'a' }),
      place('m2', { A: 'b', B: 'b' }),
    );
    const all = { Pod: 'k', A: 'a', B: 'b' };
    expect(schemasOf(await ask('/openapi/v2'))).toEqual(all);
    expect(schemasOf(await ask(`/openapi/v3/${apps}`))).toEqual(all);
    expect(schemasOf(await ask(await urlIn(ask)))).toEqual(all);
  });

  it('documents are read when they are asked for, once, and from one of those that have the same', async () => {
    const places = [place('m1', { A: 'a' }), place('m2', { A: 'a' }), place('m3', { A: 'b' })];
    const ask = started(...places);
    const url = await urlIn(ask);
    expect(places.map(({ upstream }) => upstream.paths)).toEqual([[], [], []]);
    await Promise.all([ask(url), ask(url)]);
    await ask(url);
    expect(places.map(({ upstream }) => upstream.paths)).toEqual([
      [`GET /openapi/v3/${apps}`],
      [],
      [`GET /openapi/v3/${apps}`],
    ]);
  });

  it('clusters that are alike are shown with their own hash and bytes', async () => {
    const places = [place('m1', { A: 'a' }), place('m2', { A: 'a' })];
    const ask = started(...places);
    expect(await urlIn(ask)).toBe(`/openapi/v3/${apps}?hash=${places[0]!.index.get(apps)}`);
  });

  it('the control plane’s documents of other groups are shown only where a member has them', async () => {
    const own = place('karmada', { A: 'a' }, { owns: (group) => group === 'cluster.karmada.io' });
    const index = new Map([
      ...own.index,
      ['apis/cluster.karmada.io/v1alpha1', 'X'],
      ['apis/other.io/v1', 'X'],
      ['api', 'X'],
    ]);
    const ask = started({ ...own, index }, place('m1', { B: 'b' }));
    const { paths } = JSON.parse((await ask('/openapi/v3')).text);
    expect(Object.keys(paths)).toEqual([apps, 'apis/cluster.karmada.io/v1alpha1']);
    expect(schemasOf(await ask(`/openapi/v3/${apps}`))).toEqual({ A: 'a', B: 'b' });
  });

  it('all of them with federation on', async () => {
    const own = place('karmada', { A: 'a' }, { owns: (group) => group === 'cluster.karmada.io' });
    const index = new Map([...own.index, ['apis/other.io/v1', 'X'], ['api/v1', 'X']]);
    const ask = started({ ...own, index, isShownWhole: true }, place('m1', { B: 'b' }));
    const { paths } = JSON.parse((await ask('/openapi/v3')).text);
    expect(Object.keys(paths)).toEqual(['api/v1', apps, 'apis/other.io/v1']);
  });
});

it('SEC-2: a document that is larger than four objects may be is left out, and the others are shown', async () => {
  const large = (size: number) => {
    const honest = place('m1', { X: 'x'.repeat(size) });
    const upstream = new FakeUpstream(async (call) => {
      const reply = await honest.upstream.answer(call);
      const { body, write } = openBody(1_000);
      write(String(await reply.body.bytes()));
      body.end();
      return { ...reply, body };
    });
    return started({ ...honest, upstream }, place('m2', { A: 'a' }))(`/openapi/v3/${apps}`);
  };
  expect(Object.keys(schemasOf(await large(3_000)))).toEqual(['X', 'A']);
  expect(Object.keys(schemasOf(await large(4_000)))).toEqual(['A']);
});

describe('SEC-2: a member that claims the hash of another’s document', () => {
  const honest = () => place('m2', { A: 'a', B: 'b' });

  /** Serves other documents with the tags of `of`. */
  function liar(of: ReturnType<typeof place>) {
    const upstream = new FakeUpstream(async (call) => {
      const { etag } = (await of.upstream.answer({ ...call, headers: {} })).headers;
      const schemas = { X: 'x' };
      const lie = call.path === '/openapi/v2' ? { definitions: schemas } : { components: { schemas } };
      return replyOf(200, { paths: {}, ...lie }, { etag: String(etag) });
    });
    return { ...of, name: 'm1', upstream };
  }

  it.each([`/openapi/v3/${apps}`, '/openapi/v2'])('does not hide it: %s', async (path) => {
    const one = honest();
    // Asked before the honest one is there, too: what was read of the liar is then held.
    const contributors: Contributor[] = [liar(one)];
    const openapi = new OpenApi(async () => contributors, silentLog().log);
    const ask = async () => {
      const reply = await answerOpenApi(openapi, { view: 'fleet', path, query: '', headers: {} });
      return { etag: reply!.headers['etag'], schemas: schemasOf({ text: String(await bodyBytes(reply!)) }) };
    };
    const alone = await ask();
    expect(alone).toEqual({ etag: expect.not.stringContaining(one.index.get(apps)!), schemas: { X: 'x' } });
    contributors.push(one);
    expect((await ask()).schemas).toEqual({ X: 'x', A: 'a', B: 'b' });
    contributors.shift();
    const { etag, schemas } = await ask();
    expect(schemas).toEqual({ A: 'a', B: 'b' });
    expect(etag).not.toBe(alone.etag);
  });

  it('nor in protobuf, where the hash is not that of the bytes', async () => {
    const answering = (bytes: string) =>
      new FakeUpstream(({ headers }) =>
        replyOf(200, bytes, { 'content-type': String(headers['accept']).replace('@', '.'), etag: '"E"' }),
      );
    const index = new Map([[apps, 'E']]);
    const contributors = [
      { name: 'm1', upstream: answering(''), index, isUnreachable: false },
      { name: 'm2', upstream: answering('\x0a\x03abc'), index, isUnreachable: false },
    ];
    const protobufV3 = protobufV2.replace('v2', 'v3');
    const ask = started(...contributors);
    for (const [path, accept] of [
      [`/openapi/v3/${apps}`, protobufV3],
      ['/openapi/v2', protobufV2],
    ] as const) {
      const { headers } = await ask(path, { accept });
      expect(headers['etag']).not.toBe('"E"');
      for (const { upstream } of contributors) expect(upstream.paths).toContain(`GET ${path}`);
    }
  });

  it('of places that have the same /openapi/v2, one sends it', async () => {
    const places = ['m1', 'm2', 'm3'].map((name) => place(name, { A: 'a' }));
    const index = places[0]!.index;
    const ask = started(...places.map((one) => ({ ...one, index })));
    expect(schemasOf(await ask('/openapi/v2'))).toEqual({ A: 'a' });
    const tags = places.map(({ upstream }) => upstream.calls.map(({ headers }) => headers['if-none-match']));
    const tag = `"${digest(JSON.stringify({ swagger: '2.0', paths: {}, definitions: { A: 'a' } }))}"`;
    expect(tags).toEqual([[undefined], [tag], [tag]]);
  });
});

describe('DISC-2: a control plane that stands behind the members', () => {
  it('has the first word on its own groups, and only on those', async () => {
    const of = async (group: string) => {
      const ask = started(
        place('m1', { A: 'member' }),
        place('karmada', { A: 'own' }, { owns: (own) => own === group }),
      );
      return schemasOf(await ask(`/openapi/v3/${apps}`));
    };
    expect(await of('apps')).toEqual({ A: 'own' });
    expect(await of('cluster.karmada.io')).toEqual({ A: 'member' });
  });
});

describe('DISC-3: a cluster that is unreachable', () => {
  it('is shown as it was, and nobody waits for it', async () => {
    const isUnreachable = place('m2', { B: 'b' });
    const ask = started(place('m1', { A: 'a' }), isUnreachable);
    const paths = [await urlIn(ask), '/openapi/v2'];
    for (const path of paths) await ask(path);
    isUnreachable.isUnreachable = true;
    isUnreachable.upstream.answer = silence;
    for (const path of paths) expect(schemasOf(await ask(path))).toEqual({ A: 'a', B: 'b' });
  });

  it('and of which a document was never read: the others’, under another hash', async () => {
    const ask = started(place('m1', { A: 'a' }), place('m2', { B: 'b' }, { isUnreachable: true }));
    const moved = await ask(await urlIn(ask));
    expect(moved.status).toBe(301);
    const { status, text } = await ask(`/openapi/v3/${apps}${moved.headers['location']}`);
    expect({ status, schemas: schemasOf({ text }) }).toEqual({ status: 200, schemas: { A: 'a' } });
  });

  it('all away: 503', async () => {
    const ask = started(place('m1', { A: 'a' }, { isUnreachable: true }));
    await expect(ask('/openapi/v2')).rejects.toMatchObject({ code: 503 });
  });

  it('one that fails costs the others nothing', async () => {
    const failing = place('m2', { B: 'b' });
    failing.upstream.answer = () => statusReply(500, 'InternalError', 'no');
    expect(schemasOf(await started(place('m1', { A: 'a' }), failing)('/openapi/v2'))).toEqual({ A: 'a' });
  });
});

describe('answers are those of kube-apiserver', () => {
  const one = place('m1', { A: 'a' });
  const ask = started(one);

  it.each(['/openapi/v2', '/openapi/v3', `/openapi/v3/${apps}`])(
    'DISC-3: %s has an ETag, and 304 for who has it',
    async (path) => {
      const { headers } = await ask(path);
      expect(headers['etag']).toMatch(/^"[0-9A-F]{128}"$/);
      for (const tags of [headers['etag'], `"x", W/${headers['etag']}`, '*']) {
        expect(await ask(path, { 'if-none-match': tags })).toMatchObject({ status: 304, body: undefined });
      }
      expect((await ask(path, { 'if-none-match': '"x"' })).status).toBe(200);
    },
  );

  it('a large document goes out in pieces, a small one at once', async () => {
    const { headers, body, text } = await started(place('m1', { A: 'a'.repeat(1_000_000) }))('/openapi/v2');
    expect(Buffer.isBuffer(body)).toBe(false);
    expect(headers['content-length']).toBe(String(text.length));
    expect(Buffer.isBuffer((await ask('/openapi/v2')).body)).toBe(true);
  });

  it('with the right hash for ever, with another 301 to the right one', async () => {
    const { headers } = await ask(await urlIn(ask));
    expect(headers).toMatchObject({ 'cache-control': 'public, immutable', vary: 'Accept' });
    const moved = await ask(`/openapi/v3/${apps}?hash=OLD`);
    expect(moved).toMatchObject({ status: 301, headers: { location: `?hash=${one.index.get(apps)}` } });
    expect((await ask(`/openapi/v3/${apps}`)).headers['cache-control']).toBeUndefined();
  });

  it('client-go’s protobuf is passed on as such; what nobody can write is 406', async () => {
    const upstream = new FakeUpstream(({ headers }) =>
      replyOf(200, 'bytes', { 'content-type': String(headers['accept']).replace('@', '.'), etag: '"E"' }),
    );
    const { headers, text } = await started({ ...one, upstream })('/openapi/v2', { accept: protobufV2 });
    expect(text).toBe('bytes');
    expect(headers).toMatchObject({
      'content-type': 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
      etag: '"E"',
      vary: 'Accept',
    });
    await expect(ask('/openapi/v2', { accept: 'application/yaml' })).rejects.toMatchObject({ code: 406 });
    await expect(ask('/openapi/v3/apis/none/v1')).rejects.toMatchObject({ code: 404 });
  });

  it('a document that changed since the index was read is sent as what it is', async () => {
    const changed = place('m1', { A: 'new' }, { index: new Map([[apps, 'OLD']]) });
    const asking = started(changed);
    const moved = await asking(await urlIn(asking));
    expect(moved.status).toBe(301);
    expect(schemasOf(await asking(`/openapi/v3/${apps}${moved.headers['location']}`))).toEqual({ A: 'new' });
  });
});
