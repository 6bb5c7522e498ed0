/** Metrics of request queues: how many requests each member has in flight, and how many wait (LIMIT-2). */

import { Gauge, type Registry } from 'prom-client';

interface Line {
  inUse: number;
  waiting: number;
}

export function countLines(registry: Registry, lines: () => Iterable<[cluster: string, line: Line]>): void {
  const gauge = (name: string, help: string, of: (line: Line) => number) =>
    new Gauge({
      name: `fleet_member_requests_${name}`,
      help,
      labelNames: ['cluster'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [cluster, line] of lines()) this.set({ cluster }, of(line));
      },
    });
  gauge('in_flight', 'Requests that a cluster has to answer, streams not counted.', ({ inUse }) => inUse);
  gauge('waiting', 'Requests that wait until a cluster has less to answer.', ({ waiting }) => waiting);
}
