/** Creates one Agent for each registered cluster, restores its spec, and deletes it with the cluster (KS-5). */

import { isDeepStrictEqual } from 'node:util';
import { Informer } from '@fleet/client/informer.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import type { Logger } from 'pino';
import { type Agent, agentRefsOf, agentsPath, agentTokenRef } from '../members/agent.ts';
import type { Cluster, Secret } from '../members/cluster.ts';
import { serves } from '../members/credential.ts';
import type { MemberRegistry } from '../members/registry.ts';

export interface AgentsParts {
  members: Pick<MemberRegistry, 'events' | 'cluster' | 'allClusters'>;
  controlPlane: KubeClient;
  log: Logger;
}

export interface KeptAgents extends AsyncDisposable {
  agents: Pick<Informer<Agent>, 'get' | 'subscribe'>;
}

export function keepAgents({ members, controlPlane, log }: AgentsParts): KeptAgents {
  const onError = (error: unknown) => log.warn({ err: error }, 'an Agent could not be written');
  const queue = new WorkQueue<string>({ work: (name) => settle(name), onError });
  let isSynced = false;
  const look = (name: string) => {
    if (isSynced) queue.add(name, name);
  };
  const agents = new Informer<Agent>({ client: controlPlane, path: agentsPath, onChange: look, onError });
  const settle = async (name: string): Promise<boolean> => {
    const cluster = members.cluster(name);
    const agent = agents.get(name);
    try {
      if (cluster && !cluster.metadata.deletionTimestamp) await keep(controlPlane, cluster, agent);
      else if (agent && !cluster) await remove(controlPlane, agent);
      return true;
    } catch (error) {
      // There was another write in between, or it is being deleted already: it is compared again.
      if (isStatus(error, 404) || isStatus(error, 409)) return false;
      throw error;
    }
  };
  const seen = ({ metadata }: Cluster) => look(metadata.name);
  members.events.on('seen', seen);
  members.events.on('gone', look);
  agents.synced.then(() => {
    isSynced = true;
    for (const { metadata } of [...members.allClusters(), ...agents.values()]) look(metadata.name);
  }, onError);
  return {
    agents,
    async [Symbol.asyncDispose]() {
      members.events.off('seen', seen);
      members.events.off('gone', look);
      await agents[Symbol.asyncDispose]();
      await queue[Symbol.asyncDispose]();
    },
  };
}

async function keep(client: KubeClient, cluster: Cluster, agent: Agent | undefined): Promise<void> {
  const { name, uid = '' } = cluster.metadata;
  const owner = { apiVersion: 'cluster.karmada.io/v1alpha1', kind: 'Cluster', name, uid };
  const refs = agentRefsOf(cluster);
  if (!agent) {
    const metadata = { name, ownerReferences: [owner] };
    await client.create(agentsPath, {
      apiVersion: 'cluster.kubesphere.io/v1alpha1',
      kind: 'Agent',
      metadata,
      spec: refs,
    });
    return;
  }
  const { secretRef, tokenRef, ...others } = agent.spec ?? {};
  const isOwned = agent.metadata.ownerReferences?.some((one) => one.uid === uid);
  const kept = { ...(secretRef ? { secretRef } : {}), ...(tokenRef ? { tokenRef } : {}) };
  if (isOwned && isDeepStrictEqual(kept, refs)) return;
  const metadata = { ...agent.metadata, ownerReferences: [owner] };
  await client.replace(`${agentsPath}/${name}`, { ...agent, metadata, spec: { ...others, ...refs } });
}

/** Also deletes the Secret of its token, which is of no other use. Not every control plane garbage-collects it. */
async function remove(client: KubeClient, { metadata: { name, uid } }: Agent): Promise<void> {
  const { namespace, name: secretName } = agentTokenRef(name);
  const path = `/api/v1/namespaces/${namespace}/secrets/${encodeURIComponent(secretName)}`;
  try {
    if (serves(await client.get<Secret>(path), name)) await client.delete(path);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
  await client.delete(`${agentsPath}/${name}`, { preconditions: { uid } }).catch((error: unknown) => {
    if (!isStatus(error, 404)) throw error;
  });
}
