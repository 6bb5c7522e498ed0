/** Builds what the server needs for agents: the tunnels, the checks of their logins, and their logs and metrics. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { AgentCredentials } from '@fleet/tunnel/control-messages.ts';
import type { Registry } from 'prom-client';
import { openReplicaKey } from './agents/agent-host-key.ts';
import { type AgentObserver, AgentTunnels } from './agents/agent-tunnels.ts';
import { HandedCredentials } from './agents/handed-credentials.ts';
import { MemberIdentities } from './agents/member-identity.ts';
import { keepHostKeyPublished } from './agents/published-host-key.ts';
import { writeAgentStatus } from './controllers/agent-status.ts';
import { keepAgents } from './controllers/agents.ts';
import type { MemberRegistry } from './members/registry.ts';
import { type AgentMetrics, createAgentMetrics } from './observe/agent-metrics.ts';
import type { Audit } from './observe/audit.ts';
import type { Logger } from './observe/log.ts';
import { productVersion } from './version.ts';

export interface OpenTunnels extends Disposable {
  tunnels: AgentTunnels;
  /** Lets agents log in. Called once the Clusters, Secrets and Agents are known. */
  follow(parts: FollowedParts): Promise<AsyncDisposable>;
}

interface FollowedParts {
  members: MemberRegistry;
  controlPlane: KubeClient;
  /** False where Karmada writes the status of Clusters itself (CLU-2). */
  writesStatus: boolean;
  log: Logger;
}

export async function openTunnels(
  dataDir: string,
  registry: Registry,
  audit: Audit | undefined,
  log: Logger,
): Promise<OpenTunnels> {
  const key = await openReplicaKey(dataDir);
  const metrics = createAgentMetrics(registry, () => tunnels);
  const observe = observeAgents(audit, metrics);
  const tunnels: AgentTunnels = new AgentTunnels({ hostKey: key.privateKey, version: productVersion, observe, log });
  return {
    tunnels,
    async follow({ members, controlPlane, writesStatus }) {
      await using following = new AsyncDisposableStack();
      const { agents } = following.use(keepAgents({ members, controlPlane, log }));
      const [identities, handed] = [new MemberIdentities(members, controlPlane), new HandedCredentials(controlPlane)];
      following.use(
        tunnels.follow({
          members,
          agents,
          identify: (cluster, uid) => identities.check(cluster, uid),
          credentials: (cluster, credentials, check) => store(handed, { cluster, credentials, check }, metrics, log),
        }),
      );
      const { replica } = key;
      following.use(writeAgentStatus({ members, tunnels, agents, replica, controlPlane, writesStatus, log }));
      following.use(await keepHostKeyPublished({ key, controlPlane, log }));
      return following.move();
    },
    [Symbol.dispose]: () => tunnels[Symbol.dispose](),
  };
}

/** Counts each attempt and writes it to the audit log, where equal failures share one line. Tokens and keys are not written. */
const observeAgents = (audit: Audit | undefined, metrics: AgentMetrics): AgentObserver => ({
  loggedIn({ cluster, address, proof }) {
    metrics.loggedIn();
    audit?.onAgent({ event: 'AgentLoggedIn', cluster, address, what: proof.startsWith('key ') ? 'key' : 'token' });
  },
  failed: ({ event }) => (event === 'AgentRefused' ? metrics.refused() : metrics.loginFailed()),
  reported: (sum) => audit?.onAgent(sum),
});

async function store(
  handed: HandedCredentials,
  { cluster, credentials, check }: { cluster: string; credentials: AgentCredentials; check: () => void },
  metrics: AgentMetrics,
  log: Logger,
): Promise<void> {
  try {
    const isChanged = await handed.store(cluster, credentials, check);
    metrics.credentials(isChanged ? 'stored' : 'unchanged');
    if (isChanged) log.info({ cluster }, 'an agent handed over credentials');
  } catch (error) {
    metrics.credentials('refused');
    log.warn({ err: error, cluster }, 'credentials of an agent were refused');
    throw error;
  }
}
