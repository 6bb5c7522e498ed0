import type { Api } from './api.ts';
import { until } from './until.ts';

interface Secrets {
  items: { metadata: { name: string }; data?: { token?: string } }[];
}

/**
 * Deletes Secrets with long-lived tokens of a namespace's ServiceAccounts, all or those named; nobody takes the tokens
 * when this returns.
 */
export async function revokeTokens(api: Api, namespace: string, names?: readonly string[]): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/secrets`;
  const { items } = await api.object<Secrets>(`${path}?fieldSelector=type=kubernetes.io/service-account-token`);
  const revoked = items.filter(({ metadata }) => names?.includes(metadata.name) ?? true);
  if (revoked.length < (names?.length ?? 1)) throw new Error(`there is no such token in ${namespace}`);
  for (const { metadata } of revoked) await api.object(`${path}/${metadata.name}`, { method: 'DELETE' });
  for (const { data } of revoked) {
    const token = Buffer.from(data?.token ?? '', 'base64').toString();
    // an API server remembers for ten seconds what it has let in
    await until('the token is refused', async () => !(await isTaken(api, token)));
  }
}

async function isTaken(api: Api, token: string): Promise<boolean> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
  const path = '/apis/authentication.k8s.io/v1/tokenreviews';
  const { status } = await api.object<{ status: { authenticated?: boolean } }>(path, { method: 'POST', body });
  return status.authenticated === true;
}
