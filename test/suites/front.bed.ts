/** The front on real clusters: errors as kube-apiserver writes them, tokens and certificates of files, audit, metrics. */

import { readFile, rename, writeFile } from 'node:fs/promises';
import type { TLSSocket } from 'node:tls';
import type { Member } from '@fleet/bed/member.ts';
import { type Authority, createAuthority } from '@fleet/bed/pki.ts';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, ask, begin, Front } from './front.ts';

let front: Front;
let member1: Member;
let product: Product;
/** CAs that are none of the product's own. */
let foreign: Authority;
let next: Authority;

beforeAll(async () => {
  front = await Front.open();
  ({ member1 } = front);
  await writeFile(front.file('tokens.csv'), 'sekret-1,alice,u1,"devs,ops"\n');
  [foreign, next] = await Promise.all([createAuthority('foreign'), createAuthority('next')]);
  await writeFile(front.file('client-ca.crt'), foreign.cert);
  const pair = await front.servingPair();
  await Promise.all([writeFile(front.file('tls.crt'), pair.cert), writeFile(front.file('tls.key'), pair.key)]);
  await writeFile(
    front.file('fleet.yaml'),
    `tokenAuthFile: ${front.file('tokens.csv')}\nauditLog: ${front.file('audit.log')}\nclientCaFile: ${front.file('client-ca.crt')}\nlogLevel: debug\n`,
  );
  const tls = ['--tls-cert-file', front.file('tls.crt'), '--tls-private-key-file', front.file('tls.key')];
  product = await front.start({ flags: ['--config', front.file('fleet.yaml'), ...tls] });
  await product.join(member1);
});

afterAll(() => front?.[Symbol.asyncDispose]());

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
    const mutant = await front.start({
      mutant: { file: 'kube/src/status-protobuf.ts', from: 'field(4, reason)', to: 'field(3, reason)' },
    });
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
    await writeFile(front.file('tokens.csv'), 'sekret-2,bob,u2\n');
    await until('bob is known', async () => (await whoami('sekret-2')).code === 0, { timeout: 10_000 });
    expect((await whoami('sekret-1')).stderr).toContain('Unauthorized');
  });
});

describe('AUTHN-1: client certificates of --client-ca-file', () => {
  /** On a connection of its own, since a CA counts from the handshake on. */
  async function whoIs(of: Product, authority: Authority) {
    const admin = await authority.issue({ name: 'dave', groups: ['devs'] });
    const { server, ca } = of;
    const { code, body } = await ask({ server, ca, admin }, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 28 },
    });
    return { code, user: JSON.parse(String(body)).status?.userInfo };
  }
  const refused = { code: 401, user: undefined };

  test('are users; without the flag they are 401; the file changes without a restart', async () => {
    const [without, stubborn] = await Promise.all([
      front.start(),
      front.start({
        flags: ['--client-ca-file', front.file('client-ca.crt')],
        mutant: { file: 'server/src/main.ts', from: 'trust.onChange = () => listener.present(credentials());', to: '' },
      }),
    ]);
    const dave = { code: 201, user: { username: 'dave', groups: expect.arrayContaining(['devs']) } };
    expect(await whoIs(product, foreign)).toMatchObject(dave);
    expect(await whoIs(stubborn, foreign)).toMatchObject(dave);
    expect(await whoIs(without, foreign)).toEqual(refused);
    expect(await whoIs(product, next)).toEqual(refused);

    await writeFile(front.file('client-ca.crt'), next.cert);
    await until('the new CA counts', async () => (await whoIs(product, next)).code === 201, { timeout: 10_000 });
    expect(await whoIs(product, foreign)).toEqual(refused);
    // negative control: one that goes on showing the old list in handshakes
    await until('it has read the file', async () => (await whoIs(stubborn, foreign)).code === 401, { timeout: 10_000 });
    expect(await whoIs(stubborn, next)).toEqual(refused);
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
  expect(before).toBe((await readFile(front.file('tls.crt'), 'utf8')).trim());
  const watch = await begin(product, '/clusterspaces/member1/api/v1/namespaces/default/configmaps?watch=1');
  let seen = '';
  watch.on('data', (chunk) => {
    seen += chunk;
  });
  const pair = await front.servingPair();
  // Key first: for a moment the two do not fit.
  await writeFile(front.file('tls.key'), pair.key);
  await writeFile(front.file('tls.crt'), pair.cert);
  await until('the new one is shown', async () => (await shown()) === pair.cert.trim(), { timeout: 10_000 });
  await member1.kubectl('create', 'configmap', 'after-rotation');
  await until('the watch goes on', () => seen.includes('after-rotation'), { timeout: 5_000 });
  watch.destroy();
});

describe('AUDIT-1', () => {
  const lines = async (name = 'audit.log') =>
    (await readFile(front.file(name), 'utf8'))
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
    // carol is not allowed to reach members: the member never saw her.
    expect(code).toBe(403);
    await ask(product, path, { headers: { 'audit-id': 'front-2' } });
    await until('the member has the id', async () => (await readFile(member1.auditLog, 'utf8')).includes('"front-2"'));
  });

  test('never a token or a query', async () => {
    await ask(product, '/clusterspaces/member1/api/v1/pods?labelSelector=a%3Dhidden', {
      headers: { authorization: 'Bearer sekret-9', 'audit-id': 'front-9' },
    });
    await until('it is written', async () => (await lines()).some(({ id }) => id === 'front-9'));
    expect(await readFile(front.file('audit.log'), 'utf8')).not.toMatch(/sekret|secret-value|labelSelector|hidden/);
  });

  test('goes on in a new file after SIGHUP', async () => {
    await rename(front.file('audit.log'), front.file('audit.log.1'));
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
