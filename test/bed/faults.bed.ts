import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { KubectlResult } from './src/kubectl.ts';
import { type Member, startMember } from './src/member.ts';
import { until } from './src/until.ts';

describe('the faults of a member', () => {
  let member: Member;
  beforeAll(async () => {
    member = await startMember({ name: 'f', nodes: 0, faults: true });
    await member.kubectl('create', 'configmap', 'kept');
  }, 1_200_000);
  afterAll(() => member?.[Symbol.asyncDispose]());
  afterEach(() => member.faults.proxy.heal());

  const direct = (timeout = '2s') =>
    member.kubectl('get', 'configmap', 'kept', '-o=name', `--request-timeout=${timeout}`);
  const through = () =>
    member.kubectl('--kubeconfig', member.kubeconfig, 'get', '--raw', '/readyz', '--request-timeout=2s');
  const there: Partial<KubectlResult> = { code: 0, stdout: 'configmap/kept\n' };
  const ok: Partial<KubectlResult> = { code: 0, stdout: 'ok' };

  it('freeze and thaw', async () => {
    expect(await direct()).toMatchObject(there);
    member.faults.freeze();
    // kubectl tries a few times
    expect((await direct('500ms')).code).toBe(1);
    member.faults.thaw();
    expect(await direct('30s')).toMatchObject(there);
  });

  it.for(['kill', 'stop'] as const)('%s and start again, with the same data and address', async (fault) => {
    await member.faults[fault]();
    expect((await direct()).stderr).toContain('refused');
    await member.faults.start();
    expect(await direct('30s')).toMatchObject(there);
  });

  it('kill while frozen', async () => {
    member.faults.freeze();
    await member.faults.kill();
    await member.faults.start();
    expect(await direct('30s')).toMatchObject(there);
  });

  it('the proxy is in front of the kubeconfig, not of the direct one', async () => {
    const before = member.faults.proxy.accepted;
    await direct();
    expect(member.faults.proxy.accepted).toBe(before);
    expect(await through()).toMatchObject(ok);
    expect(member.faults.proxy.accepted).toBeGreaterThan(before);
  });

  it.for([
    ['drop', /deadline exceeded|timeout|Timeout/],
    ['refuse', /refused/],
    ['reset', /reset by peer|EOF/],
    ['corrupt', /tls|TLS|x509|malformed|message/],
  ] as const)('%s, and healed', async ([mode, message]) => {
    await member.faults.proxy[mode]();
    const failed = await through();
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(message);
    // only the way through the proxy is broken
    expect(await direct()).toMatchObject(there);
    await member.faults.proxy.heal();
    expect(await through()).toMatchObject(ok);
  });

  it('truncate, and healed', async () => {
    await member.faults.proxy.truncate(1000);
    expect(await through()).toMatchObject({ code: 1, stderr: expect.stringMatching(/EOF/) });
    await member.faults.proxy.heal();
    expect(await through()).toMatchObject(ok);
  });

  it('delay slows and does not break', async () => {
    await member.faults.proxy.delay(200);
    const began = performance.now();
    expect(await through()).toMatchObject(ok);
    // TLS handshake and request: at least two round trips
    expect(performance.now() - began).toBeGreaterThan(800);
  });

  it('forget: what was is there, versions from before are 410', async () => {
    const list = '/api/v1/namespaces/default/configmaps';
    const { metadata } = await member.api.object<{ metadata: { resourceVersion: string } }>(list);
    await member.kubectl('create', 'configmap', 'later');
    const at = `resourceVersion=${metadata.resourceVersion}`;
    const exactly = () => member.api.ask(`${list}?${at}&resourceVersionMatch=Exact`);
    const watching = () => member.api.ask(`${list}?${at}&watch=1&timeoutSeconds=1`);
    expect((await exactly()).code).toBe(200);
    expect((await watching()).body).toContain('"later"');
    await member.faults.forget();
    expect((await exactly()).code).toBe(410);
    // in its own wording: a watch has begun by then
    expect((await watching()).body).toMatch(/"reason":"(Expired|Gone)".*"code":410/);
    expect(await direct('30s')).toMatchObject(there);
  });

  it.for([
    ['expired', /certificate has expired/],
    ['untrusted', /unknown authority/],
  ] as const)('an %s certificate for new connections, and a good one again', async ([which, message]) => {
    const watching = member.startKubectl('get', 'configmaps', '--watch', '-o=name');
    let seen = '';
    watching.stdout.on('data', (data) => {
      seen += data;
    });
    await until('the watch is open', () => seen.includes('configmap/kept'));
    await member.faults.showCertificate(which);
    expect(await direct()).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    await member.faults.showCertificate('good');
    expect(await direct()).toMatchObject(there);
    await member.kubectl('create', 'configmap', `after-${which}`);
    await until('what was open goes on', () => seen.includes(`after-${which}`));
    watching.kill();
  });

  it('revoked tokens are refused, and no others', async () => {
    const token = async (name: string, namespace: string) => {
      await member.kubectl('create', 'serviceaccount', 'robot', '-n', namespace);
      const annotations = { 'kubernetes.io/service-account.name': 'robot' };
      const type = 'kubernetes.io/service-account-token';
      const secret = { apiVersion: 'v1', kind: 'Secret', type, metadata: { name, namespace, annotations } };
      await member.kubectl('create', '-f', '-', { stdin: JSON.stringify(secret) });
      const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
      return until('it has a token', async () => {
        const { data } = await member.api.object<{ data?: { token?: string } }>(path);
        return data?.token && Buffer.from(data.token, 'base64').toString();
      });
    };
    const whoami = async (bearer: string) => {
      const there = ['--kubeconfig=/dev/null', `--server=${member.directServer}`, '--insecure-skip-tls-verify'];
      return (await member.kubectl('auth', 'whoami', `--token=${bearer}`, ...there)).code;
    };
    await member.kubectl('create', 'namespace', 'revoked');
    const [gone, kept] = [await token('gone', 'revoked'), await token('kept', 'default')];
    expect([await whoami(gone), await whoami(kept)]).toEqual([0, 0]);
    await member.faults.revokeTokens('revoked');
    expect([await whoami(gone), await whoami(kept)]).toEqual([1, 0]);
  });
});
