import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishedLine } from '@fleet/tunnel/published-host-key.ts';
import { makeHostKey } from '@fleet/tunnel/ssh2/host-key.ts';
import { hashSecret, parseToken } from '@fleet/tunnel/token.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { join as joinDirectly } from '../join/join.ts';
import { unjoin } from '../join/unjoin.ts';
import { managed } from '../labels.ts';
import { Progress } from '../progress.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { joinAgent } from './join-agent.ts';
import type { ProxyClusterFacts } from './proxy-cluster.ts';

const hostKey = makeHostKey();
const clusterPath = '/apis/cluster.karmada.io/v1alpha1/clusters/gondor';
const agentPath = '/apis/cluster.kubesphere.io/v1alpha1/agents/gondor';
const secretPath = '/api/v1/namespaces/karmada-cluster/secrets/gondor-agent-token';
const hostKeysPath = '/api/v1/namespaces/karmada-cluster/configmaps/fleet-agent-server';

let folder: string;
let tokenFile: string;
let controlPlane: FakeCluster;
let output: string;
const { signal } = new AbortController();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-join-agent-'));
  tokenFile = join(folder, 'gondor.token');
  controlPlane = new FakeCluster('uid-of-fleet');
  controlPlane.objects.set(hostKeysPath, {
    metadata: { name: 'fleet-agent-server' },
    data: { 'replica-a': hostKey.publicKey },
  });
  output = '';
});

afterEach(() => rm(folder, { recursive: true }));

const progress = () => new Progress({ write: (text) => (output += text) });
const joinNow = (more: Partial<ProxyClusterFacts> = {}) =>
  joinAgent(
    { name: 'gondor', tokenFile, ...more },
    { controlPlane: controlPlane.client(), progress: progress(), signal },
  );
const made = () => controlPlane.paths.filter((path) => path !== hostKeysPath);
const hashes = () =>
  Object.values((controlPlane.objects.get(secretPath)?.data ?? {}) as Record<string, string>).map((value) =>
    Buffer.from(value, 'base64').toString(),
  );
const tokenInFile = async () => parseToken(await readFile(tokenFile, 'utf8'));

