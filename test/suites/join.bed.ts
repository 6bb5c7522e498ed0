/** `fleet join` and `fleet unjoin` between a real control plane and a real member. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Member, startMember } from '@fleet/bed/member.ts';
import { fleetCommand, type Product, startProduct } from '@fleet/bed/product.ts';
import { grants } from '@fleet/cli/join/grants.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

let controlPlane: Member;
let member: Member;
let product: Product;

beforeAll(async () => {
  [controlPlane, member] = await Promise.all([
    startMember({ name: 'control-plane', nodes: 0 }),
    startMember({ name: 'member1', nodes: 0, version: 'older' }),
  ]);
  product = await startProduct({ controlPlane });
});

afterAll(async () => {
  await product?.[Symbol.asyncDispose]();
  await Promise.all([controlPlane, member].map((one) => one?.[Symbol.asyncDispose]()));
});

const joinAs = (name: string, ...flags: string[]) =>
  product.fleet('join', name, '--kubeconfig', member.kubeconfig, ...flags);

/** Names and versions of everything that a join could touch. */
async function objects(of: Member): Promise<Record<string, string>> {
  const kinds = 'namespaces,serviceaccounts,secrets,clusterroles,clusterrolebindings,roles,rolebindings';
  const { stdout } = await of.kubectl('get', kinds, '-A', '-o', 'json');
  const { items } = JSON.parse(stdout) as {
    items: { kind: string; metadata: { namespace?: string; name: string; resourceVersion: string } }[];
  };
  return Object.fromEntries(
    items.map(({ kind, metadata: { namespace = '', name, resourceVersion } }) => [
      `${kind} ${namespace}/${name}`,
      resourceVersion,
    ]),
  );
}

const names = async (of: Member) => Object.keys(await objects(of)).sort();
const bothSides = async () => ({ member: await names(member), controlPlane: await names(controlPlane) });
const clusters = async () => (await product.fleet('get', 'clusters', '-o', 'name')).stdout.trim();

interface Rule {
  verbs: string[];
  resources?: string[];
  nonResourceURLs?: string[];
}

/** All that a ServiceAccount may do in kube-system and in the cluster, as the member tells it. */
async function rulesOf(namespace: string, account: string): Promise<Rule[]> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const as = `system:serviceaccount:${namespace}:${account}`;
  const { stdout, stderr } = await member.kubectl('create', '--raw', path, '-f', '-', '--as', as, {
    stdin: JSON.stringify({ kind: 'SelfSubjectRulesReview', spec: { namespace: 'kube-system' } }),
  });
  expect(stderr).toBe('');
  const { status } = JSON.parse(stdout) as { status: { resourceRules: Rule[]; nonResourceRules: Rule[] } };
  return [...status.resourceRules, ...status.nonResourceRules];
}

