/** Templates beside the objects of members that come from the cache (NAME-5, CACHE-7). Needs no clusters. */

import { afterAll, beforeAll, describe } from 'vitest';
import { cached } from './src/cached-fleet.ts';
import type { SimulatedFleet } from './src/fleet.ts';
import { startTemplates, templatesSuite } from './src/templates-suite.ts';

describe('with every kind registered', { timeout: 180_000 }, () => {
  let fleet: SimulatedFleet;
  beforeAll(async () => {
    fleet = await startTemplates({ cached: true });
  }, 180_000);
  afterAll(() => fleet?.[Symbol.asyncDispose]());

  templatesSuite(cached, () => fleet);
});
