/** Pages and watches from the cache, with every kind registered, as from the members (CACHE-17). Needs no clusters. */

import { describe } from 'vitest';
import { cached } from './src/cached-fleet.ts';
import { pagesSuite } from './src/pages-suite.ts';
import { watchesSuite } from './src/watches-suite.ts';

// Filling the cache of three members takes most of a minute on a busy machine.
describe('with every kind registered', { timeout: 180_000 }, () => {
  pagesSuite(cached);
  watchesSuite({ variants: [cached] });
});
