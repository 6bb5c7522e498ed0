/** Gets tokens from the `exec` plugin of a kubeconfig, which cloud providers use. */

import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

export interface ExecConfig {
  apiVersion: string;
  command: string;
  args?: string[];
  env?: { name: string; value: string }[];
}

interface ExecCredential {
  status?: { token?: string; expirationTimestamp?: string };
}

/** Renewed this long before it expires, so that no request carries a token that expires on the way. */
const renewBefore = 60_000;

/** Runs the plugin when a token is first needed, and again before the token expires. */
export function execCredential(config: ExecConfig, folder: string): () => Promise<string> {
  let current: { token: string; expires: number } | undefined;
  let running: Promise<{ token: string; expires: number }> | undefined;
  return async () => {
    if (!current || current.expires - renewBefore < Date.now()) {
      running ??= run(config, folder).finally(() => {
        running = undefined;
      });
      current = await running;
    }
    return `Bearer ${current.token}`;
  };
}

async function run(config: ExecConfig, folder: string): Promise<{ token: string; expires: number }> {
  const command = config.command.includes('/') ? resolve(folder, config.command) : config.command;
  const info = { apiVersion: config.apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  const added = Object.fromEntries((config.env ?? []).map(({ name, value }) => [name, value]));
  const { stdout } = await promisify(execFile)(command, config.args ?? [], {
    env: { ...process.env, ...added, KUBERNETES_EXEC_INFO: JSON.stringify(info) },
  });
  const { status } = JSON.parse(stdout) as ExecCredential;
  if (!status?.token) throw new Error(`credential plugin ${config.command} returned no token`);
  return {
    token: status.token,
    expires: status.expirationTimestamp ? Date.parse(status.expirationTimestamp) : Number.POSITIVE_INFINITY,
  };
}
