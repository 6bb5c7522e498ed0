import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubernetesVersions } from './src/binaries.ts';
import { type Member, startMember } from './src/member.ts';

interface AuditLine {
  verb: string;
  requestURI: string;
  level: string;
  stage: string;
  user: { username: string; groups: string[] };
  responseStatus: { code: number };
}

async function auditLines(member: Member, path: string): Promise<AuditLine[]> {
  const lines = (await readFile(member.auditLog, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as AuditLine).filter(({ requestURI }) => requestURI === path);
}

describe.for(['newest', 'older'] as const)('a member of the %s version', (version) => {
  let member: Member;
  beforeAll(async () => {
    member = await startMember({ name: `a-${version}`, version, workloads: true });
  }, 1_200_000);
  afterAll(() => member?.[Symbol.asyncDispose]());

  it('reports its version, as does its kubectl', async () => {
    const { stdout } = await member.kubectl('version');
    expect(stdout).toContain(`Client Version: ${kubernetesVersions[version]}`);
    expect(stdout).toContain(`Server Version: ${kubernetesVersions[version]}`);
  });

  it('has ready nodes and running workloads', async () => {
    const nodes = await member.kubectl('get', 'nodes', '--no-headers');
    expect(nodes.stdout.match(/ Ready /g)).toHaveLength(2);
    const pods = await member.kubectl('get', 'pods', '-A', '--no-headers');
    expect(pods.stdout.match(/1\/1 +Running/g)).toHaveLength(9);
    const widgets = await member.kubectl('get', 'widgets');
    expect(widgets.stdout).toMatch(/NAME +SIZE +PHASE\nlarge +100 +Waiting\nsmall +1 +Ready\n/);
  });

  it('has each answered request in its audit log, with the user and the code', async () => {
    const path = '/api/v1/namespaces/default/configmaps/settings';
    expect((await member.api.ask(`${path}?here`)).code).toBe(200);
    expect(await auditLines(member, `${path}?here`)).toMatchObject([
      {
        verb: 'get',
        level: 'Metadata',
        stage: 'ResponseComplete',
        user: { username: 'admin' },
        responseStatus: { code: 200 },
      },
    ]);
    expect(await auditLines(member, `${path}?other`)).toEqual([]);
  });

  it('knows users by their certificate, and gives them what RBAC gives them', async () => {
    const jane = await member.userKubeconfig('jane', ['readers']);
    const denied = await member.kubectl('--kubeconfig', jane, 'get', 'pods');
    expect(denied.code).toBe(1);
    expect(denied.stderr).toContain('User "jane" cannot list resource "pods"');
    await member.kubectl('create', 'clusterrolebinding', 'readers', '--clusterrole=view', '--group=readers');
    expect((await member.kubectl('--kubeconfig', jane, 'get', 'pods')).code).toBe(0);
    expect((await member.kubectl('--kubeconfig', jane, 'delete', 'pod', 'x')).code).toBe(1);
  });

  it('issues tokens for service accounts that it accepts', async () => {
    const token = (await member.kubectl('create', 'token', 'default')).stdout.trim();
    const who = await member.kubectl(
      'auth',
      'whoami',
      `--token=${token}`,
      '--kubeconfig',
      '/dev/null',
      `--server=${member.server}`,
      '--insecure-skip-tls-verify',
    );
    expect(who.stdout).toContain('system:serviceaccount:default:default');
  });
});

describe('negative controls: a member without the guards', () => {
  let open: Member;
  beforeAll(async () => {
    // the last setting counts
    const extraApiserverFlags = ['--authorization-mode=AlwaysAllow', '--audit-log-path='];
    open = await startMember({ name: 'open', nodes: 0, extraApiserverFlags });
  }, 1_200_000);
  afterAll(() => open?.[Symbol.asyncDispose]());

  it('that gives everybody everything is noticed', async () => {
    const jane = await open.userKubeconfig('jane', ['readers']);
    expect((await open.kubectl('--kubeconfig', jane, 'get', 'pods')).code).toBe(0);
  });

  it('that writes nothing down is noticed', async () => {
    const path = '/api/v1/namespaces/default/configmaps/kube-root-ca.crt?here';
    await open.api.ask(path);
    await expect(auditLines(open, path)).rejects.toThrow(/ENOENT/);
  });
});
