/** The agent beside a member: keeps the tunnel to the fleet open, with the token from a file, until its signal aborts (AGENT-1). */

import { type AgentObserver, type AgentOptions, type CredentialSource, runAgent } from '@fleet/tunnel/agent.ts';
import type { AgentToken } from '@fleet/tunnel/token.ts';
import { AgentMetrics } from './agent-metrics.ts';
import { ServerDial, type TransportChoice } from './dial/server-dial.ts';
import { type Transport, type TransportSettings, transportsOf } from './dial/transports.ts';
import { errorText } from './error-text.ts';
import { listenForStatus } from './status-listener.ts';

export interface AgentProgramOptions extends TransportSettings {
  transport: TransportChoice;
  token: TokenSource;
  targets: AgentOptions['targets'];
  credentials: CredentialSource;
  version: string;
  log: AgentLog;
  /** For example `127.0.0.1:9090`. */
  metricsListen?: string | undefined;
  /** For tests. */
  tunnel?: Pick<AgentOptions, 'clock' | 'limits' | 'drainTime'> | undefined;
}

/** The token may be replaced while the agent runs, by another one for the same cluster. */
export interface TokenSource {
  current(): AgentToken | undefined;
  onChange(call: () => void): Disposable;
}

export interface AgentLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

/** Runs until the signal aborts and the active streams have ended. */
export async function runAgentProgram(options: AgentProgramOptions, signal: AbortSignal): Promise<void> {
  const { log, metricsListen, server } = options;
  const metrics = new AgentMetrics();
  const links = new Links(options, metrics);
  await using status =
    metricsListen === undefined
      ? undefined
      : await listenForStatus(metricsListen, { registry: metrics.registry, isReady: () => links.areUp });
  if (status) log.info({ address: status.address }, 'metrics and health');
  log.info({ server: `${server.host}:${server.port}`, transport: options.transport }, 'agent begins');
  using _tokens = options.token.onChange(() => links.renew());
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  links.renew();
  if (!signal.aborted) await aborted;
  log.info({}, 'agent ends');
  await links.end();
}

/** Runs one tunnel per token; the older one drains as soon as the newer one has logged in. */
class Links {
  readonly #options: AgentProgramOptions;
  readonly #metrics: AgentMetrics;
  readonly #dial: ServerDial;
  #transport: Transport | undefined;
  readonly #up = new Map<string, number>();
  readonly #runs = new Set<{ ending: AbortController; done: Promise<void> }>();

  constructor(options: AgentProgramOptions, metrics: AgentMetrics) {
    this.#options = options;
    this.#metrics = metrics;
    this.#dial = new ServerDial({
      choice: options.transport,
      transports: transportsOf(options),
      opened: (connection, transport) => {
        metrics.dialled(connection);
        if (transport !== this.#transport) options.log.info({ transport }, 'connected, logging in');
        this.#transport = transport;
      },
      // The tunnel logs the error, together with those of all other transports.
      failed: (transport) => metrics.dialFailed(transport),
    });
  }

  /** Whether the fleet can open streams of both kinds. */
  get areUp(): boolean {
    return ['bulk', 'interactive'].every((kind) => (this.#up.get(kind) ?? 0) > 0);
  }

  renew(): void {
    const token = this.#options.token.current();
    if (!token) return;
    const older = [...this.#runs];
    const retire = () => {
      for (const { ending } of older) ending.abort(new Error('the token was replaced'));
    };
    const ending = new AbortController();
    const { targets, version, credentials, log, tunnel } = this.#options;
    const done = runAgent(
      {
        ...tunnel,
        dial: (signal) => this.#dial.dial(signal),
        name: token.cluster,
        secret: token.secret,
        fingerprints: token.fingerprints,
        targets,
        version,
        credentials,
        log: (level, text) => log[level]({ cluster: token.cluster }, text),
        observe: this.#observer(retire),
      },
      ending.signal,
    );
    const run = { ending, done };
    this.#runs.add(run);
    done.finally(() => this.#runs.delete(run)).catch((error: unknown) => log.warn({}, errorText(error)));
  }

  async end(): Promise<void> {
    for (const { ending } of this.#runs) ending.abort(new Error('the agent shuts down'));
    await Promise.all([...this.#runs].map(({ done }) => done));
  }

  #observer(retire: () => void): AgentObserver {
    const { observer } = this.#metrics;
    const add = (kind: string, by: number) => this.#up.set(kind, (this.#up.get(kind) ?? 0) + by);
    return {
      ...observer,
      connected: (kind) => {
        this.#dial.loggedIn();
        add(kind, 1);
        observer.connected?.(kind);
        if (kind === 'interactive') retire();
      },
      disconnected: (kind, reason) => {
        add(kind, -1);
        observer.disconnected?.(kind, reason);
      },
    };
  }
}
