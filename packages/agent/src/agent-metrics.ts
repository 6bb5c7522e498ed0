/** The metrics of an agent, in Prometheus format. */

import type { AgentObserver } from '@fleet/tunnel/agent.ts';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ServerConnection, Transport } from './dial/transports.ts';

export class AgentMetrics {
  readonly registry = new Registry();
  readonly #connections = this.#gauge(
    'fleet_agent_connections',
    'Connections to the fleet that have logged in.',
    'kind',
  );
  readonly #disconnects = this.#counter('fleet_agent_disconnects_total', 'Connections that were lost.', 'kind');
  readonly #dialFailures = this.#counter(
    'fleet_agent_dial_failures_total',
    'Connections to the fleet that could not be made.',
    'transport',
  );
  readonly #streams = this.#gauge('fleet_agent_streams', 'Open streams through the tunnel.', 'target');
  readonly #streamsTotal = this.#counter('fleet_agent_streams_total', 'Streams that were opened.', 'target');
  readonly #targetFailures = this.#counter(
    'fleet_agent_target_dial_failures_total',
    'Streams that were refused, since their target could not be connected.',
    'target',
  );
  readonly #bytes = new Counter({
    name: 'fleet_agent_bytes_total',
    help: 'Bytes on connections to the fleet.',
    labelNames: ['direction'],
    registers: [this.registry],
    collect: () => {
      for (const socket of this.#sockets.keys()) this.#count(socket);
    },
  });
  /** How many bytes of each socket have been counted already. */
  readonly #sockets = new Map<ServerConnection['socket'], { read: number; written: number }>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    // Exported as 0 from the start: a rate needs two values.
    for (const kind of ['bulk', 'interactive']) this.#connections.set({ kind }, 0);
    for (const transport of ['ssh', 'websocket']) this.#dialFailures.inc({ transport }, 0);
    this.#streams.set({ target: 'kubernetes' }, 0);
    this.#targetFailures.inc({ target: 'kubernetes' }, 0);
  }

  readonly observer: AgentObserver = {
    connected: (kind) => this.#connections.inc({ kind }),
    disconnected: (kind) => {
      this.#connections.dec({ kind });
      this.#disconnects.inc({ kind });
    },
    opened: (target) => {
      this.#streams.inc({ target });
      this.#streamsTotal.inc({ target });
    },
    closed: (target) => this.#streams.dec({ target }),
    dialFailed: (target) => this.#targetFailures.inc({ target }),
  };

  dialFailed(transport: Transport): void {
    this.#dialFailures.inc({ transport });
  }

  /** Counts its bytes on each scrape, and a last time when it closes. */
  dialled({ socket }: ServerConnection): void {
    this.#sockets.set(socket, { read: 0, written: 0 });
    socket.once('close', () => {
      this.#count(socket);
      this.#sockets.delete(socket);
    });
  }

  #count(socket: ServerConnection['socket']): void {
    const { read = 0, written = 0 } = this.#sockets.get(socket) ?? {};
    const { bytesRead = 0, bytesWritten = 0 } = socket;
    this.#sockets.set(socket, { read: bytesRead, written: bytesWritten });
    this.#bytes.inc({ direction: 'in' }, bytesRead - read);
    this.#bytes.inc({ direction: 'out' }, bytesWritten - written);
  }

  #gauge(name: string, help: string, label: string): Gauge {
    return new Gauge({ name, help, labelNames: [label], registers: [this.registry] });
  }

  #counter(name: string, help: string, label: string): Counter {
    return new Counter({ name, help, labelNames: [label], registers: [this.registry] });
  }
}
