/** A TCP proxy in front of a member that can do to its connections what bad networks do. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { type Fault, Lane } from './fault-lane.ts';

/** What the proxy does now; it applies to open connections as well as new ones. */
export type FaultMode = Fault | { kind: 'refuse' } | { kind: 'reset' };

/** The address that the next connection to the target comes from; any by default. */
export type Source = () => string | undefined;

export class FaultProxy implements AsyncDisposable {
  readonly port: number;
  readonly #target: number;
  readonly #source: Source;
  readonly #pairs = new Set<Pair>();
  #server: Server | undefined;
  #mode: FaultMode = { kind: 'healed' };
  #accepted = 0;

  constructor(server: Server, target: number, source: Source = () => undefined) {
    this.#target = target;
    this.#source = source;
    this.port = (server.address() as AddressInfo).port;
    this.#adopt(server);
  }

  get mode(): FaultMode {
    return this.#mode;
  }

  /** Open connections from clients. */
  get open(): number {
    return this.#pairs.size;
  }

  /** All connections ever accepted. */
  get accepted(): number {
    return this.#accepted;
  }

  /** Everything passes again; what was held back by `drop` is delivered, as the network would. */
  heal(): Promise<void> {
    return this.set({ kind: 'healed' });
  }

  /** A black hole: connections open, and nothing passes either way. */
  drop(): Promise<void> {
    return this.set({ kind: 'drop' });
  }

  /** Nobody listens: connection refused; open connections are closed. */
  refuse(): Promise<void> {
    return this.set({ kind: 'refuse' });
  }

  /** Every byte arrives this much later, in both directions. */
  delay(milliseconds: number): Promise<void> {
    return this.set({ kind: 'delay', milliseconds });
  }

  /** RST on every connection. */
  reset(): Promise<void> {
    return this.set({ kind: 'reset' });
  }

  /** After this many more bytes of answer each connection ends, as if the server had finished. */
  truncate(bytes: number): Promise<void> {
    return this.set({ kind: 'truncate', bytes });
  }

  /** Flips a byte in every piece of answer. */
  corrupt(): Promise<void> {
    return this.set({ kind: 'corrupt' });
  }

  async set(mode: FaultMode): Promise<void> {
    this.#mode = mode;
    if (mode.kind === 'refuse') {
      const server = this.#server;
      this.#server = undefined;
      for (const pair of this.#pairs) pair.destroy();
      if (server) await new Promise((resolve) => server.close(resolve));
      return;
    }
    if (!this.#server) this.#adopt(await listen(this.port));
    for (const pair of [...this.#pairs]) pair.apply(mode);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.refuse();
  }

  #adopt(server: Server): void {
    this.#server = server;
    server.on('connection', (client) => {
      this.#accepted++;
      const pair = new Pair(client, this.#target, this.#source(), () => this.#pairs.delete(pair));
      this.#pairs.add(pair);
      if (this.#mode.kind !== 'refuse') pair.apply(this.#mode);
    });
  }
}

export async function startFaultProxy(target: number, source?: Source): Promise<FaultProxy> {
  return new FaultProxy(await listen(0), target, source);
}

async function listen(port: number): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** One client's connection and ours to the member. */
class Pair {
  readonly #client: Socket;
  readonly #member: Socket;
  readonly #lanes: readonly [question: Lane, answer: Lane];

  constructor(client: Socket, target: number, localAddress: string | undefined, onClose: () => void) {
    this.#client = client;
    const to = { port: target, host: '127.0.0.1', ...(localAddress === undefined ? {} : { localAddress }) };
    this.#member = connect({ ...to, allowHalfOpen: true, noDelay: true });
    this.#lanes = [new Lane(client, this.#member), new Lane(this.#member, client)];
    // an end that fails takes the other with it, as one broken connection would
    client.on('error', () => this.#member.resetAndDestroy());
    this.#member.on('error', () => client.resetAndDestroy());
    client.once('close', () => {
      this.destroy();
      onClose();
    });
    this.#member.once('close', () => this.#lanes[1].flushed(() => client.destroySoon()));
  }

  apply(mode: Exclude<FaultMode, { kind: 'refuse' }>): void {
    if (mode.kind === 'reset') {
      this.#client.resetAndDestroy();
      this.#member.destroy();
      return;
    }
    const [question, answer] = this.#lanes;
    answer.apply(mode);
    // truncation and corruption are of answers; the question must arrive for there to be one
    question.apply(mode.kind === 'truncate' || mode.kind === 'corrupt' ? { kind: 'healed' } : mode);
  }

  destroy(): void {
    for (const lane of this.#lanes) lane.close();
    this.#client.destroy();
    this.#member.destroy();
  }
}
