/** What of federation is left in a cluster: its Works, and the bindings that name it (FED-9). */

import type { Binding } from '../api/bindings.ts';
import type { Work } from '../api/works.ts';
import { executionSpaceOf } from '../work/work-name.ts';

export interface LeftInCluster {
  works: Work[];
  bindings: Binding[];
}

export function leftInCluster(cluster: string, works: Iterable<Work>, bindings: Iterable<Binding>): LeftInCluster {
  const space = executionSpaceOf(cluster);
  return {
    works: [...works].filter(({ metadata }) => metadata.namespace === space),
    bindings: [...bindings].filter(({ spec }) => spec.clusters?.some(({ name }) => name === cluster)),
  };
}
