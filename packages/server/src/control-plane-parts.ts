/** Opens the control plane: an existing one, or the embedded one (CP-1, CP-3). Everything else uses both in the same way (CP-4). */

import { HttpsUpstream } from '@fleet/client/https-upstream.ts';
import { loadEndpoint } from '@fleet/client/kubeconfig.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { Config } from './config/config.ts';
import { checkControlPlane } from './control-plane/check.ts';
import { openEmbedded } from './control-plane/embedded.ts';
import type { Logger } from './observe/log.ts';
import type { Pki } from './pki/data-dir.ts';
import { karmada } from './target/target.ts';

export async function openControlPlane(
  { controlPlane, controlPlaneContext, dataDir, historyMaxsize, anonymousAuth, listen, federation }: Config,
  { ca }: Pki,
  owner: AsyncDisposableStack,
  log: Logger,
): Promise<Upstream> {
  if (controlPlane !== undefined) {
    const endpoint = await loadEndpoint(controlPlane, controlPlaneContext);
    const upstream = owner.use(new HttpsUpstream(endpoint));
    await checkControlPlane(upstream, { url: endpoint.url, kubeconfig: controlPlane });
    return upstream;
  }
  const address = `${listen.host || 'localhost'}:${listen.port}/clusterspaces/${karmada}`;
  const historyLimit = historyMaxsize === 0 ? Number.POSITIVE_INFINITY : historyMaxsize * 1024 * 1024;
  const embedded = { dataDir, historyLimit, ca: ca.cert, anonymousAuth, address, federation };
  return owner.use(await openEmbedded(embedded, log)).upstream;
}
