import { stringify } from 'yaml';
import type { Pair } from './pki.ts';

export interface KubeconfigParts {
  cluster: string;
  server: string;
  /** PEM. */
  ca: string;
  user: string;
  pair: Pair;
}

/** A kubeconfig with everything inside, so that it works from any folder. */
export function kubeconfig({ cluster, server, ca, user, pair }: KubeconfigParts): string {
  const base64 = (pem: string) => Buffer.from(pem).toString('base64');
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': base64(ca) } }],
      users: [
        { name: user, user: { 'client-certificate-data': base64(pair.cert), 'client-key-data': base64(pair.key) } },
      ],
      contexts: [{ name: cluster, context: { cluster, user } }],
      'current-context': cluster,
    },
    { lineWidth: 0 },
  );
}
