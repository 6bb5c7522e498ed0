/** The CA whose client certificates the control plane itself accepts: its users are our users (CP-3). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { Logger } from 'pino';

const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export async function readClientCas(client: KubeClient, log: Logger): Promise<string[]> {
  try {
    const { data } = await client.get<{ data?: Record<string, string> }>(path);
    return data?.['client-ca-file']?.match(certificates) ?? [];
  } catch (error) {
    if (!isStatus(error, 404) && !isStatus(error, 403)) throw error;
    log.warn({ err: error }, "the control plane's client CA cannot be read: its client certificates are not accepted");
    return [];
  }
}
