/** The host key by which agents recognise this server, and the id of this replica. Both are made at the first start and kept (AGENT-3). */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, writePrivate } from '@fleet/client/private-file.ts';
import { type HostKey, makeHostKey, readHostKey } from '@fleet/tunnel/ssh2/host-key.ts';

export interface ReplicaKey extends HostKey {
  /** The replica's id: stable for a data directory, and a valid key of a ConfigMap. */
  replica: string;
}

export async function openReplicaKey(dataDir: string): Promise<ReplicaKey> {
  const folder = join(dataDir, 'pki');
  const privateKey = await kept(join(folder, 'agent-host.key'), () => makeHostKey().privateKey);
  const replica = await kept(join(folder, 'replica-id'), () => `replica-${randomBytes(8).toString('hex')}\n`);
  return { ...readHostKey(privateKey), replica: replica.trim() };
}

async function kept(path: string, make: () => string): Promise<string> {
  const found = await readIfThere(path);
  if (found !== undefined && found !== '') return found;
  const made = make();
  await writePrivate(path, made);
  return made;
}
