/** Metrics of watches over many clusters. */

import { Gauge, type Registry } from 'prom-client';

export function countWatches(registry: Registry, watching: () => number): void {
  new Gauge({
    name: 'fleet_merged_watches',
    help: 'Clients that watch many clusters in one stream.',
    registers: [registry],
    collect() {
      this.set(watching());
    },
  });
}
