/** Verifies each agent of a member before it is used: the member behind it must be the Cluster's own (AGENT-9). */

import { isStatus, KubeClient, type KubeObject } from '@fleet/client/kube-client.ts';
import { UnreachableError, type Upstream } from '@fleet/client/upstream.ts';
import { TunnelError } from '@fleet/tunnel/errors.ts';
import { type AgentChoice, type AgentPath, type AgentTunnel, MemberRefusedError } from './agent-tunnel.ts';

const readDeadline = 10_000;
const refusalShown = 60_000;

export interface VerifiedAgentsOptions {
  cluster: string;
  tunnel: AgentTunnel;
  /** The member's API server through this agent, with the product's own credential. */
  over(agent: AgentPath): Upstream;
}

export class VerifiedAgents {
  readonly #options: VerifiedAgentsOptions;
  readonly #verified = new WeakSet<AgentPath>();
  readonly #pending = new WeakMap<AgentPath, Promise<void>>();
  /** Why the last agent was refused: reported for a while, as such an agent reconnects again and again. */
  #refusal: { error: MemberRefusedError; at: number } | undefined;

  constructor(options: VerifiedAgentsOptions) {
    this.#options = options;
  }

  /** Throws at once if no agent is connected (NAME-8). Waits for one that has just connected. */
  async pick(choice: Omit<AgentChoice, 'cluster'>, signal: AbortSignal): Promise<AgentPath> {
    const { cluster, tunnel } = this.#options;
    const candidates = () => tunnel.candidates({ ...choice, cluster });
    const verified = () => candidates().find((agent) => this.#verified.has(agent));
    // Also agents that are not needed now, so that they are verified when they are.
    const usable = (agent: AgentPath) => agent.targets.has('kubernetes');
    for (const agent of tunnel.of(cluster).filter(usable)) this.#begin(agent);
    // Again if the same agent has got a better connection meanwhile, which is not verified yet.
    for (;;) {
      const found = verified();
      if (found) return found;
      const waiting = candidates()
        .filter(usable)
        .map((agent) => this.#begin(agent));
      if (waiting.length === 0) throw unreachable(this.#absence());
      try {
        await untilAborted(Promise.any(waiting), signal);
      } catch (error) {
        throw signal.aborted
          ? signal.reason
          : unreachable(error instanceof AggregateError ? error.errors.at(-1) : error);
      }
    }
  }

  #begin(agent: AgentPath): Promise<void> {
    if (this.#verified.has(agent)) return Promise.resolve();
    const known = this.#pending.get(agent);
    if (known) return known;
    const verifying = this.#verify(agent).finally(() => this.#pending.delete(agent));
    this.#pending.set(agent, verifying);
    // Waiting callers get the error. There may be none.
    verifying.catch(() => {});
    return verifying;
  }

  async #verify(agent: AgentPath): Promise<void> {
    const { cluster, tunnel, over } = this.#options;
    const metadata = await readKubeSystem(over(agent));
    if (!metadata?.uid) throw new MemberRefusedError('does not name the uid of its namespace kube-system');
    try {
      await tunnel.identify(cluster, metadata.uid, agent);
    } catch (error) {
      if (error instanceof MemberRefusedError) this.#refusal = { error, at: performance.now() };
      throw error;
    }
    this.#refusal = undefined;
    this.#verified.add(agent);
  }

  #absence(): Error {
    if (this.#refusal && performance.now() - this.#refusal.at < refusalShown) return this.#refusal.error;
    return new TunnelError('ERR_NO_AGENT', `no agent of cluster ${this.#options.cluster} is connected`);
  }
}

const unreachable = (cause: unknown): UnreachableError =>
  cause instanceof UnreachableError && !cause.sent ? cause : new UnreachableError(false, { cause });

async function readKubeSystem(upstream: Upstream): Promise<KubeObject['metadata'] | undefined> {
  try {
    const path = '/api/v1/namespaces/kube-system';
    const { metadata } = await new KubeClient(upstream).get<KubeObject>(path, AbortSignal.timeout(readDeadline));
    return metadata;
  } catch (error) {
    if (!isStatus(error, 401) && !isStatus(error, 403)) throw error;
    throw new MemberRefusedError(
      `does not allow the credential to get its namespace kube-system (${error.code}), whose uid identifies it`,
      'CredentialRefused',
    );
  }
}

async function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
