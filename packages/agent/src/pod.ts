/** Reads what a pod gives an agent: the address of the API server, and the mounted credentials (AGENT-10). */

import { join } from 'node:path';
import { readIfThere } from '@fleet/client/private-file.ts';
import type { TargetAddress } from '@fleet/tunnel/agent.ts';
import type { AgentCredentials } from '@fleet/tunnel/control-messages.ts';

/** The folder in which the manifest mounts the Secrets of the two ServiceAccounts. */
export const credentialsFolder = '/var/run/secrets/fleet';
export const mounts = { control: 'control', impersonator: 'impersonator' } as const;

/** Undefined outside a pod. */
export function podApiServer(env: Record<string, string | undefined>): TargetAddress | undefined {
  const [host, port] = [env['KUBERNETES_SERVICE_HOST'], Number(env['KUBERNETES_SERVICE_PORT'] ?? 443)];
  return host && port > 0 ? { host, port } : undefined;
}

/** Undefined while the member has not issued a token. */
export async function readMountedCredentials(folder: string): Promise<AgentCredentials | undefined> {
  const read = (account: string, key: string) => readIfThere(join(folder, account, key));
  const [controlToken, impersonatorToken, caBundle] = await Promise.all([
    read(mounts.control, 'token'),
    read(mounts.impersonator, 'token'),
    read(mounts.control, 'ca.crt'),
  ]);
  if (!controlToken || !impersonatorToken || !caBundle) return undefined;
  return { controlToken: controlToken.trim(), impersonatorToken: impersonatorToken.trim(), caBundle };
}
