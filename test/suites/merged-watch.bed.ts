/** One watch over all clusters, on real members (WATCH-1 to WATCH-10): as Kubernetes' own tests ask, raw, and by kubectl; faults come last. */

import { afterAll, beforeAll, describe } from 'vitest';
import { type Fleet, startFleet } from './fleet.ts';
import { watchesByKubectl } from './merged-watch/by-kubectl.ts';
import { watchesOverHttp } from './merged-watch/over-http.ts';
import { upstreamWatchers } from './merged-watch/upstream-watchers.ts';
import { workedExample } from './merged-watch/worked-example.ts';

let fleet: Fleet<'member1' | 'member2'>;

beforeAll(async () => {
  fleet = await startFleet({
    member1: { version: 'newest', nodes: 0, faults: true },
    member2: { version: 'older', nodes: 0, faults: true },
  });
});

afterAll(() => fleet?.[Symbol.asyncDispose]());

describe('as Kubernetes tests it', () => upstreamWatchers(() => fleet));
describe('as in its documentation', () => workedExample(() => fleet));
describe('over HTTP', () => watchesOverHttp(() => fleet));
describe('by kubectl', () => watchesByKubectl(() => fleet));
