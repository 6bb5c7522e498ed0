/** `npm run bench [-- NAME…]`: each case measures ours and the alternative in one run and prints ratios with spread. */

import { benchAgents } from './agents.ts';
import { benchCache } from './cache.ts';
import { benchCacheGets } from './cache-gets.ts';
import { benchCacheGrowth } from './cache-growth.ts';
import { benchEmbedded } from './embedded.ts';
import { benchFederation } from './federation.ts';
import { benchList } from './list.ts';
import { benchMembers } from './members.ts';
import { benchProxy } from './proxy.ts';
import { benchScale } from './scale.ts';
import { benchTunnel } from './tunnel.ts';
import { benchWatch } from './watch.ts';
import { benchUsers, benchWatchers } from './watchers.ts';

const cases: Record<string, () => Promise<void>> = {
  agents: benchAgents,
  cache: benchCache,
  'cache-gets': benchCacheGets,
  'cache-growth': benchCacheGrowth,
  embedded: benchEmbedded,
  federation: benchFederation,
  list: benchList,
  members: benchMembers,
  proxy: benchProxy,
  scale: benchScale,
  tunnel: benchTunnel,
  watch: benchWatch,
  watchers: benchWatchers,
  users: benchUsers,
};

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !(name in cases));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; there are: ${Object.keys(cases).join(', ')}`);
  process.exit(2);
}
for (const [name, run] of Object.entries(cases)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  console.log(`\n# ${name}`);
  await run();
}
