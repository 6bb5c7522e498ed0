/** One connection of an agent, from dialling to its end: registers the targets, and connects each stream of the server to a target. */

import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AgentOptions, TargetAddress } from './agent.ts';
import { type Clock, machineClock, sleep } from './clock.ts';
import { ControlChannel } from './control-channel.ts';
import { type AgentMessage, controlSubsystem, readServerMessage, type ServerMessage } from './control-messages.ts';
import { join } from './joined-streams.ts';
import { defaultLimits, type TunnelLimits } from './limits.ts';
import { ClientConnection, type OpenRequest } from './ssh2/client-connection.ts';
import { type StreamKind, type Target, targetOf, targetPort } from './targets.ts';
import { UnreadBudget } from './unread-budget.ts';

/** In milliseconds: how long the API server beside the agent has to accept a connection. */
const targetTimeout = 5000;
/** In milliseconds without traffic: after that, open streams count as idle. */
const quietTime = 1000;

export interface LinkOptions extends AgentOptions {
  kind: StreamKind;
  instance: string;
  received(message: ServerMessage): void;
}

export class AgentLink {
  readonly #options: LinkOptions;
  readonly #clock: Clock;
  readonly #limits: TunnelLimits;
  readonly #connection: ClientConnection;
  readonly #ended = Promise.withResolvers<Error>();
  #control: ControlChannel<ServerMessage, AgentMessage> | undefined;

  constructor(socket: Duplex, options: LinkOptions) {
    this.#options = options;
    this.#clock = options.clock ?? machineClock;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#connection = new ClientConnection(socket, {
      name: options.name,
      secret: options.secret,
      fingerprints: options.fingerprints,
      budget: new UnreadBudget(this.#limits.unread, this.#limits.channels),
      clock: this.#clock,
      limits: this.#limits,
      opening: (address, port, request) => this.#open(targetOf(address, port), request),
      closed: (reason) => this.#ended.resolve(reason),
    });
  }

  get streams(): number {
    return this.#connection.streams;
  }

  /** Why it was closed. */
  get ended(): Promise<Error> {
    return this.#ended.promise;
  }

  /** Settles when the server can open streams. */
  async begin(): Promise<void> {
    await this.#connection.ready();
    const { version, instance, kind, received } = this.#options;
    const stream = await this.#connection.subsystem(controlSubsystem);
    const fail = (error: Error) => this.#connection.close(error);
    this.#control = new ControlChannel(stream, readServerMessage, received, fail);
    // Before the targets: once these are registered, the server uses the connection and must know its kind.
    this.send({ type: 'hello', version, instance, kind });
    for (const target of this.#targets()) await this.#connection.register(target, targetPort);
  }

  send(message: AgentMessage): void {
    this.#control?.send(message);
  }

  close(reason: Error): void {
    this.#connection.close(reason);
  }

  /** Refuses new streams and waits for the active ones. An idle watch does not delay it. */
  async drain(millis: number): Promise<void> {
    const end = this.#clock.now() + millis;
    const gone = new AbortController();
    this.ended.then((reason) => gone.abort(reason));
    try {
      for (const target of this.#targets()) await this.#connection.unregister(target, targetPort);
      let [bytes, since] = [this.#connection.bytes, this.#clock.now()];
      // One of the streams is the session for control messages.
      while (this.streams > 1 && this.#clock.now() < end && this.#clock.now() - since < quietTime) {
        await sleep(this.#clock, quietTime / 10, gone.signal);
        if (this.#connection.bytes !== bytes) [bytes, since] = [this.#connection.bytes, this.#clock.now()];
      }
    } catch (error) {
      // The server has closed the connection meanwhile: there is nothing to drain.
      if (!gone.signal.aborted) throw error;
    } finally {
      this.close(new Error('the agent shuts down'));
    }
  }

  #targets(): Target[] {
    const { kubernetes, kubesphere } = this.#options.targets;
    return kubesphere ? ['kubernetes', 'kubesphere'] : kubernetes ? ['kubernetes'] : [];
  }

  #open(target: Target | undefined, request: OpenRequest): void {
    const address = target && this.#options.targets[target];
    if (!address) {
      request.refuse();
      return;
    }
    const { observe, log } = this.#options;
    const socket = dialTarget(address);
    const timer = this.#clock.timer(targetTimeout, () => socket.destroy(new Error('connect timed out')));
    const failed = (error: Error): void => {
      timer[Symbol.dispose]();
      log?.('warn', `cannot connect to ${target}: ${error.message}`);
      observe?.dialFailed?.(target);
      request.refuse();
    };
    socket.once('error', failed);
    socket.once('connect', () => {
      timer[Symbol.dispose]();
      socket.off('error', failed);
      const stream = request.accept();
      if (!stream) return void socket.destroy();
      observe?.opened?.(target);
      stream.once('close', () => observe?.closed?.(target));
      join(stream, socket);
    });
  }
}

/** Half-open: exec and port-forward end one direction before the other. */
const dialTarget = ({ host, port }: TargetAddress) =>
  connect({ host, port, noDelay: true, allowHalfOpen: true, keepAlive: true, keepAliveInitialDelay: 30_000 });
