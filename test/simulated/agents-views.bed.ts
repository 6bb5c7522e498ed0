/** The same views and watches as of members that are dialled directly (AGENT-5). Needs no clusters. */

import { describe } from 'vitest';
import { cached, live } from './src/cached-fleet.ts';
import { viewsSuite } from './src/views-suite.ts';
import { watchesSuite } from './src/watches-suite.ts';

// Filling the cache of three members takes most of a minute on a busy machine.
describe('members behind agents', { timeout: 180_000 }, () => {
  viewsSuite({ agents: true });
  watchesSuite({ agents: true, variants: [live, cached] });
});
