/** Metrics of agents and their tunnels. The only unbounded label is existing clusters: strangers choose the names in failed logins. */

import { Counter, Gauge, type Registry } from 'prom-client';

export interface ConnectedAgents {
  readonly pendingLogins: number;
  readonly clusters: readonly string[];
  of(cluster: string): readonly { streams: number; bytesIn: number; bytesOut: number }[];
}

export interface AgentMetrics {
  loggedIn(): void;
  loginFailed(): void;
  refused(): void;
  credentials(result: 'stored' | 'unchanged' | 'refused'): void;
}

export function createAgentMetrics(registry: Registry, agents: () => ConnectedAgents): AgentMetrics {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name: `fleet_agent_${name}`, help, labelNames, registers });
  const logins = counter('logins_total', 'Connections of agents that have logged in.');
  const failures = counter('login_failures_total', 'Logins with a token or key that is not the cluster’s.');
  const refusals = counter('refusals_total', 'Connections and requests of agents that were refused.');
  const credentials = counter('credentials_total', 'Credentials that agents handed over, by what became of them.', [
    'result',
  ]);
  new Gauge({
    name: 'fleet_agent_pending_logins',
    help: 'Connections that have not logged in yet.',
    registers,
    collect() {
      this.set(agents().pendingLogins);
    },
  });
  const perCluster = (
    name: string,
    help: string,
    amountOf: (connections: ReturnType<ConnectedAgents['of']>) => number,
  ): void => {
    new Gauge({
      name: `fleet_agent_${name}`,
      help,
      labelNames: ['cluster'],
      registers,
      collect() {
        this.reset();
        const connected = agents();
        for (const cluster of connected.clusters) this.set({ cluster }, amountOf(connected.of(cluster)));
      },
    });
  };
  const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
  perCluster('connections', 'Connections of the agents of a cluster.', (all) => all.length);
  perCluster('streams', 'Streams that are open through them.', (all) => sum(all.map(({ streams }) => streams)));
  perCluster('received_bytes', 'Bytes that came through the connections that are open now.', (all) =>
    sum(all.map(({ bytesIn }) => bytesIn)),
  );
  perCluster('sent_bytes', 'Bytes that went through the connections that are open now.', (all) =>
    sum(all.map(({ bytesOut }) => bytesOut)),
  );
  return {
    loggedIn: () => logins.inc(),
    loginFailed: () => failures.inc(),
    refused: () => refusals.inc(),
    credentials: (result) => credentials.inc({ result }),
  };
}
