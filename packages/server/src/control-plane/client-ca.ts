/** Reads the CA of the client certificates that the control plane itself accepts: its users are also users of the fleet (CP-3). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { Logger } from 'pino';

const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

const begin = '-----BEGIN CERTIFICATE-----';
const end = '-----END CERTIFICATE-----';

/** The certificates in a PEM file, one by one, as Node parses only the first. */
export const certificatesIn = (pem: string): string[] =>
  pem.split(begin).flatMap((text) => {
    const [inside = '', ...behind] = text.split('-');
    return inside !== '' && `-${behind.join('-')}`.startsWith(end) ? [`${begin}${inside}${end}`] : [];
  });

export async function readClientCas(client: KubeClient): Promise<string[]> {
  const { data } = await client.get<{ data?: Record<string, string> }>(path);
  return certificatesIn(data?.['client-ca-file'] ?? '');
}

/** For the start, which must not fail because the product is not allowed to read it. */
export async function readClientCasIfAllowed(client: KubeClient, log: Logger): Promise<string[]> {
  try {
    return await readClientCas(client);
  } catch (error) {
    if (!isStatus(error, 404) && !isStatus(error, 403)) throw error;
    log.warn({ err: error }, "the control plane's client CA cannot be read: its client certificates are not accepted");
    return [];
  }
}
