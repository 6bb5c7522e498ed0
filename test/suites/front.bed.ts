/** The front on real clusters: errors as kube-apiserver writes them, tokens and certificates of files, limits, the end, audit. */

import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { type Authority, createAuthority, type Pair } from '@fleet/bed/pki.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memberProxy } from './fleet.ts';

const running = new AsyncDisposableStack();
let controlPlane: Member;
let member1: Member;
let product: Product;
let authority: Authority;
let folder: string;
const file = (name: string) => join(folder, name);

const servingPair = () => authority.issue({ name: 'fleet', dns: ['localhost'], ips: ['127.0.0.1'] });

async function start(more: { flags?: string[]; mutant?: Mutant } = {}): Promise<Product> {
  const dataDir = await mkdtemp(file('data-'));
  // Known beforehand, so that the certificate given below is of the product's own CA.
  await mkdir(join(dataDir, 'pki'));
  await writeFile(join(dataDir, 'pki/ca.crt'), authority.cert);
  await writeFile(join(dataDir, 'pki/ca.key'), authority.key);
  return running.use(await startProduct({ controlPlane, dataDir, ...more }));
}

beforeAll(async () => {
  [controlPlane, member1, authority, folder] = await Promise.all([
    startMember({ name: 'control-plane', nodes: 0 }),
    startMember({ name: 'member1', nodes: 0 }),
    createAuthority('front'),
    mkdtemp(join(tmpdir(), 'fleet-front-')),
  ]);
  running.use(controlPlane);
  running.use(member1);
  await writeFile(file('tokens.csv'), 'sekret-1,alice,u1,"devs,ops"\n');
  const pair = await servingPair();
  await Promise.all([writeFile(file('tls.crt'), pair.cert), writeFile(file('tls.key'), pair.key)]);
  await writeFile(
    file('fleet.yaml'),
    `tokenAuthFile: ${file('tokens.csv')}\nauditLog: ${file('audit.log')}\nmaxRequestsInflight: 3\nlogLevel: debug\n`,
  );
  product = await start({
    flags: [
      '--config',
      file('fleet.yaml'),
      '--tls-cert-file',
      file('tls.crt'),
      '--tls-private-key-file',
      file('tls.key'),
    ],
  });
  await product.join(member1);
});

afterAll(() => running.disposeAsync());

