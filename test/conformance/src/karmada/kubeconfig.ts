/** The kubeconfig that Karmada's suite reads: a context of its API server, and one of its host, which is only parsed here. */

export interface SpecsServer {
  url: string;
  /** PEM; without them the server is asked in plain text. */
  ca?: string;
  admin?: { cert: string; key: string };
}

const base64 = (pem: string): string => Buffer.from(pem).toString('base64');

export const specsKubeconfig = ({ url, ca, admin }: SpecsServer): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'fleet', cluster: { server: url, ...(ca ? { 'certificate-authority-data': base64(ca) } : {}) } },
    ],
    users: [
      {
        name: 'admin',
        user: admin ? { 'client-certificate-data': base64(admin.cert), 'client-key-data': base64(admin.key) } : {},
      },
    ],
    contexts: ['karmada-host', 'karmada-apiserver'].map((name) => ({
      name,
      context: { cluster: 'fleet', user: 'admin' },
    })),
    'current-context': 'karmada-apiserver',
  });
