import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { podApiServer, readMountedCredentials } from './pod.ts';

test('AGENT-10: the API server of a pod, and none outside', () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '6443' };
  expect(podApiServer(env)).toEqual({ host: '10.0.0.1', port: 6443 });
  expect(podApiServer({})).toBeUndefined();
});

test('AGENT-10: mounted credentials, once all of them are there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-pod-'));
  try {
    for (const account of ['control', 'impersonator']) await mkdir(join(folder, account));
    await writeFile(join(folder, 'control/token'), 'one\n');
    await writeFile(join(folder, 'control/ca.crt'), 'CA\n');
    expect(await readMountedCredentials(folder)).toBeUndefined();
    await writeFile(join(folder, 'impersonator/token'), 'two');
    expect(await readMountedCredentials(folder)).toEqual({
      controlToken: 'one',
      impersonatorToken: 'two',
      caBundle: 'CA\n',
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
