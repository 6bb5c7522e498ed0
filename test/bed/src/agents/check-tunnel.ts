/** At the end of a suite whose members are reached through agents: what they carried. If something went past them, it has shown nothing. */

import { afterAll, expect } from 'vitest';
import { faultsIn } from './carried.ts';
import { allCarried, areAgentsUsed } from './product-agents.ts';

// What is registered first runs last: the suite's products have ended.
if (areAgentsUsed) {
  afterAll(() => {
    const tally = allCarried();
    const sum = (of: 'streams' | 'bytes') => tally.agents.reduce((all, { carried }) => all + carried[of], 0);
    const megabytes = (sum('bytes') / 1e6).toFixed(1);
    console.log(
      `${expect.getState().testPath}: ${tally.agents.length} agents carried ${sum('streams')} connections to members, ${megabytes} MB`,
    );
    expect(faultsIn(tally)).toEqual([]);
  });
}
