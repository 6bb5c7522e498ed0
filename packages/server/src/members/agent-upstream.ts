/** Sends requests to a member through its agents. Each connection of an agent has its own pool (AGENT-5, AGENT-6). */

import { type Endpoint, HttpsUpstream } from '@fleet/client/https-upstream.ts';
import {
  type BytesReply,
  UnreachableError,
  type UpgradeReply,
  type Upstream,
  type UpstreamCall,
} from '@fleet/client/upstream.ts';
import { readRequestInfo } from '@fleet/kube/request-info.ts';
import type { StreamKind, Target } from '@fleet/tunnel/targets.ts';
import type { AgentPath } from './agent-tunnel.ts';
import { BusyError } from './limited.ts';
import type { VerifiedAgents } from './verified-agents.ts';

/** Connections to one target, pooled per connection of an agent. */
export class AgentPools implements AsyncDisposable {
  readonly #endpoint: Endpoint;
  readonly #target: Target;
  readonly #end: AbortSignal | undefined;
  readonly #pools = new Map<AgentPath, HttpsUpstream>();
  #isClosed = false;

  /** The endpoint is never dialled directly, nor through a proxy (AGENT-11). */
  constructor({ proxy: _, ...endpoint }: Endpoint, target: Target, end: AbortSignal | undefined) {
    this.#endpoint = endpoint;
    this.#target = target;
    this.#end = end;
  }

  of(agent: AgentPath): Upstream {
    const known = this.#pools.get(agent);
    if (known) return known;
    // As with any closed pool: a request that was not sent is sent over the member's new connections (CLU-4).
    if (this.#isClosed) throw new UnreachableError(false, { cause: new Error('these connections are closed') });
    this.#forgetClosed();
    const dial = (signal: AbortSignal) => agent.dial(this.#target, signal);
    const pool = new HttpsUpstream({ ...this.#endpoint, dial }, this.#end);
    this.#pools.set(agent, pool);
    return pool;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    this.#isClosed = true;
    await Promise.all(pools.map((pool) => pool[Symbol.asyncDispose]()));
  }

  /** The agent's connection has ended, and all streams with it: these pools have nothing open. */
  #forgetClosed(): void {
    for (const [agent, pool] of this.#pools) {
      if (!agent.closed) continue;
      this.#pools.delete(agent);
      pool[Symbol.asyncDispose]().catch(() => {});
    }
  }
}

export interface AgentUpstreamOptions {
  cluster: string;
  target: Target;
  pools: AgentPools;
  agents: VerifiedAgents;
}

export class AgentUpstream implements Upstream {
  readonly #options: AgentUpstreamOptions;

  constructor(options: AgentUpstreamOptions) {
    this.#options = options;
  }

  call(call: UpstreamCall): Promise<BytesReply> {
    return this.#send(call, kindOf(call), isRead(call), (upstream) => upstream.call(call));
  }

  /** Has a stream of its own. Never sent twice, as the member may have begun to act on it. */
  upgrade(call: UpstreamCall): Promise<UpgradeReply> {
    return this.#send(call, 'interactive', false, (upstream) => upstream.upgrade(call));
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#options.pools[Symbol.asyncDispose]();
  }

  async #send<Reply>(
    { signal, body }: UpstreamCall,
    kind: StreamKind,
    canRepeat: boolean,
    send: (upstream: Upstream) => Promise<Reply>,
  ): Promise<Reply> {
    const { cluster, target, pools, agents } = this.#options;
    const first = await agents.pick({ target, kind }, signal);
    try {
      return await send(pools.of(first));
    } catch (error) {
      const isHarmless = error instanceof UnreachableError && (!error.sent || canRepeat);
      if (!isHarmless || signal.aborted) throw error;
      if (isExhausted(error)) throw Object.assign(new BusyError(cluster), { cause: error });
      // A streamed body may have been read in part.
      if (body !== undefined && !Buffer.isBuffer(body)) throw error;
      const other = await agents.pick({ target, kind, avoid: first }, signal).catch(() => undefined);
      if (!other || other === first) throw error;
      return send(pools.of(other));
    }
  }
}

const isRead = ({ method, body }: UpstreamCall): boolean =>
  (method === 'GET' || method === 'HEAD') && body === undefined;

/** The cluster has as many channels or unread bytes as it is allowed to (AGENT-7, LIMIT-2). */
const exhausted = new Set<unknown>(['ERR_AGENT_CHANNELS', 'ECONNABORTED']);

function isExhausted(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (exhausted.has((cause as { code?: unknown }).code)) return true;
  }
  return false;
}

const bulkVerbs = new Set(['list', 'watch', 'deletecollection']);

/** Lists, watches, logs and large documents use a connection of their own, so that small requests do not wait for them. */
export function kindOf({ method, path }: Pick<UpstreamCall, 'method' | 'path'>): StreamKind {
  const [plain = '', query] = path.split('?');
  const info = readRequestInfo(method, plain.split('/').slice(1), new URLSearchParams(query));
  if (!info) return plain.startsWith('/openapi/') ? 'bulk' : 'interactive';
  return bulkVerbs.has(info.verb) || info.subresource === 'log' ? 'bulk' : 'interactive';
}
