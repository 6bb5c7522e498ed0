/** Sends the first request to an existing control plane. Errors name its address and kubeconfig. */

import { isStatus, KubeClient } from '@fleet/client/kube-client.ts';
import { UnreachableError, type Upstream } from '@fleet/client/upstream.ts';

export interface ControlPlaneAddress {
  url: string;
  kubeconfig: string;
}

export async function checkControlPlane(upstream: Upstream, { url, kubeconfig }: ControlPlaneAddress): Promise<void> {
  const of = `the control plane at ${url} (--control-plane ${kubeconfig})`;
  try {
    await new KubeClient(upstream).get('/version');
  } catch (error) {
    if (isStatus(error, 401))
      throw new Error(`${of} does not accept the credential of its kubeconfig`, { cause: error });
    if (isStatus(error, 403)) return;
    if (error instanceof UnreachableError) {
      // The error keeps its cause, which has the reason.
      error.message = `${of}: ${error.message}`;
      throw error;
    }
    throw new Error(`${of} does not answer as an API server: ${(error as Error).message}`, { cause: error });
  }
}
