import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { KubectlResult } from './src/kubectl.ts';
import { type Member, startMember } from './src/member.ts';

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
});
