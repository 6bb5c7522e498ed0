/** One connection of a logged-in agent: its targets, its version, and the streams that are dialled through it (KS-5). */

import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { ControlChannel } from './control-channel.ts';
import { type AgentCredentials, type AgentMessage, readAgentMessage, type ServerMessage } from './control-messages.ts';
import { asError, TunnelError } from './errors.ts';
import type { Proof } from './ssh2/logins.ts';
import type { ServerConnection } from './ssh2/server-connection.ts';
import { type ConnectionKind, type Target, targetOf, targetPort } from './targets.ts';

export interface AgentEvents {
  /** Its targets, kind or version changed, or it is closed. */
  changed(connection: AgentConnection): void;
  /** The error of a rejection is sent to the agent. */
  credentials(connection: AgentConnection, credentials: AgentCredentials): Promise<void>;
}

export interface AgentLogin {
  cluster: string;
  proof: Proof;
  address: string;
  since: number;
}

type CredentialsMessage = AgentMessage & { type: 'credentials' };

export class AgentConnection {
  readonly cluster: string;
  /** The agent's address as this server sees it: behind a load balancer, that of the load balancer. */
  readonly address: string;
  readonly since: number;
  /** The credential that it logged in with: if that is revoked, the connection is closed (AGENT-9). */
  readonly proof: Proof;
  readonly #ssh: ServerConnection;
  readonly #events: AgentEvents;
  readonly #version: string;
  readonly #targets = new Set<Target>();
  #control: ControlChannel<AgentMessage, ServerMessage> | undefined;
  /** The same for both connections of an agent; a stock ssh gets one for each connection. */
  instance: string = randomUUID();
  kind: ConnectionKind = 'any';
  /** Of the agent's program. Undefined for a stock ssh, or until the agent has sent it. */
  version: string | undefined;
  closed: Error | undefined;
  #isStoring = false;
  #nextCredentials: CredentialsMessage | undefined;

  constructor(
    ssh: ServerConnection,
    { cluster, proof, address, since, version }: AgentLogin & { version: string },
    events: AgentEvents,
  ) {
    this.cluster = cluster;
    this.address = address;
    this.since = since;
    this.proof = proof;
    this.#ssh = ssh;
    this.#version = version;
    this.#events = events;
  }

  get targets(): ReadonlySet<Target> {
    return this.#targets;
  }

  get streams(): number {
    return this.#ssh.streams;
  }

  get bytesIn(): number {
    return this.#ssh.bytesIn;
  }

  get bytesOut(): number {
    return this.#ssh.bytesOut;
  }

  /** When the last byte arrived. */
  get lastSeen(): number {
    return this.#ssh.lastSeen;
  }

  /** Opens a byte stream to the target, with half-close. The signal aborts only the attempt. */
  dial(target: Target, signal: AbortSignal): Promise<Duplex> {
    if (!this.#targets.has(target))
      return Promise.reject(new TunnelError('ERR_NO_AGENT', `the agent has no target ${target}`));
    return this.#ssh.open(target, targetPort, signal);
  }

  /** A stock ssh ignores it. */
  send(message: ServerMessage): void {
    this.#control?.send(message);
  }

  close(reason: string): void {
    this.#ssh.close(new Error(reason));
  }

  /** The methods below are for the server that created it. */
  register(address: string, port: number): boolean {
    const target = targetOf(address, port);
    if (!target) return false;
    this.#targets.add(target);
    this.#events.changed(this);
    return true;
  }

  unregister(address: string, port: number): void {
    const target = targetOf(address, port);
    if (target && this.#targets.delete(target)) this.#events.changed(this);
  }

  control(stream: Duplex): void {
    this.#control = new ControlChannel(
      stream,
      readAgentMessage,
      (message) => this.#received(message),
      (error) => this.#ssh.breaks(error),
    );
    this.send({ type: 'welcome', version: this.#version });
  }

  ended(reason: Error): void {
    this.closed = reason;
    this.#targets.clear();
    this.#events.changed(this);
  }

  /** Stores one at a time and queues one: an agent that sends faster than they can be stored takes no more memory. */
  async #storeCredentials(): Promise<void> {
    this.#isStoring = true;
    for (let next = this.#nextCredentials; next && !this.closed; next = this.#nextCredentials) {
      this.#nextCredentials = undefined;
      try {
        await this.#events.credentials(this, next.credentials);
        this.send({ type: 'credentials-stored', id: next.id });
      } catch (error) {
        this.#refuse(next, asError(error).message);
      }
    }
    this.#isStoring = false;
  }

  #refuse({ id }: CredentialsMessage, message: string): void {
    this.send({ type: 'credentials-refused', id, message: message.slice(0, 1000) });
  }

  #received(message: AgentMessage): void {
    switch (message.type) {
      case 'hello': {
        const { version, instance, kind } = message;
        Object.assign(this, { version, instance, kind });
        this.#events.changed(this);
        return;
      }
      case 'credentials': {
        const replaced = this.#nextCredentials;
        this.#nextCredentials = message;
        if (replaced) this.#refuse(replaced, 'newer credentials have arrived');
        else if (!this.#isStoring) this.#storeCredentials();
        return;
      }
      default:
        message satisfies never;
    }
  }
}
