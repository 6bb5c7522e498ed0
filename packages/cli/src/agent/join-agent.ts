/** Registers a member that is reached through its agent (AGENT-1). The agent's manifest has the objects in the member. */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { agentsPath } from '@fleet/server/members/agent.ts';
import type { Cluster } from '../cluster.ts';
import { ensure, get } from '../join/ensure.ts';
import { listClusters } from '../join/inspect.ts';
import { ensureShared } from '../join/join.ts';
import { Journal } from '../join/journal.ts';
import { undoAll } from '../join/undo.ts';
import type { Progress } from '../progress.ts';
import { issueToken, knownToken } from './issue-token.ts';
import { agentOf, type ProxyClusterFacts, proxyClusterOf, refuseOtherKind } from './proxy-cluster.ts';

export interface JoinAgentRequest extends ProxyClusterFacts {
  tokenFile: string;
}

export interface JoinAgentParts {
  controlPlane: KubeClient;
  progress: Progress;
  signal: AbortSignal;
  /** How long an undo may take, in milliseconds. */
  undoWithin?: number;
}

export async function joinAgent(request: JoinAgentRequest, parts: JoinAgentParts): Promise<void> {
  const journal = new Journal();
  try {
    await register(request, parts, journal);
  } catch (error) {
    await undoAll(journal, parts.progress, parts.undoWithin);
    throw error;
  }
}

async function register(request: JoinAgentRequest, parts: JoinAgentParts, journal: Journal): Promise<void> {
  const { name, tokenFile } = request;
  const { controlPlane, progress, signal } = parts;
  let known: Cluster | undefined;
  let cluster!: Cluster;
  await progress.step('Look for it in the fleet', async () => {
    known = (await listClusters(controlPlane, signal)).find(({ metadata }) => metadata.name === name);
    refuseOtherKind(known, name);
    return known ? 'registered; repairing what is missing' : 'not registered yet';
  });
  await progress.step(`Make a token for its agent in ${tokenFile}`, async () => {
    if (await knownToken(name, tokenFile, { controlPlane, signal })) return 'kept';
    await ensureShared(controlPlane, signal);
    await issueToken(name, tokenFile, { controlPlane, journal, signal });
    return 'made';
  });
  await progress.step(`Register the cluster as ${name}`, async () => {
    // What an earlier join was given, and this one is not, stays.
    const apiEndpoint = request.apiEndpoint ?? known?.spec.apiEndpoint;
    const desired = proxyClusterOf({ ...request, apiEndpoint });
    const { outcome, object } = await ensure(desired, { client: controlPlane, journal, signal });
    cluster = object as unknown as Cluster;
    return outcome;
  });
  await progress.step('Make its Agent', async () => {
    const { collection, object } = agentOf(cluster);
    if (await get(controlPlane, `${agentsPath}/${name}`, signal)) return 'kept';
    // No entry in the journal: it is the Cluster's, and goes with it. The fleet may be faster, and makes the same.
    return controlPlane.create(collection, object, signal).then(
      () => 'made',
      (error: unknown) => {
        if (isStatus(error, 409)) return 'kept';
        throw error;
      },
    );
  });
}
