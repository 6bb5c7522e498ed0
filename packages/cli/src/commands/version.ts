/** `fleet version`: prints the versions of the command and of the server. */

import { clientVersion } from '../client-version.ts';
import { describe } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import { formatOf, printJson, printYaml } from '../output.ts';

export interface VersionFlags {
  fleetKubeconfig?: string;
  output?: string;
}

interface Versions {
  clientVersion: { gitVersion: string; nodeVersion: string };
  serverVersion?: { gitVersion: string };
}

const answerWithin = 5_000;

export async function runVersion(flags: VersionFlags): Promise<void> {
  const format = formatOf(flags.output, ['json', 'yaml']);
  const versions: Versions = { clientVersion: { gitVersion: clientVersion, nodeVersion: process.version } };
  let failure: unknown;
  try {
    await using fleet = await Fleet.find(flags.fleetKubeconfig, answerWithin);
    versions.serverVersion = fleet.version;
  } catch (error) {
    failure = error;
  }
  process.stdout.write(
    format === 'json' ? printJson(versions) : format === 'yaml' ? printYaml(versions) : text(versions),
  );
  if (failure === undefined) return;
  // A fleet that was named must answer, as for `kubectl version`. Without one, the client's version is an answer by itself.
  if (flags.fleetKubeconfig) throw failure;
  process.stderr.write(`no server version: ${describe(failure)}\n`);
}

function text({ clientVersion: client, serverVersion: server }: Versions): string {
  return `Client Version: ${client.gitVersion}\n${server ? `Server Version: ${server.gitVersion}\n` : ''}`;
}
