/** The embedded control plane with a data directory of its own, and a client of it. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { openEmbedded } from '../control-plane/embedded.ts';
import { silentLog } from './silent-log.ts';

export interface EmbeddedClient extends AsyncDisposable {
  client: KubeClient;
}

export async function embeddedClient({ federation }: { federation: boolean }): Promise<EmbeddedClient> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fleet-embedded-'));
  mkdirSync(join(dataDir, 'pki'));
  const address = 'localhost:8443/clusterspaces/karmada';
  const options = { dataDir, historyLimit: 1e6, ca: 'pem', anonymousAuth: true, address, federation };
  const embedded = await openEmbedded(options, silentLog().log);
  return {
    client: new KubeClient(embedded.upstream),
    async [Symbol.asyncDispose]() {
      await embedded[Symbol.asyncDispose]();
      rmSync(dataDir, { recursive: true });
    },
  };
}
