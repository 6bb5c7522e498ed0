import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCa, issueServing, type KeyPair } from '@fleet/apiserver/pki/certificates.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { FakeUpstream, replyOf, statusReply } from './testing/fake-upstream.ts';
import { silentLog } from './testing/silent-log.ts';
import { followTokens, openTrust } from './trust.ts';

let cas: KeyPair[];
let made: KeyPair;
let folder: string;
beforeAll(async () => {
  cas = await Promise.all(['control-plane', 'first', 'second'].map((name) => createCa(name)));
  made = await issueServing(cas[0]!, ['localhost']);
  folder = await mkdtemp(join(tmpdir(), 'fleet-trust-'));
});

const controlPlaneCa = () => replyOf(200, { data: { 'client-ca-file': cas[0]!.cert } });
const pems = (...which: number[]) => which.map((at) => cas[at]!.cert.trim());
const trimmed = (certificates: readonly string[]) => certificates.map((pem) => pem.trim());

const open = (config: Parameters<typeof openTrust>[0], answer = controlPlaneCa) =>
  openTrust(config, made, new KubeClient(new FakeUpstream(answer)), silentLog().log);

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const patience = { timeout: 10_000 };

describe('AUTHN-3: whose certificates are believed', () => {
  it('those of the control plane’s client CA, and a serving certificate of our own', async () => {
    using trust = await open({});
    expect(trimmed(trust.clientCas())).toEqual(pems(0));
    expect(trust.serving()).toBe(made);
  });

  it('CP-3: a control plane that does not show its CA is no reason to stop', async () => {
    using trust = await open({}, () => statusReply(403, 'Forbidden', 'no'));
    expect(trust.clientCas()).toEqual([]);
    await expect(open({}, () => statusReply(500, 'InternalError', 'away'))).rejects.toThrow();
  });

  it('all of --client-ca-file beside it, read again when it changes; one that is gone counts no more', async () => {
    const clientCaFile = await file('cas.pem', `${cas[1]!.cert}\n${cas[2]!.cert}`);
    using trust = await open({ clientCaFile });
    expect(trimmed(trust.clientCas())).toEqual(pems(1, 2, 0));
    const changed = vi.fn();
    trust.onChange = changed;
    await writeFile(clientCaFile, cas[2]!.cert);
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), patience);
    expect(trimmed(trust.clientCas())).toEqual(pems(2, 0));
  }, 15_000);

  it.each(['', 'no PEM', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
    'a file of %j keeps it from starting',
    async (text) => {
      await expect(open({ clientCaFile: await file('bad.pem', text) })).rejects.toThrow(
        /^--client-ca-file \S+bad\.pem: /,
      );
    },
  );

  it('a given serving certificate changes only when certificate and key belong together', async () => {
    const [one, other] = await Promise.all([issueServing(cas[1]!, ['a']), issueServing(cas[1]!, ['b'])]);
    const tlsCertFile = await file('tls.crt', one.cert);
    const tlsPrivateKeyFile = await file('tls.key', one.key);
    using trust = await open({ tlsCertFile, tlsPrivateKeyFile });
    expect(trust.serving()).toEqual(one);
    await writeFile(tlsCertFile, other.cert);
    await writeFile(tlsPrivateKeyFile, other.key);
    await vi.waitFor(() => expect(trust.serving()).toEqual(other), patience);
    await expect(open({ tlsCertFile, tlsPrivateKeyFile: await file('x.key', one.key) })).rejects.toThrow(
      /^--tls-cert-file \S+tls\.crt with --tls-private-key-file \S+x\.key: /,
    );
    await expect(open({ tlsCertFile, tlsPrivateKeyFile: folder })).rejects.toThrow(
      /with --tls-private-key-file \S+: EISDIR/,
    );
  }, 15_000);
});

describe('SEC-5: a token file with a user without a name', () => {
  it('keeps it from starting; read again, the last good tokens stay in use', async () => {
    const { log, lines } = silentLog();
    await expect(followTokens(await file('nameless.csv', 'tok,,\n'), log)).rejects.toThrow(
      /^--token-auth-file \S+nameless\.csv: line 1/,
    );
    const path = await file('tokens.csv', 'tok,alice,u1\n');
    using tokens = await followTokens(path, log);
    await writeFile(path, 'tok,,u1\n');
    await vi.waitFor(() => expect(JSON.stringify(lines)).toContain('line 1: the user name is empty'), patience);
    expect(tokens.value.map(({ user }) => user.name)).toEqual(['alice']);
  }, 15_000);
});
