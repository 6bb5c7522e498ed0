import type { Endpoint } from '@fleet/client/https-upstream.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { expect, test } from 'vitest';
import { inspectMember } from './inspect.ts';

const endpoint = { url: 'https://m1:6443', tls: {} } as Endpoint;
const { signal } = new AbortController();
const memberThat = (get: (path: string) => Promise<object>) => ({ get }) as unknown as KubeClient;

test('a credential that the member does not accept is reported with the address of the member', async () => {
  const member = memberThat(() => Promise.reject(new StatusError(401, 'Unauthorized', 'Unauthorized')));
  await expect(inspectMember(member, endpoint, signal)).rejects.toThrow(
    'https://m1:6443 does not accept the credential in the kubeconfig of the member',
  );
});

test('a fleet, such as this one, cannot be joined', async () => {
  const member = memberThat(async () => ({ gitVersion: 'v1.36.3+fleet.0.1.0' }));
  await expect(inspectMember(member, endpoint, signal)).rejects.toThrow('https://m1:6443 is a fleet');
});