interface Answer {
  code: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

async function begin(server: { server: string; ca: string; admin?: Pair }, path: string, options: RequestOptions = {}) {
  const asking = request(new URL(path, server.server), { agent: false, ca: server.ca, ...server.admin, ...options });
  asking.end(options.method === 'POST' ? '{"metadata":{"name":"held"}}' : undefined);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return response;
}

async function ask(...args: Parameters<typeof begin>): Promise<Answer> {
  const response = await begin(...args);
  const { statusCode = 0, headers } = response;
  return { code: statusCode, headers, body: await buffer(response) };
}

describe('ERR-1: an error is what kube-apiserver would have sent', () => {
  const accepts = [
    '*/*',
    'application/yaml,application/json',
    'application/vnd.kubernetes.protobuf,application/json',
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  ];
  const shown = ({ code, headers, body }: Answer) => ({
    code,
    type: headers['content-type'],
    cache: headers['cache-control'],
    id: typeof headers['audit-id'],
    body: body.toString('hex'),
  });
  const both = async (ours: Product, accept: string) => {
    const path = '/api/v1/no-such-resource';
    const direct = { server: member1.directServer, ca: member1.ca, admin: member1.admin };
    const answers = [await ask(ours, path, { headers: { accept } }), await ask(direct, path, { headers: { accept } })];
    return answers.map(shown);
  };

  test.each(accepts)('Accept: %s', async (accept) => {
    const [ours, theirs] = await both(product, accept);
    expect(ours?.code).toBe(404);
    expect(ours).toEqual(theirs);
  });

  test('negative control: a field with another number is seen', async () => {
    const file = 'kube/src/status-protobuf.ts';
    const mutant = await start({ mutant: { file, from: 'field(4, reason)', to: 'field(3, reason)' } });
    const [ours, theirs] = await both(mutant, accepts[2]!);
    expect(ours).not.toEqual(theirs);
  });
});

describe('AUTHN-1: tokens of a file', () => {
  const whoami = async (token: string) => {
    const kubeconfig = await product.tokenKubeconfig(token);
    return product.kubectl('auth', 'whoami', '-o', 'json', { kubeconfig, at: '/clusterspaces/karmada' });
  };

  test('are users with groups; others are 401; a change counts without a restart', async () => {
    const { stdout } = await whoami('sekret-1');
    expect(JSON.parse(stdout).status.userInfo).toMatchObject({
      username: 'alice',
      uid: 'u1',
      groups: ['devs', 'ops', 'system:authenticated'],
    });
    expect((await whoami('sekret-2')).stderr).toContain('Unauthorized');
    await writeFile(file('tokens.csv'), 'sekret-2,bob,u2\n');
    await until('bob is known', async () => (await whoami('sekret-2')).code === 0, { timeout: 10_000 });
    expect((await whoami('sekret-1')).stderr).toContain('Unauthorized');
  });
});

test('AUTHN-3: a new certificate on disk is shown to new connections, and open watches go on', async () => {
  const shown = async () => {
    const response = await begin(product, '/readyz');
    const certificate = (response.socket as TLSSocket).getPeerX509Certificate();
    response.resume();
    return certificate?.toString().trim();
  };
  const before = await shown();
  expect(before).toBe((await readFile(file('tls.crt'), 'utf8')).trim());
  const watch = await begin(product, '/clusterspaces/member1/api/v1/namespaces/default/configmaps?watch=1');
  let seen = '';
  watch.on('data', (chunk) => {
    seen += chunk;
  });
  const pair = await servingPair();
  // Key first: for a moment the two do not fit.
  await writeFile(file('tls.key'), pair.key);
  await writeFile(file('tls.crt'), pair.cert);
  await until('the new one is shown', async () => (await shown()) === pair.cert.trim(), { timeout: 10_000 });
  await member1.kubectl('create', 'configmap', 'after-rotation');
  await until('the watch goes on', () => seen.includes('after-rotation'), { timeout: 5_000 });
  watch.destroy();
});

describe('LIMIT-1: sizes and numbers', () => {
  const values = Array.from({ length: 1000 }, (_, i) => `${i}`.padStart(60, 'v')).join(',');
  const longUrl = `/clusterspaces/member1/api/v1/pods?labelSelector=a%20in%20(${values})`;

  test('RV-7: a URL of 60 KiB reaches a member over HTTP/1.1 and HTTP/2; one above 64 KiB is 414', async () => {
    expect(longUrl.length).toBeGreaterThan(60_000);
    expect((await ask(product, longUrl)).code).toBe(200);
    const session = connect(product.server, { ca: product.ca, ...product.admin });
    try {
      const stream = session.request({ ':path': longUrl });
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      expect(headers[':status']).toBe(200);
      expect(JSON.parse(await text(stream)).kind).toBe('PodList');
    } finally {
      session.destroy();
    }
    const tooLong = await ask(product, `${longUrl}${values}`.slice(0, 70_000));
    expect({ code: tooLong.code, kind: JSON.parse(String(tooLong.body)).kind }).toEqual({ code: 414, kind: 'Status' });
  });

  test('one request too many is 429 with Retry-After; watches and health are not counted', async () => {
    const one = `${memberProxy('member1')}/api/v1/namespaces/default`;
    const watches = await Promise.all(
      Array.from({ length: 5 }, () => begin(product, '/clusterspaces/member1/api/v1/namespaces?watch=1')),
    );
    member1.faults.freeze();
    try {
      const answers = Array.from({ length: 8 }, () => ask(product, one));
      const refused = await Promise.any(answers);
      expect(refused).toMatchObject({ code: 429, headers: { 'retry-after': '1' } });
      expect(JSON.parse(String(refused.body))).toMatchObject({ kind: 'Status', reason: 'TooManyRequests' });
      expect((await ask(product, '/healthz')).code).toBe(200);
      member1.faults.thaw();
      const codes = (await Promise.all(answers)).map(({ code }) => code).sort();
      expect(codes).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    } finally {
      member1.faults.thaw();
      for (const watch of watches) watch.destroy();
    }
    expect((await ask(product, one)).code).toBe(200);
  });
});

describe('AUDIT-1', () => {
  const lines = async (name = 'audit.log') =>
    (await readFile(file(name), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test('a request is one line, with the id under which the member wrote it down', async () => {
    const headers = { 'audit-id': 'front-1', 'impersonate-user': 'carol', 'impersonate-group': 'fleet-testers' };
    const path = '/clusterspaces/member1/api/v1/namespaces/default/configmaps/kube-root-ca.crt?pretty=secret-value';
    const { code } = await ask(product, path, { headers });
    const mine = await until('it is written', async () => {
      const found = (await lines()).filter(({ id }) => id === 'front-1');
      return found.length > 0 && found;
    });
    expect(mine).toEqual([
      expect.objectContaining({
        stage: 'ResponseComplete',
        user: { name: 'fleet:admin', groups: ['fleet:admins', 'system:authenticated'] },
        impersonatedUser: expect.objectContaining({ name: 'carol' }),
        verb: 'get',
        resource: 'configmaps',
        namespace: 'default',
        name: 'kube-root-ca.crt',
        clusters: ['member1'],
        code,
      }),
    ]);
    // carol has no right to reach members: the member never saw her.
    expect(code).toBe(403);
    await ask(product, path, { headers: { 'audit-id': 'front-2' } });
    await until('the member has the id', async () => (await readFile(member1.auditLog, 'utf8')).includes('"front-2"'));
  });

  test('never a token or a query', async () => {
    expect(await readFile(file('audit.log'), 'utf8')).not.toMatch(/sekret|secret-value|labelSelector/);
  });

  test('goes on in a new file after SIGHUP', async () => {
    await rename(file('audit.log'), file('audit.log.1'));
    product.signal('SIGHUP');
    await until('a new file', async () => {
      await ask(product, '/healthz', { headers: { 'audit-id': 'front-3' } });
      return (await lines()).some(({ id }) => id === 'front-3');
    });
  });
});

test('metrics count per member', async () => {
  const metrics = String((await ask(product, '/metrics')).body);
  expect(metrics).toContain('fleet_member_ready{cluster="member1"} 1');
  expect(metrics).toMatch(/fleet_member_requests_total\{cluster="member1",code="2xx"\} \d+/);
  expect(metrics).toMatch(/fleet_member_received_bytes_total\{cluster="member1"\} [1-9]\d+/);
  expect(metrics).toContain('nodejs_eventloop_lag_p99_seconds');
});

describe('LIMIT-1: SIGTERM', () => {
  /** What a fresh product does when it is told to end, with two watches and a write under way. */
  async function drained(mutant?: Mutant) {
    const ending = await start({ flags: ['--shutdown-grace', '5s'], ...(mutant ? { mutant } : {}) });
    const path = '/clusterspaces/member1/api/v1/namespaces?watch=1&timeoutSeconds=600';
    const watch = await begin(ending, path);
    const session = connect(ending.server, { ca: ending.ca, ...ending.admin });
    const goaway = once(session, 'goaway');
    const stream = session.request({ ':path': path });
    await once(stream, 'response');
    const whole = (body: Promise<string>) =>
      body.then(
        (events) => events.endsWith('\n'),
        () => false,
      );
    const watches = Promise.all([whole(text(watch)), whole(text(stream))]);
    member1.faults.freeze();
    const write = ask(ending, '/clusterspaces/member1/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 28 },
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const told = performance.now();
    ending.signal('SIGTERM');
    const cleanly = await watches;
    const watchesEnded = performance.now() - told;
    member1.faults.thaw();
    const { code } = await write.catch(() => ({ code: 0 }));
    await goaway;
    const end = await ending.ended;
    await member1.kubectl('delete', 'configmap', 'held', '--ignore-not-found');
    return { cleanly, watchesEnded, code, end: end.message };
  }

  test('watches end cleanly and at once, the write under way finishes, the process exits with 0', async () => {
    const { cleanly, watchesEnded, code, end } = await drained();
    expect(cleanly).toEqual([true, true]);
    expect(watchesEnded).toBeLessThan(2_000);
    expect(code).toBe(201);
    expect(end).toMatch(/^fleet-serve ended \(exit code 0\)/);
  });

  test('negative control: watches that nobody ends are cut off', async () => {
    const mutant = { file: 'server/src/limits/drain.ts', from: 'for (const end of ending.open) end();', to: '' };
    const { cleanly, watchesEnded } = await drained(mutant);
    // Node's HTTP/2 client takes a connection that breaks after GOAWAY for an end.
    expect(cleanly[0]).toBe(false);
    expect(watchesEnded).toBeGreaterThan(4_000);
  });
});