describe('AGENT-1: fleet join --agent', () => {
  test('registers a Cluster of connection type proxy without credentials, its Agent, and a token by its hash', async () => {
    await joinNow({ region: 'eu-west-1' });
    expect(controlPlane.objects.get(clusterPath)).toMatchObject({
      metadata: { labels: managed, annotations: { 'cluster.kubesphere.io/connection-type': 'proxy' } },
      spec: { syncMode: 'Push', apiEndpoint: 'https://kubernetes.default.svc:443', region: 'eu-west-1' },
    });
    expect(controlPlane.objects.get(clusterPath)).not.toHaveProperty('spec.secretRef');
    const { uid } = controlPlane.objects.get(clusterPath)!.metadata;
    expect(controlPlane.objects.get(agentPath)).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'Cluster', name: 'gondor', uid }] },
      spec: { tokenRef: { namespace: 'karmada-cluster', name: 'gondor-agent-token' } },
    });
    const token = await tokenInFile();
    expect(token).toMatchObject({ cluster: 'gondor', fingerprints: [hostKey.fingerprint] });
    expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
    expect(controlPlane.objects.get(secretPath)?.metadata).toMatchObject({
      labels: managed,
      annotations: { 'fleet.karmada.io/cluster': 'gondor' },
    });
    expect(hashes()).toEqual([hashSecret(token.secret)]);
    expect(JSON.stringify([...controlPlane.objects.values()]) + output).not.toContain(token.secret);
  });

  test('again: everything is kept, an endpoint that was given too', async () => {
    await joinNow({ apiEndpoint: 'https://10.0.0.5:6443' });
    const before = [await readFile(tokenFile, 'utf8'), structuredClone([...controlPlane.objects])];
    controlPlane.requests.length = 0;
    await joinNow();
    expect([await readFile(tokenFile, 'utf8'), [...controlPlane.objects]]).toEqual(before);
    expect(controlPlane.writes).toEqual([]);
  });

  test('again without the file: a second token, beside the first', async () => {
    await joinNow();
    await rm(tokenFile);
    await joinNow();
    expect(hashes()).toHaveLength(2);
    expect(hashes()).toContain(hashSecret((await tokenInFile()).secret));
  });

  test.each([
    ['something else', () => 'hello', 'holds no agent token'],
    ['a token of another cluster', (token: string) => token.replace(':gondor:', ':rohan:'), 'of cluster "rohan"'],
    [
      'a token that was revoked',
      (token: string) => token.replace(/:gondor:.{4}/, ':gondor:AAAA'),
      'the fleet does not know',
    ],
  ])('a file with %s is left alone', async (_, change, message) => {
    await joinNow();
    const text = change(await readFile(tokenFile, 'utf8'));
    await writeFile(tokenFile, text);
    await expect(joinNow()).rejects.toThrow(message);
    expect(await readFile(tokenFile, 'utf8')).toBe(text);
    expect(hashes()).toHaveLength(1);
  });

  test('a token for a server that has another host key now', async () => {
    await joinNow();
    controlPlane.objects.get(hostKeysPath)!.data = { 'replica-a': makeHostKey().publicKey };
    await expect(joinNow()).rejects.toThrow('another host key');
  });

  test.each(['POST /apis/cluster.karmada.io/v1alpha1/clusters', 'POST /apis/cluster.kubesphere.io/v1alpha1/agents'])(
    'CLU-2: when %s fails, nothing is left, the file neither',
    async (request) => {
      controlPlane.silent = (asked) => {
        if (asked !== request) return false;
        throw new Error('the control plane is gone');
      };
      await expect(joinNow()).rejects.toThrow('the control plane is gone');
      expect(made()).toEqual(['/api/v1/namespaces/karmada-cluster']);
      await expect(stat(tokenFile)).rejects.toThrow('ENOENT');
    },
  );

  test('a folder that is not there: no token was made known', async () => {
    const unwritable = join(folder, 'none', 'x');
    await expect(
      joinAgent(
        { name: 'gondor', tokenFile: unwritable },
        { controlPlane: controlPlane.client(), progress: progress(), signal },
      ),
    ).rejects.toThrow('ENOENT');
    expect(hashes()).toEqual([]);
  });

  test('CLU-2: a second one that fails takes its own token back, and no other', async () => {
    await joinNow();
    const [first] = hashes();
    await rm(tokenFile);
    controlPlane.objects.delete(agentPath);
    controlPlane.silent = (asked) => {
      if (!asked.startsWith('POST /apis/cluster.kubesphere.io')) return false;
      throw new Error('the control plane is gone');
    };
    await expect(joinNow()).rejects.toThrow('the control plane is gone');
    expect(hashes()).toEqual([first]);
    expect(made()).toContain(clusterPath);
  });

  test('a new token pins the keys of servers that were there in the last seven days, and of entries written by hand', async () => {
    const [current, gone, byHand] = [makeHostKey(), makeHostKey(), makeHostKey()];
    const days = (ago: number) => Date.now() - ago * 24 * 60 * 60 * 1000;
    const data = {
      'replica-a': publishedLine(current.publicKey, days(6)),
      'replica-b': publishedLine(gone.publicKey, days(8)),
      'replica-c': byHand.publicKey,
    };
    controlPlane.objects.get(hostKeysPath)!.data = data;
    await joinNow();
    const { fingerprints } = await tokenInFile();
    expect(fingerprints.toSorted()).toEqual([current.fingerprint, byHand.fingerprint].toSorted());
  });

  test.each([
    ['only of servers that are gone', publishedLine(hostKey.publicKey, 0)],
    ['something else', 'nonsense'],
  ])('a fleet that has published %s', async (_, line) => {
    controlPlane.objects.get(hostKeysPath)!.data = { 'replica-a': line };
    await expect(joinNow()).rejects.toThrow('has published no SSH host key');
  });

  test('a fleet that has published no host key', async () => {
    controlPlane.objects.delete(hostKeysPath);
    await expect(joinNow()).rejects.toThrow('has published no SSH host key');
    await expect(stat(tokenFile)).rejects.toThrow('ENOENT');
  });

  test('one that is reached directly is refused, and the other way round', async () => {
    const member = new FakeCluster('uid-of-gondor');
    const directly = () =>
      joinDirectly(
        { name: 'gondor', endpoint: { url: 'https://gondor', tls: {} }, bindAdmins: true, readyWithin: 0 },
        { member: member.client(), controlPlane: controlPlane.client(), progress: progress(), signal },
      );
    await directly();
    await expect(joinNow()).rejects.toThrow('reached directly');
    controlPlane.objects.delete(clusterPath);
    await joinNow();
    await expect(directly()).rejects.toThrow('reached through its agent');
  });
});

describe('CLU-2: fleet unjoin of such a member', () => {
  const home = '/api/v1/namespaces/fleet-system';
  const binding = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/fleet:impersonation';

  test('removes the Cluster and the tokens, and gives what came by a manifest its owner, so that it goes too', async () => {
    await joinNow();
    const member = new FakeCluster('uid-of-gondor');
    member.objects.set(home, { metadata: { name: 'fleet-system', uid: 'uid-of-home', labels: managed } });
    member.objects.set(binding, { metadata: { name: 'fleet:impersonation', labels: managed } });
    const foreign = '/apis/rbac.authorization.k8s.io/v1/clusterroles/fleet:health';
    member.objects.set(foreign, { metadata: { name: 'fleet:health' } });
    await unjoin(
      { name: 'gondor', force: false },
      { member: { by: 'fleet', client: member.client() }, controlPlane: controlPlane.client(), progress: progress() },
    );
    expect(member.objects.get(binding)?.metadata.ownerReferences).toMatchObject([
      { kind: 'Namespace', name: 'fleet-system', uid: 'uid-of-home' },
    ]);
    expect(member.objects.get(foreign)?.metadata).toEqual({ name: 'fleet:health' });
    expect(member.writes).toEqual([`PATCH ${binding}`, `DELETE ${home}`]);
    // The Agent is the Cluster's, and goes with it.
    expect(made()).toEqual(['/api/v1/namespaces/karmada-cluster', agentPath].sort());
  });
});
