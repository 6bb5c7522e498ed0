/** Reads the SSH host keys that the fleet's servers publish, and that agents pin (AGENT-3). */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import { isStale, readPublishedLine } from '@fleet/tunnel/published-host-key.ts';
import { fingerprintOf } from '@fleet/tunnel/ssh2/host-key.ts';
import { secretsNamespace } from '../cluster.ts';
import { HintedError } from '../errors.ts';
import { get } from '../join/ensure.ts';

const path = `/api/v1/namespaces/${secretsNamespace}/configmaps/fleet-agent-server`;

/** As in `ssh-ed25519 AAAA…`, one for each replica of the server that runs, or did so in the last days. */
export async function readHostKeys(controlPlane: KubeClient, signal?: AbortSignal): Promise<string[]> {
  const published = (await get(controlPlane, path, signal))?.data as Record<string, string> | undefined;
  const keys = Object.values(published ?? {}).map(readPublishedLine);
  const now = Date.now();
  const current = keys.filter((key) => key !== undefined && !isStale(key, now)).map((key) => key!.publicKey);
  if (current.length > 0 && !keys.includes(undefined)) return [...new Set(current)].sort();
  throw new HintedError(
    `the fleet has published no SSH host key in ConfigMap ${secretsNamespace}/fleet-agent-server`,
    'A server that takes agents does so when it starts, and each hour: does it run, and is it of an older version?',
  );
}

/** As tokens pin them. */
export const fingerprintsOf = (hostKeys: readonly string[]): string[] =>
  hostKeys.map((line) => fingerprintOf(Buffer.from(line.split(' ')[1] ?? '', 'base64')));
