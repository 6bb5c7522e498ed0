/** The server's end of the tunnel: which agents may log in, which are connected, and when their tunnels are closed. */

import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Informer } from '@fleet/client/informer.ts';
import type { AgentConnection } from '@fleet/tunnel/agent-connection.ts';
import { type Clock, machineClock } from '@fleet/tunnel/clock.ts';
import type { AgentCredentials } from '@fleet/tunnel/control-messages.ts';
import { TunnelServer } from '@fleet/tunnel/tunnel-server.ts';
import type { Logger } from 'pino';
import { type Agent, agentTokenRef } from '../members/agent.ts';
import {
  type AgentChoice,
  type AgentEvents,
  type AgentPath,
  type AgentTunnel,
  MemberRefusedError,
} from '../members/agent-tunnel.ts';
import { type Cluster, connectionTypeOf } from '../members/cluster.ts';
import type { MemberRegistry } from '../members/registry.ts';
import { keyOfRef } from '../members/secrets.ts';
import { AgentLogins } from './agent-logins.ts';
import { type AgentFailure, type FailureSum, FailureSums } from './failure-sums.ts';

/** In milliseconds. A member without an agent for this long is not ready, whatever its last probes returned (AGENT-6). */
const absentAfter = 10_000;

export interface AgentObserver {
  loggedIn?(connection: AgentConnection): void;
  /** Called with each failed login and each refusal. */
  failed?(failure: AgentFailure): void;
  /** For the audit log: equal failures are summed. */
  reported?(sum: FailureSum): void;
}

export interface AgentTunnelsOptions {
  hostKey: string;
  version: string;
  observe?: AgentObserver;
  log: Logger;
  clock?: Clock;
}

export interface AgentTunnelParts {
  members: Pick<MemberRegistry, 'events' | 'cluster' | 'allClusters' | 'secret'>;
  agents: Pick<Informer<Agent>, 'get' | 'subscribe'>;
  identify(cluster: string, uid: string): Promise<void>;
  /** `check` throws once the agent is no longer allowed to hand them over. Storing them may wait, and calls it again. */
  credentials(cluster: string, credentials: AgentCredentials, check: () => void): Promise<void>;
}

interface Presence {
  isAvailable: boolean;
  /** Runs until the agent counts as absent. */
  timer?: Disposable | undefined;
  /** The member that the Cluster stands for, once that is recorded. */
  id?: string | undefined;
}

export class AgentTunnels implements AgentTunnel, Disposable {
  readonly events = new EventEmitter<AgentEvents>();
  readonly #options: AgentTunnelsOptions;
  readonly #clock: Clock;
  readonly #server: TunnelServer;
  readonly #failures: FailureSums;
  readonly #presence = new Map<string, Presence>();
  readonly #known = new WeakSet<AgentConnection>();
  #parts: AgentTunnelParts | undefined;
  #logins: AgentLogins | undefined;