describe('a member that is joined', () => {
  let before: Awaited<ReturnType<typeof bothSides>>;

  beforeAll(async () => {
    before = await bothSides();
    await product.join(member, 'member1', '--region', 'north');
  });

  test('CLU-2: the cluster is registered with its credentials, and ready', async () => {
    const cluster = JSON.parse((await product.fleet('get', 'clusters', 'member1', '-o', 'json')).stdout);
    const { metadata } = await member.api.object<{ metadata: { uid: string } }>('/api/v1/namespaces/kube-system');
    expect(cluster.spec).toMatchObject({
      id: metadata.uid,
      syncMode: 'Push',
      apiEndpoint: member.server,
      secretRef: { namespace: 'karmada-cluster', name: 'member1' },
      impersonatorSecretRef: { namespace: 'karmada-cluster', name: 'member1-impersonator' },
      region: 'north',
    });
    for (const name of ['member1', 'member1-impersonator']) {
      const path = `/api/v1/namespaces/karmada-cluster/secrets/${name}`;
      const { data } = await controlPlane.api.object<{ data: Record<string, string> }>(path);
      expect(Object.keys(data).sort()).toEqual(['caBundle', 'token']);
    }
  });

  test('CLU-1: get clusters shows version, mode, ready and age, and wide: endpoint, region, nodes', async () => {
    const [head, row] = (await product.fleet('get', 'clusters')).stdout.split('\n');
    expect(head).toMatch(/^NAME +VERSION +MODE +READY +AGE$/);
    expect(row).toMatch(/^member1 +v1\.34\.4 +Push +True +\d+/);
    const wide = await product.kubectl('get', 'clusters', '-o', 'wide', { at: '/clusterspaces/karmada' });
    expect(wide.stdout).toMatch(/AGE +APIENDPOINT +REGION +NODES\n.*north/);
  });

  test('CLU-2: joining again changes nothing', async () => {
    const [there, here] = await Promise.all([objects(member), objects(controlPlane)]);
    const again = await joinAs('member1', '--region', 'north');
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('9 kept') });
    expect(await objects(member)).toEqual(there);
    expect(await objects(controlPlane)).toEqual(here);
  });

  test('CLU-2: joining again repairs what is missing', async () => {
    const complete = await bothSides();
    await member.kubectl('delete', 'clusterrole', 'fleet:impersonation', 'fleet:health');
    await member.kubectl('delete', 'serviceaccount', '-n', 'fleet-system', 'fleet-impersonator');
    await controlPlane.kubectl('delete', 'secret', '-n', 'karmada-cluster', 'member1-impersonator');
    expect(await joinAs('member1')).toMatchObject({ code: 0 });
    expect(await bothSides()).toEqual(complete);
    await expect
      .poll(async () => (await product.kubectl('get', 'namespaces', { at: '/clusterspaces/member1' })).code)
      .toBe(0);
  });

  test('CLU-2: the same member under another name is refused, and nothing is touched', async () => {
    const there = await objects(member);
    const refused = await joinAs('other');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already registered as "member1"') });
    expect(await objects(member)).toEqual(there);
    expect(await clusters()).toBe('cluster.cluster.karmada.io/member1');
  });

  test.each(['fleet-control', 'fleet-impersonator'])(
    'IMP-6: %s has the rights listed, and no others',
    async (account) => {
      const listed = grants.filter((grant) => grant.account === account).flatMap(({ rules }) => rules);
      // an account without any binding has what the member gives to everybody
      const everybody = await rulesOf('default', 'default');
      const texts = (rules: Rule[]) =>
        [...new Set(rules.map((rule) => JSON.stringify(Object.entries(rule).sort())))].sort();
      expect(texts(await rulesOf('fleet-system', account))).toEqual(texts([...listed, ...everybody]));
    },
  );

  test.each([
    ['get', 'secrets'],
    ['list', 'configmaps'],
    ['create', 'pods'],
    ['delete', 'nodes'],
    ['escalate', 'clusterroles'],
    ['impersonate', 'users'],
  ])('IMP-6: fleet-control may not %s %s', async (verb, resource) => {
    const as = 'system:serviceaccount:fleet-system:fleet-control';
    expect((await member.kubectl('auth', 'can-i', verb, resource, '-A', '--as', as)).stdout.trim()).toBe('no');
  });

  test('fleet kubeconfig --cluster leads to that member', async () => {
    const kubeconfig = join(product.dataDir, 'member1.kubeconfig');
    await writeFile(kubeconfig, (await product.fleet('kubeconfig', '--cluster', 'member1')).stdout);
    const named = await product.kubectl('get', 'namespace', 'fleet-system', '-o', 'name', { kubeconfig });
    expect(named).toMatchObject({ code: 0, stdout: 'namespace/fleet-system\n' });
    expect(await product.fleet('kubeconfig', '--cluster', 'nowhere')).toMatchObject({ code: 1 });
  });

  test('CLU-2: unjoin through the fleet removes all of it from both sides', async () => {
    expect(await product.fleet('unjoin', 'member1')).toMatchObject({ code: 0 });
    await expect.poll(bothSides, { timeout: 20_000 }).toEqual(before);
    expect(await clusters()).toBe('');
  });
});

describe('a join that fails', () => {
  afterEach(async () => {
    await member.kubectl('delete', 'clusterrolebinding,clusterrole', 'bed:half');
  });

  test('CLU-2: without any right in the member nothing is made, and the error says what it takes', async () => {
    const before = await bothSides();
    const nobody = await member.userKubeconfig('nobody');
    const failed = await product.fleet('join', 'member1', '--kubeconfig', nobody);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('needs a user with cluster-admin') });
    expect(await bothSides()).toEqual(before);
  });

  test('CLU-2: what was made before the failing step is undone', async () => {
    const verbs = '--verb=get,list,create,delete,patch';
    await member.kubectl('create', 'clusterrole', 'bed:half', verbs, '--resource=namespaces,serviceaccounts,secrets');
    await member.kubectl('create', 'clusterrolebinding', 'bed:half', '--clusterrole=bed:half', '--user=half');
    const before = await bothSides();
    const failed = await product.fleet('join', 'member1', '--kubeconfig', await member.userKubeconfig('half'));
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('Undo what this run made') });
    expect(failed.stderr).toContain('clusterroles.rbac.authorization.k8s.io');
    expect(await bothSides()).toEqual(before);
  });

  test('CLU-2: a member that the fleet cannot reach is undone on both sides', async () => {
    const before = await bothSides();
    await using way = await wayAround(member);
    const failed = await product.fleet('join', 'member1', '--kubeconfig', way.kubeconfig, '--timeout', '3');
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('did not report the member ready') });
    expect(await bothSides()).toEqual(before);
    expect(await clusters()).toBe('');
  });
});

