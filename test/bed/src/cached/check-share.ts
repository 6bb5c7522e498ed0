/** At the end of a suite with every kind registered: how much came from the cache. If nothing did, it has shown nothing. */

import { afterAll, expect } from 'vitest';
import { allAnswers } from './answers.ts';
import { isCached } from './everything.ts';

// What is registered first runs last: the suite's products have ended.
if (isCached) {
  afterAll(() => {
    const { cached, live } = allAnswers();
    const share = cached + live === 0 ? 0 : Math.round((100 * cached) / (cached + live));
    console.log(
      `${expect.getState().testPath}: ${cached} of ${cached + live} answers of members from the cache (${share} %)`,
    );
    expect(cached).toBeGreaterThan(0);
  });
}
