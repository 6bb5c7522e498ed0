/** Reads `--server` of commands that print how to connect to the fleet. Its default is the address in the fleet's kubeconfig. */

import { parseServer, type ServerAddress } from '@fleet/agent/dial/server-address.ts';
import { describe, UsageError } from '../errors.ts';
import type { Fleet } from '../fleet-location.ts';

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^127\./.test(host);

export function serverOf(flag: string | undefined, fleet: Fleet): ServerAddress & { url: string } {
  const url = flag ?? fleet.root.url;
  const address = parsed(url);
  if (flag === undefined && isLoopback(address.host)) {
    process.stderr.write(
      `Warning: agents will dial ${url}, which no other machine can; name the fleet's address with --server\n`,
    );
  }
  return { ...address, url };
}

function parsed(url: string): ServerAddress {
  try {
    return parseServer(url);
  } catch (cause) {
    throw new UsageError(`--server: ${describe(cause)}`, { cause });
  }
}
