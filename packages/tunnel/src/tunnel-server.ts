/** The server's side of the tunnel: accepts connections, authenticates agents, and opens streams to their registered targets. */

import type { Duplex } from 'node:stream';
import { AgentConnection, type AgentLogin } from './agent-connection.ts';
import { type Clock, machineClock } from './clock.ts';
import { ClusterAgents } from './cluster-agents.ts';
import { type AgentCredentials, controlSubsystem } from './control-messages.ts';
import { defaultLimits, type TunnelLimits } from './limits.ts';
import { LoginGate } from './login-gate.ts';
import type { Login } from './ssh2/logins.ts';
import { ServerConnection } from './ssh2/server-connection.ts';
import { UnreadBudget } from './unread-budget.ts';

export interface TunnelEvents {
  /** A connection has logged in, has changed, or is closed (`connection.closed`). */
  changed?(connection: AgentConnection): void;
  /** For the audit log. The cluster is undefined before the login. */
  refused?(refusal: { what: string; address: string; cluster: string | undefined }): void;
  /** For the audit log. The name is what the client claims. */
  loginFailed?(failure: { name: string; by: string; address: string }): void;
  /** AGENT-10. The error of a rejection is sent to the agent. */
  credentials?(connection: AgentConnection, credentials: AgentCredentials): Promise<void>;
}

export interface TunnelServerOptions extends TunnelEvents {
  /** ed25519, in OpenSSH's format. */
  hostKey: string;
  /** Of this program, sent to agents. */
  version: string;
  /** Whether the token or the key belongs to the cluster of that name: see `matchesSecret`. */
  authenticate(login: Login & { address: string }): boolean | Promise<boolean>;
  clock?: Clock | undefined;
  limits?: Partial<TunnelLimits> | undefined;
}

export class TunnelServer implements Disposable {
  readonly agents = new ClusterAgents();
  readonly #options: TunnelServerOptions;
  readonly #clock: Clock;
  readonly #limits: TunnelLimits;
  readonly #gate: LoginGate;
  readonly #connections = new Set<ServerConnection>();
  readonly #budgets = new Map<string, UnreadBudget>();

  constructor(options: TunnelServerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? machineClock;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#gate = new LoginGate(this.#clock, this.#limits);
  }

  /** Connections that have not logged in yet. */
  get pendingLogins(): number {
    return this.#gate.size;
  }

  /** Takes over a connection that begins with `SSH-`: from a listener, a TLS port or a WebSocket. Nothing of it may have been read. */
  accept(socket: Duplex, address: string): void {
    let agent: AgentConnection | undefined;
    let isReported = false;
    const refused = (what: string, cluster = agent?.cluster): void => {
      isReported = true;
      this.#options.refused?.({ what, address, cluster });
    };
    const login = this.#gate.enter(address, (reason) => {
      refused(reason);
      connection.close(new Error(reason));
    });
    if (typeof login === 'string') {
      socket.on('error', () => {});
      socket.destroy();
      refused(login);
      return;
    }
    const { hostKey, authenticate, loginFailed } = this.#options;
    const ssh = { hostKey, subsystem: controlSubsystem, clock: this.#clock, limits: this.#limits };
    const connection: ServerConnection = new ServerConnection(socket, ssh, {
      authenticate: (attempt) => authenticate({ ...attempt, address }),
      loginFailed: (failure) => {
        isReported = true;
        loginFailed?.({ ...failure, address });
      },
      loggedIn: (cluster, proof) => {
        if (this.agents.of(cluster).length >= this.#limits.connections) {
          login[Symbol.dispose]();
          refused('too many connections of one cluster', cluster);
          connection.close(new Error('too many connections of one cluster'));
          return undefined;
        }
        login.succeeded(cluster);
        agent = this.#agentOf(connection, { cluster, proof, address, since: this.#clock.now() });
        this.agents.add(agent);
        // The callback may close it: its token may have been revoked during the check.
        this.#options.changed?.(agent);
        return agent.closed ? undefined : this.#budgetOf(cluster);
      },
      register: (bound, port) => agent!.register(bound, port),
      unregister: (bound, port) => agent!.unregister(bound, port),
      control: (stream) => agent!.control(stream),
      refused,
      closed: (reason) => {
        // It began the protocol and left: perhaps because a man in the middle had changed the bytes.
        if (connection.hasBegun && !agent && !isReported) refused('no login');
        login[Symbol.dispose]();
        this.#connections.delete(connection);
        if (agent) this.agents.remove(agent);
        agent?.ended(reason);
        this.#dropBudgets();
      },
    });
    this.#connections.add(connection);
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection.close(new Error('the server shuts down'));
  }

  #agentOf(connection: ServerConnection, login: AgentLogin): AgentConnection {
    const { version, changed, credentials } = this.#options;
    return new AgentConnection(
      connection,
      { ...login, version },
      {
        changed: (one) => changed?.(one),
        credentials: async (one, handed) => {
          if (!credentials) throw new Error('this server does not accept credentials');
          await credentials(one, handed);
        },
      },
    );
  }

  #budgetOf(cluster: string): UnreadBudget {
    const budget = this.#budgets.get(cluster) ?? new UnreadBudget(this.#limits.unread, this.#limits.channels);
    this.#budgets.set(cluster, budget);
    return budget;
  }

  /** Budgets of clusters without a connection. Streams of closed connections hold nothing. */
  #dropBudgets(): void {
    for (const cluster of this.#budgets.keys()) if (this.agents.of(cluster).length === 0) this.#budgets.delete(cluster);
  }
}
