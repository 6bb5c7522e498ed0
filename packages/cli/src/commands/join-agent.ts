/** `fleet join --agent`: registers a member that the fleet cannot reach, and gives its agent a token. */

import { joinAgent } from '../agent/join-agent.ts';
import { shellQuote } from '../demo/shell-quote.ts';
import { UsageError } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import { interruption } from '../interruption.ts';
import { kindsGrants } from '../join/grants.ts';
import { Progress } from '../progress.ts';
import type { JoinFlags } from './join.ts';

export async function runJoinAgent(name: string, flags: JoinFlags): Promise<void> {
  const tokenFile = checked(flags);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  using interrupted = interruption();
  const progress = new Progress();
  progress.print(`Joining ${name} to the fleet at ${fleet.root.url}, through an agent`);
  const { endpoint: apiEndpoint, region, provider } = flags;
  await joinAgent(
    { name, tokenFile, apiEndpoint, region, provider },
    { controlPlane: fleet.client('karmada'), progress, signal: interrupted.signal },
  );
  const { url } = fleet.root;
  const file = shellQuote(tokenFile);
  progress.print(
    [
      `${name} is registered; it is ready once its agent has connected. The token in ${tokenFile} is the agent's, and shown nowhere else.`,
      'Next, one of these:',
      `  in the member:    fleet agent manifest ${name} --token-file ${file} --server ${url} | kubectl --kubeconfig MEMBER apply -f -`,
      `  beside it:        fleet agent --server ${url} --token-file ${file} --kubeconfig MEMBER`,
      `  by a stock ssh:   fleet agent ssh-command ${name} --server ${url}`,
      `Then: fleet describe agent ${name}`,
    ].join('\n'),
  );
}

/** What is for a kubeconfig is an error, not ignored: it belongs to the commands that make the member's side. */
function checked(flags: JoinFlags): string {
  const { tokenFile, kubeconfig, context, bindAdmins, endpoint } = flags;
  if (!tokenFile) throw new UsageError('--agent needs --token-file FILE, where the token of the agent is written');
  if (kubeconfig !== undefined || context !== undefined)
    throw new UsageError('--agent takes no kubeconfig of the member: its agent has one, or runs in it');
  if (kindsGrants.some(({ option }) => flags[option] !== undefined) || !bindAdmins)
    throw new UsageError(
      '--cache-kinds, --federation-kinds and --no-bind-admins are for "fleet agent manifest" or "fleet agent"',
    );
  const url = endpoint === undefined ? undefined : URL.parse(endpoint);
  if (url === null || (url && url.protocol !== 'https:'))
    throw new UsageError(`--endpoint takes an https URL, not "${endpoint}"`);
  return tokenFile;
}
