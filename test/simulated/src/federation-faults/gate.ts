/**
 * One process of the federation as its servers see it: its requests pass until it is killed. The n-th write from when it is armed can be
 * its last one, or one whose answer is lost, or one that never arrives.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { KubeClient } from '@fleet/client/kube-client.ts';
import { ReplyBody } from '@fleet/client/reply-body.ts';
import { type BytesReply, UnreachableError, type Upstream, type UpstreamCall } from '@fleet/client/upstream.ts';
import type { Random } from '@fleet/differential/random.ts';
import type { FakeControlPlane } from '@fleet/federation/testing/fake-control-plane.ts';

export type Fault = 'killed' | 'answer lost' | 'not sent';

export interface Plan {
  fault: Fault;
  /** Which write it befalls, from 1. */
  at: number;
  /** Only writes that change something are counted: one that finds nothing to do gets no further. */
  effectiveOnly?: boolean;
}

export interface GateWrite {
  /** `control plane`, or the member's name. */
  place: string;
  method: string;
  path: string;
  body: unknown;
}

export interface GateOptions {
  /** Of delays: a few turns of the event loop before and after each request, and before each event of a watch. */
  random: Random;
  /** Before the server does it. */
  onWrite?(write: GateWrite): void;
  /** After each write that counts. */
  onWritten?(count: number): void;
  /** Called once, with its last write done or not. */
  onKilled?(): void;
}

const mostTurns = 3;

export class Gate {
  readonly #options: GateOptions;
  readonly #killed = new AbortController();
  /** Open watches end with it. */
  #watching = new AbortController();
  /** Resolves when the place can be reached again. */
  readonly #cut = new Map<string, PromiseWithResolvers<void>>();
  #plan: Plan | undefined;
  #counted = 0;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  get isKilled(): boolean {
    return this.#killed.signal.aborted;
  }

  /** Its plan has befallen it. */
  get isStruck(): boolean {
    return this.#plan !== undefined && this.#counted >= this.#plan.at;
  }

  /** Since it was armed. */
  get writes(): number {
    return this.#counted;
  }

  arm(plan: Plan | undefined): void {
    this.#plan = plan;
    this.#counted = 0;
  }

  kill(): void {
    if (this.isKilled) return;
    this.#killed.abort(new Error('this process was killed'));
    this.#options.onKilled?.();
  }

  /** All watches end, as when a server starts again: what they followed is followed anew. */
  endWatches(): void {
    this.#watching.abort(new Error('the watch ended'));
    this.#watching = new AbortController();
  }

  /** Nothing reaches the place, and nothing comes from there, until it is healed. */
  cut(place: string): void {
    if (!this.#cut.has(place)) this.#cut.set(place, Promise.withResolvers());
  }

  heal(): void {
    for (const { resolve } of this.#cut.values()) resolve();
    this.#cut.clear();
  }

  to(place: string, server: FakeControlPlane): KubeClient {
    const upstream: Upstream = {
      call: (call) => this.#call(place, server, call),
      upgrade: () => Promise.reject(new Error('nothing is upgraded')),
      [Symbol.asyncDispose]: async () => {},
    };
    return new KubeClient(upstream);
  }

  async #call(place: string, server: FakeControlPlane, call: UpstreamCall): Promise<BytesReply> {
    await this.#delay(place, call.signal);
    this.#throwIfKilled();
    if (call.method === 'GET') return this.#read(place, server, call);
    const plan = this.#plan;
    const isAside = /\/(events|leases)(\/|$)/.test(call.path);
    const isDue = plan !== undefined && !isAside && this.#counted + 1 === plan.at;
    if (plan?.fault === 'not sent' && isDue) {
      this.#counted++;
      throw new UnreachableError(false, { cause: new Error('planned') });
    }
    const before = server.objects.version;
    if (!isAside) {
      const body: unknown = call.body instanceof Buffer ? JSON.parse(call.body.toString()) : undefined;
      this.#options.onWrite?.({ place, method: call.method, path: call.path, body });
    }
    const reply = await server.client.upstream.call({ ...call, signal: this.#killed.signal });
    const isCounted = !isAside && !(plan?.effectiveOnly && server.objects.version === before);
    if (isCounted) {
      this.#counted++;
      this.#options.onWritten?.(this.#counted);
    }
    if (isDue && isCounted && plan.fault === 'killed') this.kill();
    if (isDue && isCounted && plan.fault === 'answer lost') {
      throw new UnreachableError(true, { cause: new Error('planned') });
    }
    await this.#delay(place, call.signal);
    this.#throwIfKilled();
    return reply;
  }

  async #read(place: string, server: FakeControlPlane, call: UpstreamCall): Promise<BytesReply> {
    const isWatch = /[?&]watch=true/.test(call.path);
    const signals = [call.signal, this.#killed.signal, ...(isWatch ? [this.#watching.signal] : [])];
    const reply = await server.client.upstream.call({ ...call, signal: AbortSignal.any(signals) });
    if (isWatch && reply.status === 200) return { ...reply, body: this.#delayed(place, reply.body) };
    await this.#delay(place, call.signal);
    this.#throwIfKilled();
    return reply;
  }

  #delayed(place: string, body: ReplyBody): ReplyBody {
    const reading = new AbortController();
    const end = (reason: Error): void => {
      reading.abort(reason);
      body.cancel(reason);
    };
    const delayed = new ReplyBody({ pause() {}, resume() {}, abort: end });
    const pass = async (): Promise<void> => {
      for await (const chunk of body) {
        await this.#delay(place, reading.signal);
        delayed.push(chunk);
      }
      delayed.end();
    };
    pass().catch((error: Error) => delayed.fail(error));
    return delayed;
  }

  async #delay(place: string, signal: AbortSignal): Promise<void> {
    for (let turns = this.#options.random.below(mostTurns); turns > 0; turns--) await turn();
    const cut = this.#cut.get(place);
    if (cut) await Promise.race([cut.promise, aborted(signal), aborted(this.#killed.signal)]);
  }

  #throwIfKilled(): void {
    this.#killed.signal.throwIfAborted();
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
