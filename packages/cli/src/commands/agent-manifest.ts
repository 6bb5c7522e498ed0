/** `fleet agent manifest`: one YAML to apply in the member. */

import { readFile } from 'node:fs/promises';
import { type TransportChoice, transportChoices } from '@fleet/agent/dial/server-dial.ts';
import { writePrivate } from '@fleet/client/private-file.ts';
import { isProxyUrl } from '@fleet/client/proxy.ts';
import { type AgentToken, makeToken } from '@fleet/tunnel/token.ts';
import { AgentTokens } from '../agent/agent-tokens.ts';
import { fingerprintsOf, readHostKeys } from '../agent/host-keys.ts';
import { knownToken } from '../agent/issue-token.ts';
import { memberYaml } from '../agent/member-yaml.ts';
import { existingProxyCluster } from '../agent/proxy-cluster.ts';
import { serverOf } from '../agent/server-flag.ts';
import { printCredential } from '../credential-output.ts';
import { HintedError, UsageError } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import { fleetOf } from '../join/inspect.ts';
import { type KindsFlags, kindsIn } from '../join/kinds.ts';

export interface ManifestFlags extends KindsFlags {
  fleetKubeconfig?: string;
  tokenFile?: string;
  image: string;
  server?: string;
  transport: string;
  proxy?: string;
  certificateAuthority?: string;
  bindAdmins: boolean;
  accountsOnly: boolean;
  output?: string;
}

export async function runAgentManifest(name: string, flags: ManifestFlags): Promise<void> {
  const transport = transportOf(flags.transport);
  if (flags.proxy && !isProxyUrl(flags.proxy)) throw new UsageError('--proxy takes an http, https or socks5 URL');
  const kinds = kindsIn(flags);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  await existingProxyCluster(fleet, name);
  const server = serverOf(flags.server, fleet);
  const controlPlane = fleet.client('karmada');
  const ca = flags.certificateAuthority ? await readFile(flags.certificateAuthority, 'utf8') : fleet.root.tls.ca;
  const agent = flags.accountsOnly
    ? undefined
    : {
        token: await tokenOf(name, flags.tokenFile, fleet),
        image: flags.image,
        server: server.url,
        transport,
        proxy: flags.proxy,
        certificateAuthority: ca,
      };
  const { bindAdmins } = flags;
  const text = memberYaml({ fleet: await fleetOf(controlPlane), bindAdmins, ...kinds, agent });
  if (!agent) process.stdout.write(text);
  else if (flags.output === undefined) printCredential(text);
  else await writePrivate(flags.output, text);
}

function transportOf(text: string): TransportChoice {
  const transport = transportChoices.find((choice) => choice === text);
  if (transport) return transport;
  throw new UsageError(`--transport takes ${transportChoices.join(', ')}, not "${text}"`);
}

/** That of the file; without one a new one, which is shown in this manifest and nowhere else. */
async function tokenOf(name: string, file: string | undefined, fleet: Fleet): Promise<AgentToken> {
  const controlPlane = fleet.client('karmada');
  if (file !== undefined) {
    const token = await knownToken(name, file, { controlPlane });
    if (token) return token;
    throw new HintedError(`the token file ${file} does not exist`, 'Leave --token-file out to get a new token');
  }
  const token = makeToken(name, fingerprintsOf(await readHostKeys(controlPlane)));
  await new AgentTokens(controlPlane, name).add(token);
  process.stderr.write(`Made another token for agents of ${name}; it is in this manifest only.\n`);
  return token;
}