  constructor(options: AgentTunnelsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? machineClock;
    const { hostKey, version } = options;
    this.#failures = new FailureSums((sum) => this.#reported(sum), this.#clock);
    this.#server = new TunnelServer({
      hostKey,
      version,
      clock: this.#clock,
      authenticate: (login) => this.#logins?.isAllowed(login) ?? false,
      changed: (connection) => this.#changed(connection),
      refused: (refusal) => this.#failed({ event: 'AgentRefused', ...refusal }),
      loginFailed: ({ name, by, address }) =>
        this.#failed({ event: 'AgentLoginFailed', cluster: name, address, what: by }),
      credentials: async (connection, credentials) => {
        const { cluster, proof } = connection;
        const check = () => {
          if (!this.#parts || connection.closed || this.#whyClosed(cluster, proof))
            throw new Error('the agent is not allowed to connect');
        };
        check();
        await this.#parts?.credentials(cluster, credentials, check);
      },
    });
  }

  /** Takes a connection that speaks SSH, from any listener. */
  accept(socket: Duplex, address: string): void {
    this.#server.accept(socket, address);
  }

  get pendingLogins(): number {
    return this.#server.pendingLogins;
  }

  get clusters(): string[] {
    return this.#server.agents.clusters;
  }

  candidates(choice: AgentChoice): AgentConnection[] {
    const avoid = this.of(choice.cluster).find((one) => one === choice.avoid);
    return this.#server.agents.candidates({ ...choice, avoid });
  }

  of(cluster: string): AgentConnection[] {
    return this.#server.agents.of(cluster);
  }

  isAvailable(cluster: string): boolean {
    return this.#server.agents.has(cluster, 'kubernetes');
  }

  async identify(cluster: string, uid: string, agent: AgentPath): Promise<void> {
    try {
      await this.#parts?.identify(cluster, uid);
    } catch (error) {
      if (error instanceof MemberRefusedError) {
        const address = this.of(cluster).find((one) => one === agent)?.address ?? '';
        this.#options.log.warn({ cluster, address }, `a member was refused: it ${error.message}`);
        this.#failed({ event: 'AgentRefused', cluster, address, what: 'member' });
        agent.close(`the member ${error.message}`);
      }
      throw error;
    }
  }

  /** Called once the logins are known. Before that, nobody can log in. */
  follow(parts: AgentTunnelParts): Disposable {
    const { members, agents } = parts;
    this.#parts = parts;
    this.#logins = new AgentLogins({
      cluster: (name) => members.cluster(name),
      secret: (ref) => members.secret(ref),
      agent: (name) => agents.get(name),
    });
    const seen = (cluster: Cluster) => this.#seen(cluster);
    const gone = (name: string) => this.#review(name);
    const secret = (key: string) => {
      for (const name of this.clusters) if (keyOfRef(agentTokenRef(name)) === key) this.#review(name);
    };
    members.events.on('seen', seen);
    members.events.on('gone', gone);
    members.events.on('secret', secret);
    const subscription = agents.subscribe((name) => this.#review(name));
    for (const cluster of members.allClusters()) seen(cluster);
    return {
      [Symbol.dispose]: () => {
        members.events.off('seen', seen);
        members.events.off('gone', gone);
        members.events.off('secret', secret);
        subscription[Symbol.dispose]();
        for (const { timer } of this.#presence.values()) timer?.[Symbol.dispose]();
        this.#presence.clear();
        this.#parts = undefined;
        this.#logins = undefined;
      },
    };
  }

  [Symbol.dispose](): void {
    this.#server[Symbol.dispose]();
    this.#failures[Symbol.dispose]();
  }

  #failed(failure: AgentFailure): void {
    this.#options.observe?.failed?.(failure);
    this.#failures.add(failure);
  }

  #reported(sum: FailureSum): void {
    const { event, ...shown } = sum;
    this.#options.log.info(
      shown,
      event === 'AgentRefused' ? 'a request of an agent was refused' : 'an agent could not log in',
    );
    this.#options.observe?.reported?.(sum);
  }

  #seen(cluster: Cluster): void {
    const { name } = cluster.metadata;
    const { id } = cluster.spec;
    const before = this.#presence.get(name)?.id;
    // The id that was verified for the old member does not hold for the new one.
    if (before && id !== before) this.#server.agents.close(name, 'the Cluster stands for another member now');
    this.#review(name);
    if (connectionTypeOf(cluster) !== 'proxy') return;
    this.#look(name);
    this.#presence.get(name)!.id = id;
  }

  /** Closes at once the connections whose login would no longer be accepted (AGENT-9). */
  #review(name: string): void {
    for (const connection of this.of(name)) {
      const why = this.#whyClosed(name, connection.proof);
      if (why) connection.close(why);
    }
    const cluster = this.#parts?.members.cluster(name);
    if (cluster && connectionTypeOf(cluster) === 'proxy') return;
    this.#presence.get(name)?.timer?.[Symbol.dispose]();
    this.#presence.delete(name);
  }

  #whyClosed(name: string, proof: AgentConnection['proof']): string | undefined {
    if (!this.#logins) return 'the server shuts down';
    return (
      this.#logins.whyClosed(name) ??
      (this.#logins.isValid(name, proof) ? undefined : 'its token or key is no longer valid')
    );
  }

  #changed(connection: AgentConnection): void {
    const { cluster, address, closed } = connection;
    const { log, observe } = this.#options;
    if (!this.#known.has(connection)) {
      this.#known.add(connection);
      log.info({ cluster, address }, 'an agent logged in');
      observe?.loggedIn?.(connection);
      // The token may have been revoked while the login was checked.
      const why = this.#whyClosed(cluster, connection.proof);
      if (why) {
        connection.close(why);
        return;
      }
    } else if (closed) log.info({ cluster, address, reason: closed.message }, 'the connection of an agent ended');
    if (this.#parts) this.#look(cluster);
  }

  #look(name: string): void {
    const isAvailable = this.isAvailable(name);
    const known = this.#presence.get(name);
    const presence = known ?? { isAvailable: false };
    this.#presence.set(name, presence);
    const hasChanged = presence.isAvailable !== isAvailable;
    presence.isAvailable = isAvailable;
    if (isAvailable) {
      presence.timer?.[Symbol.dispose]();
      presence.timer = undefined;
      if (hasChanged) this.events.emit('came', name);
    } else if (hasChanged || !known)
      presence.timer = this.#clock.timer(absentAfter, () => {
        presence.timer = undefined;
        this.events.emit('absent', name);
      });
    this.events.emit('changed', name);
  }
}
