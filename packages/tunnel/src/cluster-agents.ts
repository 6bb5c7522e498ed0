/** Holds the agents of all clusters, and chooses the connection for each new stream. */

import type { Duplex } from 'node:stream';
import type { AgentConnection } from './agent-connection.ts';
import { TunnelError } from './errors.ts';
import type { StreamKind, Target } from './targets.ts';

export interface DialRequest {
  cluster: string;
  target: Target;
  kind: StreamKind;
  signal: AbortSignal;
  /** Prefer another agent than this one: a request that failed on it is retried (AGENT-6). */
  avoid?: AgentConnection | undefined;
}

export interface AgentStream {
  stream: Duplex;
  over: AgentConnection;
}

/** How many agents of one cluster are tried, one after the other. */
const mostAttempts = 2;

/** In milliseconds behind the connection that was seen last. Keepalives are answered every 10 s. */
const silentAfter = 15_000;

export class ClusterAgents {
  readonly #clusters = new Map<string, Set<AgentConnection>>();

  /** In the order in which they connected. */
  of(cluster: string): AgentConnection[] {
    return [...(this.#clusters.get(cluster) ?? [])];
  }

  get clusters(): string[] {
    return [...this.#clusters.keys()];
  }

  add(connection: AgentConnection): void {
    const connections = this.#clusters.get(connection.cluster) ?? new Set();
    this.#clusters.set(connection.cluster, connections.add(connection));
  }

  remove(connection: AgentConnection): void {
    const connections = this.#clusters.get(connection.cluster);
    connections?.delete(connection);
    if (connections?.size === 0) this.#clusters.delete(connection.cluster);
  }

  /** Whether a stream to the target can be opened now. */
  has(cluster: string, target: Target): boolean {
    return this.of(cluster).some(({ targets }) => targets.has(target));
  }

  /** Throws a TunnelError if there is no agent, or if none of those tried opens the stream: nothing was sent in either case. */
  async dial(request: DialRequest): Promise<AgentStream> {
    const { cluster, target, signal } = request;
    let failure: unknown = new TunnelError('ERR_NO_AGENT', `no agent of cluster ${cluster} is connected`);
    for (const over of this.candidates(request).slice(0, mostAttempts)) {
      try {
        return { stream: await over.dial(target, signal), over };
      } catch (error) {
        if (signal.aborted || !(error instanceof TunnelError)) throw error;
        failure = error;
        // The limit is the cluster's, so another connection would not help.
        if (error.code === 'ERR_AGENT_CHANNELS') break;
      }
    }
    throw failure;
  }

  /** Closes the connections immediately: the cluster is deleted, or deactivated (AGENT-9). */
  close(cluster: string, reason: string): void {
    for (const connection of this.of(cluster)) connection.close(reason);
  }

  /**
   * The requested kind first, then those with the fewest streams. One connection of each agent: the other one would fail with it. Silent
   * connections come last: until they are closed, the others are used.
   */
  candidates({ cluster, target, kind, avoid }: Omit<DialRequest, 'signal'>): AgentConnection[] {
    const usable = this.of(cluster).filter(({ targets }) => targets.has(target));
    const heard = Math.max(...usable.map(({ lastSeen }) => lastSeen));
    const rank = (one: AgentConnection): number =>
      (heard - one.lastSeen > silentAfter ? 4 : 0) +
      (one.instance === avoid?.instance ? 2 : 0) +
      (one.kind === kind || one.kind === 'any' ? 0 : 1);
    const sorted = usable.toSorted((a, b) => rank(a) - rank(b) || a.streams - b.streams);
    return sorted.filter((one, index) => sorted.findIndex(({ instance }) => instance === one.instance) === index);
  }
}
