/** What members behind agents need of the tunnel (AGENT-5, AGENT-11). */

import type { Duplex } from 'node:stream';
import type { StreamKind, Target } from '@fleet/tunnel/targets.ts';

/** A connection of an agent that is logged in. */
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
  /** Something about the agents of a cluster. */
  changed: [cluster: string];
  /** The first agent of a cluster can be used. */
  came: [cluster: string];
  /** There has been none for ten seconds. */
  absent: [cluster: string];
}

export interface AgentTunnel {
  /** The best ones first: one of each agent. */
  candidates(choice: AgentChoice): readonly AgentPath[];
  /** All connections of a cluster's agents. */
  of(cluster: string): readonly AgentPath[];
  /** Rejects with a MemberRefusedError where this is not the Cluster's member (AGENT-9). */
  identify(cluster: string, kubeSystemUid: string, agent: AgentPath): Promise<void>;
}

/** The member behind an agent is another one than its Cluster stands for. */
export class MemberRefusedError extends Error {
  readonly code = 'ERR_MEMBER_REFUSED';
  readonly reason: 'MemberRefused' | 'CredentialRefused';

  /** `CredentialRefused`: it could not be looked at. */
  constructor(message: string, reason: MemberRefusedError['reason'] = 'MemberRefused') {
    super(message);
    this.reason = reason;
  }
}
