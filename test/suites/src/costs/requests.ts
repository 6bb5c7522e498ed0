/** What combines the parts of one request. */

import { parseTarget } from '@fleet/server/target/parse.ts';
import { many, repeated, type Structured } from './structured.ts';

export const requests: Record<string, Structured> = {
  'clusters of a label selector': {
    length: 16 * 1024,
    read: (text) => parseTarget('GET', `/api/v1/pods?labelSelector=${encodeURIComponent(text)}`),
    shapes: [
      {
        name: 'many, then one again and again',
        make: (length) => `clusterspace in (${'a,'.repeat(length / 4)}a)${',clusterspace=a'.repeat(length / 30)}`,
      },
      {
        name: 'different ones, then one again and again',
        make: (length) =>
          `clusterspace in (${many(length / 12, (i) => `m${i}`).join()})${',clusterspace=m1'.repeat(length / 32)}`,
      },
      { name: 'one in many sets', make: repeated('clusterspace in (a)', ',clusterspace in (a)', '') },
      {
        name: 'suffixes behind space',
        make: (length) => `${' '.repeat(length / 2)}a in (${'x.clusterspace.m,'.repeat(length / 34)}x.clusterspace.m)`,
      },
    ],
  },
};
