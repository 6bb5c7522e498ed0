/** The commands below `fleet agent`, and what others show of agents, against a control plane in the test. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '@fleet/server/members/agent.ts';
import { Backend, closed, echo, hostKey, TunnelBed, textOf } from '@fleet/tunnel/testing/tunnel-bed.ts';
import { formatToken, hashSecret, parseToken } from '@fleet/tunnel/token.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from '../join/manifest.ts';
import { createProgram } from '../program.ts';
import { FakeCluster } from '../testing/fake-cluster.ts';
import { type FakeFleet, startFakeFleetOver } from '../testing/fake-fleet.ts';

const clusterPath = '/apis/cluster.karmada.io/v1alpha1/clusters/gondor';
const agentPath = '/apis/cluster.kubesphere.io/v1alpha1/agents/gondor';
const secretPath = '/api/v1/namespaces/karmada-cluster/secrets/gondor-agent-token';
const server = 'https://fleet.test:8443';

let folder: string;
let controlPlane: FakeCluster;
let run: FakeFleet['run'];
const file = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fleet-agent-commands-'));
  controlPlane = new FakeCluster('uid-of-fleet');
  controlPlane.objects.set('/api/v1/namespaces/karmada-cluster/configmaps/fleet-agent-server', {
    metadata: { name: 'fleet-agent-server' },
    data: { 'replica-a': hostKey.publicKey },
  });
  ({ run } = await startFakeFleetOver(controlPlane));
});

afterEach(() => rm(folder, { recursive: true }));

const joined = () => run('join', 'gondor', '--agent', '--token-file', file('token'));
const tokenIn = async (name: string) => parseToken(await readFile(file(name), 'utf8'));
const hashes = () =>
  Object.values((controlPlane.objects.get(secretPath)?.data ?? {}) as Record<string, string>).map((value) =>
    Buffer.from(value, 'base64').toString(),
  );

describe('fleet join --agent', () => {
  test('prints what to do next, and no secret', async () => {
    const { stdout, stderr } = await joined();
    expect(stdout).toBe('');
    expect(stderr).toContain('fleet agent manifest gondor --token-file');
    expect(stderr).toContain('fleet agent ssh-command gondor');
    expect(stderr).not.toContain((await tokenIn('token')).secret);
    expect((await stat(file('token'))).mode & 0o777).toBe(0o600);
  });

  test.each([
    [['--agent'], '--agent needs --token-file'],
    [['--agent', '--token-file', 'x', '--kubeconfig', 'y'], 'takes no kubeconfig'],
    [['--agent', '--token-file', 'x', '--no-bind-admins'], 'are for "fleet agent manifest"'],
    [['--agent', '--token-file', 'x', '--cache-kinds', '*'], 'are for "fleet agent manifest"'],
    [['--agent', '--token-file', 'x', '--federation-kinds', '*'], 'are for "fleet agent manifest"'],
    [['--agent', '--token-file', 'x', '--endpoint', 'http://y'], '--endpoint takes an https URL'],
    [['--token-file', 'x', '--kubeconfig', 'y'], 'are for --agent'],
    [[], 'name a kubeconfig of the member with --kubeconfig, or --agent'],
  ])('called wrongly: %j', async (flags, message) => {
    await expect(run('join', 'gondor', ...flags)).rejects.toThrow(message);
    expect(controlPlane.writes).toEqual([]);
  });
});

describe('fleet agent manifest', () => {
  const tokenOf = (yaml: string): string => {
    const secret = parseAllDocuments(yaml)
      .map((document) => document.toJS() as { metadata: { name: string }; stringData?: { token: string } })
      .find(({ metadata }) => metadata.name === 'fleet-agent-token');
    return secret!.stringData!.token;
  };

  test('with the token of a file makes no other', async () => {
    await joined();
    const flags = ['--token-file', file('token'), '--server', server, '--image', 'registry.test/fleet:1'];
    const { stdout, stderr } = await run('agent', 'manifest', 'gondor', ...flags);
    expect(tokenOf(stdout)).toBe(`${formatToken(await tokenIn('token'))}\n`);
    expect(stdout).toContain('image: registry.test/fleet:1');
    expect(stdout).toContain(`--server=${server}`);
    expect(stdout).toContain('fleet.karmada.io/joined-by: uid-of-fleet');
    expect(hashes()).toHaveLength(1);
    expect(stderr).not.toContain('Made another token');
  });

  test('without one makes a second, which logs in as well', async () => {
    await joined();
    const { stdout, stderr } = await run('agent', 'manifest', 'gondor', '--server', server);
    const { secret, fingerprints } = parseToken(tokenOf(stdout));
    expect(fingerprints).toEqual([hostKey.fingerprint]);
    expect(hashes()).toEqual([hashSecret((await tokenIn('token')).secret), hashSecret(secret)]);
    expect(stderr).toContain('Made another token');
    expect(stderr).not.toContain(secret);
  });

  test('--output is a file for its owner; --accounts-only has no token', async () => {
    await joined();
    const output = file('gondor.yaml');
    const flags = ['--token-file', file('token'), '--server', server];
    expect((await run('agent', 'manifest', 'gondor', ...flags, '--output', output)).stdout).toBe('');
    expect((await stat(output)).mode & 0o777).toBe(0o600);
    const { stdout } = await run('agent', 'manifest', 'gondor', '--accounts-only', '--server', server);
    expect(stdout).not.toMatch(/Deployment|fleet-agent-1:/);
    expect(hashes()).toHaveLength(1);
  });

  test('IMP-6: grants the kinds that its flags name', async () => {
    await joined();
    const manifest = (...flags: string[]) =>
      run('agent', 'manifest', 'gondor', '--accounts-only', '--server', server, ...flags);
    expect((await manifest()).stdout).not.toMatch(/fleet:(cache|federation)/);
    const { stdout } = await manifest('--federation-kinds', 'widgets.example.com');
    const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
    const role = objects.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'fleet:federation');
    expect(role).toMatchObject({ rules: [{ resources: ['namespaces'] }, { resources: ['widgets'] }] });
    expect(stdout).not.toContain('fleet:cache');
    expect((await manifest('--cache-kinds', 'pods')).stdout).toContain('name: fleet:cache\n');
    await expect(manifest('--federation-kinds', 'Widgets')).rejects.toThrow('"Widgets" is no resource');
  });

  test('of a cluster that is reached directly, or unknown: refused', async () => {
    await expect(run('agent', 'manifest', 'rohan')).rejects.toThrow('there is no cluster "rohan"');
    controlPlane.objects.set(clusterPath, { metadata: { name: 'gondor' }, spec: { syncMode: 'Push' } });
    await expect(run('agent', 'manifest', 'gondor')).rejects.toThrow('is reached directly');
  });

  test('a token that the fleet does not know is not put into one', async () => {
    await joined();
    controlPlane.objects.get(secretPath)!.data = {};
    const flags = ['--token-file', file('token'), '--server', server];
    await expect(run('agent', 'manifest', 'gondor', ...flags)).rejects.toThrow('the fleet does not know');
    await expect(run('agent', 'manifest', 'gondor', '--token-file', file('x'), '--server', server)).rejects.toThrow(
      'does not exist',
    );
  });
});

describe('AGENT-3: fleet agent token rotate', () => {
  test('a mistyped flag is named, with the one that was meant', async () => {
    const program = createProgram();
    const rotate = program.commands
      .find((one) => one.name() === 'agent')!
      .commands.find((one) => one.name() === 'token')!.commands[0]!;
    let written = '';
    rotate.exitOverride().configureOutput({ writeErr: (text) => (written += text) });
    const typed = program.parseAsync(['agent', 'token', 'rotate', 'x', '--tokn-file', 'y'], { from: 'user' });
    await expect(typed).rejects.toThrow("unknown option '--tokn-file'");
    expect(written).toContain('Did you mean --token-file?');
    await expect(createProgram().parseAsync(['agent', 'token', 'rotate', 'x'], { from: 'user' })).rejects.toThrow(
      'name the file for the token with --token-file',
    );
  });

  const rotate = (name: string, ...flags: string[]) =>
    run('agent', 'token', 'rotate', 'gondor', '--token-file', file(name), ...flags);

  test('adds a second; with --revoke-others and its file the first is gone', async () => {
    await joined();
    const [first] = hashes();
    await rotate('new');
    const second = hashSecret((await tokenIn('new')).secret);
    expect(hashes()).toEqual([first, second]);
    const { stderr } = await rotate('new', '--revoke-others');
    expect(hashes()).toEqual([second]);
    expect(stderr).toContain('1 other token is revoked');
  });

  test('--revoke-others with a new file: at once', async () => {
    await joined();
    await rotate('new', '--revoke-others');
    expect(hashes()).toEqual([hashSecret((await tokenIn('new')).secret)]);
  });

  test('never over a file that is there', async () => {
    await joined();
    await expect(rotate('token')).rejects.toThrow('holds a token of gondor already');
    await writeFile(file('other'), 'hello');
    await expect(rotate('other', '--revoke-others')).rejects.toThrow('holds no agent token');
    expect(await readFile(file('other'), 'utf8')).toBe('hello');
    expect(hashes()).toHaveLength(1);
  });

  test('of a Cluster that came by YAML: makes the Secret, for this cluster', async () => {
    const annotations = { 'cluster.kubesphere.io/connection-type': 'proxy' };
    controlPlane.objects.set(clusterPath, { metadata: { name: 'gondor', annotations } });
    await rotate('new');
    expect(controlPlane.objects.get(secretPath)?.metadata.annotations).toEqual({
      'fleet.karmada.io/cluster': 'gondor',
    });
    expect(hashes()).toHaveLength(1);
  });
});

const hasSsh = (() => {
  try {
    execFileSync('sh', ['-c', 'command -v ssh ssh-keygen'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
if (process.env['FLEET_BED_NEEDS_SSH'] && !hasSsh) throw new Error('there is no ssh in the PATH');

describe('AGENT-1: fleet agent ssh-command', () => {
  const printed = async (...flags: string[]) => (await run('agent', 'ssh-command', 'gondor', ...flags)).stdout;
  const step = (script: string, number: number): string => script.split(/^# (?=\d\.)/m)[number]!;

  test('is a script that a shell can read, with the host key', async () => {
    await joined();
    const script = await printed('--server', server);
    execFileSync('sh', ['-n'], { input: script });
    expect(step(script, 1)).toContain(`[fleet.test]:8443 ${hostKey.publicKey}\n`);
    expect(step(script, 2)).toContain("ssh-keygen -q -t ed25519 -N '' -f gondor.key");
    expect(step(script, 3)).toContain('fleet agent manifest gondor --accounts-only');
    expect(step(script, 4)).toContain('-R kubernetes:443:kubernetes.default.svc:443');
  });

  test('keys that are registered stay in the list; this one is not registered twice', async () => {
    await joined();
    const agent = controlPlane.objects.get(agentPath) as unknown as Agent;
    agent.spec = { publicKeys: ["ssh-ed25519 AAAAold o'neill"] };
    await writeFile(file('key.pub'), 'ssh-ed25519 AAAAnew me\n');
    const flags = ['--server', server, '--identity-file', file('key')];
    const patch = /-p (.*)$/m.exec(step(await printed(...flags), 2))![1]!;
    const keys = execFileSync('sh', ['-c', `printf %s ${patch}`]).toString();
    expect(JSON.parse(keys)).toEqual({
      spec: { publicKeys: ["ssh-ed25519 AAAAold o'neill", 'ssh-ed25519 AAAAnew me'] },
    });
    agent.spec = { publicKeys: ['ssh-ed25519 AAAAnew other-comment'] };
    expect(step(await printed(...flags), 2)).toContain('is registered for gondor');
  });

  test.skipIf(!hasSsh)('what it prints connects, with the key that it registers', async () => {
    await joined();
    await using backend = await Backend.start(echo);
    let key = Buffer.alloc(0);
    await using bed = await TunnelBed.start({
      authenticate: (login) => login.name === 'gondor' && login.by === 'key' && login.publicKey.equals(key),
    });
    const script = await printed(
      ...['--server', `https://127.0.0.1:${bed.port}`, '--target', `127.0.0.1:${backend.port}`],
    );
    const shell = (text: string) => spawn('sh', ['-c', text], { cwd: folder, stdio: 'ignore' });
    const [code] = await once(
      shell(`${step(script, 1).replace(/^.*\n/, '')}\n${/^ssh-keygen.*$/m.exec(script)![0]}`),
      'close',
    );
    expect(code).toBe(0);
    key = Buffer.from((await readFile(file('gondor.key.pub'), 'utf8')).split(' ')[1]!, 'base64');
    const ssh = shell(`exec ${step(script, 4).replace(/^.*\n/, '')}`);
    try {
      await bed.until(() => bed.connections('gondor').length === 1);
      const stream = await bed.dial('gondor');
      const text = textOf(stream);
      stream.end('hello');
      expect(await text).toBe('hello');
      await closed(stream);
    } finally {
      ssh.kill();
      await once(ssh, 'close');
    }
  });

  test('a target that is no address is refused', async () => {
    await expect(printed('--target', '$(reboot):1')).rejects.toThrow('--target takes the host and port');
  });
});

describe('KS-5: what is shown of agents', () => {
  test('fleet describe agent', async () => {
    await joined();
    const agent = controlPlane.objects.get(agentPath) as unknown as Agent;
    agent.spec = { ...agent.spec, publicKeys: ['ssh-ed25519 AAAAC3NzaC1lZDI1 me@host'] };
    agent.status = {
      conditions: [{ type: 'Connected', status: 'True', reason: 'Connected', message: '', lastTransitionTime: 'T' }],
      replicas: [{ replica: 'a', state: 'Connected', address: '10.0.0.1', version: 'v1\nx', bytesReceived: 2048 }],
    };
    const { stdout } = await run('describe', 'agent', 'gondor');
    expect(stdout).toContain('Tokens:       Secret karmada-cluster/gondor-agent-token');
    expect(stdout).toContain('ssh-ed25519 …aC1lZDI1 me@host');
    expect(stdout).toMatch(/a +Connected +10\.0\.0\.1 +v1 x +<none> +<none> +2\.0 KiB +0 B +0/);
    await expect(run('describe', 'agent', 'rohan')).rejects.toThrow('there is no agent "rohan"');
  });

  test('fleet get agents -o yaml is the control plane’s', async () => {
    await joined();
    expect((await run('get', 'agent', 'gondor', '-o', 'yaml')).stdout).toContain('kind: Agent');
  });
});
