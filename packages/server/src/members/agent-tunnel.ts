/** The interface of the tunnel that members behind agents use (AGENT-5, AGENT-11). */

import type { Duplex } from 'node:stream';
import type { StreamKind, Target } from '@fleet/tunnel/targets.ts';

/** A connection of a logged-in agent. */
export interface AgentPath {
  readonly instance: string;
  readonly targets: ReadonlySet<Target>;
  readonly closed: Error | undefined;
  dial(target: Target, signal: AbortSignal): Promise<Duplex>;
  close(reason: string): void;
}

export interface AgentChoice {
  cluster: string;
  target: Target;
  kind: StreamKind;
  avoid?: AgentPath | undefined;
}

export interface AgentEvents {
  /** The agents of a cluster have changed. */
  changed: [cluster: string];
  /** The first agent of a cluster has become usable. */
  came: [cluster: string];
  /** The cluster has had no agent for ten seconds. */
  absent: [cluster: string];
}

export interface AgentTunnel {
  /** One connection per agent, best first. */
  candidates(choice: AgentChoice): readonly AgentPath[];
  /** All connections of a cluster's agents. */
  of(cluster: string): readonly AgentPath[];
  /** Rejects with a MemberRefusedError if this is not the Cluster's member (AGENT-9). */
  identify(cluster: string, kubeSystemUid: string, agent: AgentPath): Promise<void>;
}

/** The member behind an agent is not the one that its Cluster stands for. */
export class MemberRefusedError extends Error {
  readonly code = 'ERR_MEMBER_REFUSED';
  readonly reason: 'MemberRefused' | 'CredentialRefused';

  /** `CredentialRefused`: the uid could not be read. */
  constructor(message: string, reason: MemberRefusedError['reason'] = 'MemberRefused') {
    super(message);
    this.reason = reason;
  }
}
