import { stringify } from 'yaml';
import type { Pair } from './pki.ts';

export interface KubeconfigParts {
  cluster: string;
  server: string;
  /** PEM. */
  ca: string;
  user: string;
  credential: Pair | { token: string };
}

/** A kubeconfig with everything inside, so that it works from any folder. */
export function kubeconfig({ cluster, server, ca, user, credential }: KubeconfigParts): string {
  const base64 = (pem: string) => Buffer.from(pem).toString('base64');
  const proof =
    'token' in credential
      ? { token: credential.token }
      : { 'client-certificate-data': base64(credential.cert), 'client-key-data': base64(credential.key) };
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': base64(ca) } }],
      users: [{ name: user, user: proof }],
      contexts: [{ name: cluster, context: { cluster, user } }],
      'current-context': cluster,
    },
    { lineWidth: 0 },
  );
}