describe('a join that is interrupted', () => {
  test('CLU-2: Ctrl-C undoes what was made', async () => {
    const before = await bothSides();
    await using way = await wayAround(member);
    const child = spawn(process.execPath, [fleetCommand, 'join', 'member1', '--kubeconfig', way.kubeconfig], {
      env: { ...process.env, FLEET_KUBECONFIG: product.adminKubeconfig },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    // it waits for the fleet to report the member ready, which never comes
    await expect.poll(clusters, { timeout: 20_000 }).toBe('cluster.cluster.karmada.io/member1');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(await said).toMatch(/Undo what this run made\nerror: interrupted\n$/);
    expect(await bothSides()).toEqual(before);
  });
});

describe('taking a member out', () => {
  test('CLU-2: unjoin with its own kubeconfig removes all of it from both sides', async () => {
    const before = await bothSides();
    await product.join(member);
    expect(await product.fleet('unjoin', 'member1', '--kubeconfig', member.kubeconfig)).toMatchObject({ code: 0 });
    expect(await bothSides()).toEqual(before);
  });

  test('CLU-2: the kubeconfig of another cluster is refused', async () => {
    await product.join(member);
    const refused = await product.fleet('unjoin', 'member1', '--kubeconfig', controlPlane.kubeconfig);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('leads to another cluster') });
    await product.fleet('unjoin', 'member1', '--kubeconfig', member.kubeconfig);
  });

  test('IMP-5: without fleet:admins there the fleet cannot clean up; --force leaves the member as it is', async () => {
    await product.join(member, 'member1', '--no-bind-admins');
    const refused = await product.fleet('unjoin', 'member1');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--kubeconfig') });
    expect(await product.fleet('unjoin', 'member1', '--force')).toMatchObject({ code: 0 });
    expect(await clusters()).toBe('');
    expect(await names(member)).toContain('Namespace /fleet-system');
    expect(await product.fleet('unjoin', 'member1', '--kubeconfig', member.kubeconfig)).toMatchObject({ code: 0 });
    expect(await names(member)).not.toContain('Namespace /fleet-system');
  });

  test('CLU-2: a member that is gone can only be taken out by force', async () => {
    await product.join(member);
    await member.faults.kill();
    const refused = await product.fleet('unjoin', 'member1');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
    expect(await product.fleet('unjoin', 'member1', '--force')).toMatchObject({ code: 0 });
    await member.faults.start();
    await product.fleet('unjoin', 'member1', '--kubeconfig', member.kubeconfig);
  });
});

describe('NAME-9', () => {
  const manifest = (name: string) =>
    JSON.stringify({
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name },
      spec: { syncMode: 'Push' },
    });
  const bad = ['karmada', 'all', 'host', 'fleet', 'clusterspace', 'a.b', 'a'.repeat(49)];

  test.each(bad)('join refuses the name %s before it touches anything', async (name) => {
    expect(await joinAs(name)).toMatchObject({ code: 2 });
  });

  test.each(bad)('the control plane refuses the name %s with 422', async (name) => {
    const options = { method: 'POST', body: JSON.parse(manifest(name)) };
    const path = '/clusterspaces/karmada/apis/cluster.karmada.io/v1alpha1/clusters';
    const { code, body } = await product.api.ask(path, options);
    expect(code).toBe(422);
    expect(JSON.parse(body)).toMatchObject({ reason: 'Invalid', message: expect.stringMatching(/reserved|DNS label/) });
  });

  test('a name of 48 characters is fine', async () => {
    const name = 'a'.repeat(48);
    const made = await product.kubectl('create', '-f', '-', { at: '/clusterspaces/karmada', stdin: manifest(name) });
    expect(made).toMatchObject({ code: 0 });
    await product.kubectl('delete', 'cluster', name, { at: '/clusterspaces/karmada' });
  });
});

/** A way to the member for everybody but the product. */
async function wayAround(to: Member): Promise<AsyncDisposable & { kubeconfig: string }> {
  const sockets = new Set<Socket>();
  const server = createServer(async (socket) => {
    for (const event of ['error', 'close']) socket.on(event, () => socket.destroy());
    if (await isOf(product.pid, socket.remotePort!)) return socket.destroy();
    const onward = connect(Number(new URL(to.server).port), '127.0.0.1');
    for (const end of [socket, onward]) sockets.add(end.on('error', () => end.destroy()));
    return socket.pipe(onward).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const kubeconfig = `${to.kubeconfig}-around`;
  await writeFile(kubeconfig, (await readFile(to.kubeconfig, 'utf8')).replace(to.server, `https://127.0.0.1:${port}`));
  return {
    kubeconfig,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Whether the connection from this port of loopback belongs to a process. */
async function isOf(pid: number, port: number): Promise<boolean> {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const connections = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  const inode = connections.find((columns) => columns[1] === local)?.[9];
  const open = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  );
  return open.includes(`socket:[${inode}]`);
}
