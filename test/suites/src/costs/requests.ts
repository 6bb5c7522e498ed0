/** What combines the parts of one request. */

import { impersonationIn } from '@fleet/kube/impersonation-headers.ts';
import { parseTarget } from '@fleet/server/target/parse.ts';
import { listed, many, repeated, type Structured } from './structured.ts';

/** `%61` and `a` are one letter. */
const spelt = (index: number): string => many(16, (bit) => ((index >> bit) & 1 ? '%61' : 'a')).join('');

export const requests: Record<string, Structured> = {
  'Impersonate-Extra': {
    length: 16 * 1024,
    read: (text) => impersonationIn(JSON.parse(text)),
    shapes: [
      listed('one key in many spellings', 60, (n) =>
        Object.fromEntries(many(n, (i) => [`impersonate-extra-${spelt(i)}`, 'v'])),
      ),
    ],
  },
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
