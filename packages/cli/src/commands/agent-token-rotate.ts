/** `fleet agent token rotate`: creates a token for a cluster's agents, and revokes older ones. */

import { AgentTokens } from '../agent/agent-tokens.ts';
import { issueToken, knownToken } from '../agent/issue-token.ts';
import { existingProxyCluster } from '../agent/proxy-cluster.ts';
import { HintedError, UsageError } from '../errors.ts';
import { Fleet } from '../fleet-location.ts';
import { ensureShared } from '../join/join.ts';
import { Journal } from '../join/journal.ts';
import { undoAll } from '../join/undo.ts';
import { Progress } from '../progress.ts';

export interface TokenRotateFlags {
  fleetKubeconfig?: string;
  tokenFile?: string;
  revokeOthers: boolean;
}

export async function runAgentTokenRotate(name: string, flags: TokenRotateFlags): Promise<void> {
  const { tokenFile, revokeOthers } = flags;
  // Not commander's required option: a mistyped flag would be reported as this one missing.
  if (!tokenFile) throw new UsageError('name the file for the token with --token-file');
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  await existingProxyCluster(fleet, name);
  const controlPlane = fleet.client('karmada');
  const progress = new Progress();
  const journal = new Journal();
  const { signal } = new AbortController();
  try {
    let token = await knownToken(name, tokenFile, { controlPlane });
    if (token && !revokeOthers) {
      throw new HintedError(
        `${tokenFile} holds a token of ${name} already`,
        'Name another file for a new one, or keep this one alone with --revoke-others',
      );
    }
    if (!token) {
      await ensureShared(controlPlane, signal);
      token = await issueToken(name, tokenFile, { controlPlane, journal });
      progress.print(`A new token for agents of ${name} is in ${tokenFile}.`);
    }
    if (revokeOthers) {
      const revoked = await new AgentTokens(controlPlane, name).revokeOthers(token);
      progress.print(
        `${revoked} other ${revoked === 1 ? 'token is' : 'tokens are'} revoked: agents that use one are cut off, and refused from now on.`,
      );
      return;
    }
  } catch (error) {
    await undoAll(journal, progress);
    throw error;
  }
  progress.print(`The others still count. When the agents have the new one, run this again with --revoke-others.`);
}
