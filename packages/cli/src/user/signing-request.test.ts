import { buffer } from 'node:stream/consumers';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { startApiServer } from '@fleet/client/testing/api-server.ts';
import { describe, expect, test } from 'vitest';
import { PatientUpstream } from '../patient-upstream.ts';
import { signByControlPlane } from './signing-request.ts';

interface Request {
  metadata: { name: string };
  spec?: { request: string; signerName: string; expirationSeconds: number; usages: string[] };
  status?: { certificate?: string; conditions?: { type: string; message?: string }[] };
}

/** A control plane that signs what was approved, at the second look. */
async function controlPlane(sign: (request: Request) => Request['status'] | undefined) {
  const seen: string[] = [];
  let stored: Request | undefined;
  const server = await startApiServer(async (request, response) => {
    seen.push(`${request.method} ${request.url!.replace(/fleet-user-\w+/, 'NAME')}`);
    const text = (await buffer(request)).toString();
    const sent = text ? (JSON.parse(text) as Request) : undefined;
    if (request.method === 'POST') stored = sent;
    if (request.method === 'PATCH') stored = { ...stored!, ...(sent!.status ? { status: sent!.status } : {}) };
    if (request.method === 'GET') stored = { ...stored!, status: { ...stored!.status, ...sign(stored!) } };
    response.end(JSON.stringify(stored));
  });
  const upstream = PatientUpstream.to({ url: server.url, tls: {} });
  return {
    seen,
    stored: () => stored!,
    ask: (within?: number) =>
      signByControlPlane(
        { name: 'alice', groups: ['developers'], validFor: 86_400_000 },
        { controlPlane: new KubeClient(upstream), signal: new AbortController().signal, ...(within ? { within } : {}) },
      ),
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

describe('a certificate of the control plane', () => {
  test('is requested, approved, waited for, and the request is removed', async () => {
    let looks = 0;
    const certificate = Buffer.from('PEM').toString('base64');
    await using plane = await controlPlane(() => (++looks > 1 ? { certificate } : undefined));
    const { cert, key } = await plane.ask();
    expect(cert).toBe('PEM');
    expect(key).toContain('BEGIN PRIVATE KEY');
    expect(plane.seen).toEqual([
      `POST ${path}`,
      `PATCH ${path}/NAME/approval`,
      `GET ${path}/NAME`,
      `GET ${path}/NAME`,
      `DELETE ${path}/NAME`,
    ]);
    const { spec, status } = plane.stored();
    expect(Buffer.from(spec!.request, 'base64').toString()).toContain('BEGIN CERTIFICATE REQUEST');
    expect(spec).toMatchObject({
      signerName: 'kubernetes.io/kube-apiserver-client',
      expirationSeconds: 86_400,
      usages: ['digital signature', 'client auth'],
    });
    expect(status?.conditions).toMatchObject([{ type: 'Approved', status: 'True' }]);
  });

  test('that is refused is an error with the reason, and nothing is left', async () => {
    await using plane = await controlPlane(() => ({ conditions: [{ type: 'Failed', message: 'usages' }] }));
    await expect(plane.ask()).rejects.toThrow('the control plane did not sign the request: usages');
    expect(plane.seen.at(-1)).toBe(`DELETE ${path}/NAME`);
  });

  test('that nobody signs is an error which names the other way, and nothing is left', async () => {
    await using plane = await controlPlane(() => undefined);
    await expect(plane.ask(1)).rejects.toThrow('the control plane signs no certificates');
    expect(plane.seen.at(-1)).toBe(`DELETE ${path}/NAME`);
  });
});
