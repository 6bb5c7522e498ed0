import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { startApiServer } from '@fleet/client/testing/api-server.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PatientUpstream } from './patient-upstream.ts';

const within = 50;

test('a server that cannot be reached is named', async () => {
  const server = await startApiServer(() => {});
  await server[Symbol.asyncDispose]();
  await using upstream = PatientUpstream.to({ url: `${server.url}/clusterspaces/karmada`, tls: {} });
  await expect(new KubeClient(upstream).get('/version')).rejects.toThrow(`cannot connect to ${server.url}`);
});

describe('a server that does not answer', () => {
  test.each([
    ['at all', () => {}],
    [
      'beyond the head',
      (_: unknown, response: { writeHead(code: number): { flushHeaders(): void } }) =>
        response.writeHead(200).flushHeaders(),
    ],
    ['to the end', (_: unknown, response: { write(text: string): void }) => response.write('{"kind":')],
  ])('%s: the error names the request, and the connection is closed', async (_, answer) => {
    await using server = await startApiServer(answer as Parameters<typeof startApiServer>[0]);
    await using upstream = new PatientUpstream(new HttpsUpstream({ url: server.url, tls: {} }), server.url, within);
    await expect(new KubeClient(upstream).get('/version')).rejects.toThrow(
      `GET ${server.url}/version was not answered within 0.05 s`,
    );
  });

  test('a credential that never comes is no reason to wait, either', async () => {
    await using server = await startApiServer((_, response) => response.end('{}'));
    const endpoint = { url: server.url, tls: {}, authorization: () => new Promise<string>(() => {}) };
    await using upstream = new PatientUpstream(new HttpsUpstream(endpoint), server.url, within);
    await expect(new KubeClient(upstream).get('/version')).rejects.toThrow('was not answered within');
    expect(server.requests).toEqual([]);
  });

  test('an answer in time is the answer, and nothing is left that would end it later', async () => {
    await using server = await startApiServer((_, response) => response.end('{"a":1}'));
    await using upstream = PatientUpstream.to({ url: server.url, tls: {} });
    expect(await new KubeClient(upstream).get('/version')).toEqual({ a: 1 });
  });
});

test('a watch or a log has to begin in time, and then may take as long as it likes', async () => {
  let finish: (() => void) | undefined;
  await using server = await startApiServer(({ url }, response) => {
    if (url === '/silent') return;
    response.write('one ');
    finish = () => response.end('two');
  });
  await using upstream = new PatientUpstream(new HttpsUpstream({ url: server.url, tls: {} }), server.url, within);
  const call = { method: 'GET', headers: {}, signal: new AbortController().signal };
  await expect(upstream.stream({ ...call, path: '/silent' })).rejects.toThrow('/silent was not answered within 0.05 s');
  await expect(upstream.upgrade({ ...call, path: '/silent' })).rejects.toThrow('was not answered within');
  // Long enough for a busy machine to begin within it.
  const longer = 1_000;
  await using patient = new PatientUpstream(new HttpsUpstream({ url: server.url, tls: {} }), server.url, longer);
  const { body } = await patient.stream({ ...call, path: '/log' });
  setTimeout(() => finish?.(), 1.2 * longer);
  expect((await body.bytes()).toString()).toBe('one two');
});

test('the end does not wait for an answer that nobody waits for', async () => {
  await using server = await startApiServer((_, response) => void response.writeHead(200).flushHeaders());
  const upstream = PatientUpstream.to({ url: server.url, tls: {} });
  await upstream.call({ method: 'GET', path: '/', headers: {}, signal: new AbortController().signal });
  await upstream[Symbol.asyncDispose]();
  await expect.poll(() => server.sockets.size).toBe(0);
});

test('the command ends though a credential plugin does not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-plugin-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, 'kubeconfig');
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'sleep', args: ['18'] };
  const config = {
    'current-context': 'x',
    clusters: [{ name: 'x', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'x', user: { exec } }],
    contexts: [{ name: 'x', context: { cluster: 'x', user: 'x' } }],
  };
  await writeFile(kubeconfig, JSON.stringify(config));
  const command = [join(import.meta.dirname, 'fleet.mjs'), 'version', '--fleet-kubeconfig', kubeconfig];
  const failed = await promisify(execFile)(process.execPath, command, { timeout: 15_000 }).catch((error) => error);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('/version was not answered within 5 s') });
});
