/** `npm run test:long`: what takes longer than a change should wait: differentials, faults and permissions over many seeds, bad input, idle and busy watches, all of conformance. */

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { agentSuites } from './agent-suites.ts';
import { cachedSuites } from './cached-suites.ts';
import { embeddedSuites } from './embedded-suites.ts';
import {
  agentsAtLength,
  conformanceSuites,
  federationMembers,
  hostileAgents,
  karmadaFederation,
  karmadaSearch,
  kubectlAtLength,
  leaks,
  ordinarySuites,
  packedProduct,
  plantedBugs,
  simulatedConformance,
  stockAgents,
} from './long-suites.ts';

interface Step {
  title: string;
  suites: string[];
  env: NodeJS.ProcessEnv;
}

/** The last one is another each time; the titles print it. */
const seeds = (process.env['LONG_SEEDS'] ?? `1,2,3,4,${Date.now() % 1_000_000}`).split(',');
const count = process.env['LONG_COUNT'] ?? '20000';
const badInput = process.env['LONG_BAD_INPUT'] ?? '100000';
const load = process.env['LONG_LOAD'] ?? '100000';

const steps: Step[] = [
  ...seeds.map((seed) => ({
    title: `differentials, seed ${seed}, ${count} requests`,
    suites: [
      'test/differential/differential.bed.ts',
      'test/suites/proxy-differential.bed.ts',
      'test/suites/vanilla-differential.bed.ts',
      'test/suites/apiserver-differential.bed.ts',
      'test/suites/apiserver-routes.bed.ts',
    ],
    env: { DIFFERENTIAL_SEED: seed, DIFFERENTIAL_COUNT: count },
  })),
  ...seeds.map((seed) => ({
    title: `differentials of the kinds of member clusters, seed ${seed}, ${count} requests`,
    suites: ['test/differential/differential.bed.ts', 'test/suites/apiserver-workloads.bed.ts'],
    env: { DIFFERENTIAL_KINDS: 'workloads', DIFFERENTIAL_SEED: seed, DIFFERENTIAL_COUNT: count },
  })),
  {
    title: 'cells of two hundred objects of each built-in kind',
    suites: ['test/suites/apiserver-kinds.bed.ts'],
    // Another seed each time; the suite prints it.
    env: { TABLES_SEED: String(Date.now()), TABLES_COUNT: '200' },
  },
  {
    title: 'ten thousand pods in pages',
    suites: ['test/suites/pages.bed.ts'],
    env: { PAGES_RESOURCE: 'pods' },
  },
  {
    title: `${badInput} requests of bad input`,
    suites: ['test/suites/bad-input.bed.ts'],
    // Another seed each time; the suite prints it.
    env: { BAD_INPUT_SEED: String(Date.now()), BAD_INPUT_COUNT: badInput },
  },
  {
    title: `${load} generated requests to the API server in the product`,
    suites: ['test/suites/apiserver-load.bed.ts'],
    // Another seed each time; the suite prints it.
    env: { APISERVER_LOAD_SEED: String(Date.now()), APISERVER_LOAD_COUNT: load },
  },
  {
    title: 'a hostile member, twenty of each request at once, ten times',
    suites: ['test/suites/hostile-member.bed.ts'],
    env: { HOSTILE_MEMBER_AT_ONCE: '20', HOSTILE_MEMBER_ROUNDS: '10' },
  },
  ...seeds.map((seed) => ({
    title: `cached answers beside live ones, seed ${seed}, ${count} requests`,
    suites: ['test/simulated/cached-differential.bed.ts'],
    env: { CACHED_SEED: seed, CACHED_COUNT: count },
  })),
  {
    title: 'twenty kills of a store under load',
    suites: ['test/suites/durability.bed.ts'],
    env: { DURABILITY_KILLS: '20' },
  },
  {
    title: 'five compactions of a store under load',
    suites: ['test/suites/durability.bed.ts'],
    env: { STORE_SIZE_HISTORY: '128', STORE_SIZE_OBJECT: '1024' },
  },
  {
    title: 'twenty seeds of faults, three minutes each',
    suites: ['test/chaos/chaos.bed.ts'],
    env: { CHAOS_SEEDS: Array.from({ length: 20 }, (_, index) => index + 1).join(','), CHAOS_SECONDS: '180' },
  },
  {
    title: 'faults of the cache, a restored backup among them',
    suites: ['test/suites/cache-faults.bed.ts'],
    // Another seed each time; the suite prints it.
    env: { CACHE_FAULTS: 'long', CACHE_FAULTS_SEED: String(Date.now() % 1_000_000) },
  },
  {
    title: 'ten minutes of permissions that come and go',
    suites: ['test/chaos/permissions.bed.ts'],
    // Another seed each time; the suite prints it.
    env: { PERMISSIONS_SEED: String(Date.now()), PERMISSIONS_SECONDS: '600' },
  },
  // The last one is another each time; the titles print it.
  ...['1', '2', String(Date.now() % 1_000_000)].map((seed) => ({
    title: `ten minutes of cached answers beside members' permissions, seed ${seed}`,
    suites: ['test/chaos/cached-permissions.bed.ts'],
    env: { CACHED_PERMISSIONS_SEED: seed, CACHED_PERMISSIONS_SECONDS: '600' },
  })),
  {
    title: 'federation with a fault at every write',
    suites: ['test/simulated/federation-faults.bed.ts'],
    // Another seed each time; the titles print it.
    env: { FEDERATION_FAULTS: 'all', FEDERATION_FAULTS_SEED: String(Date.now() % 1_000_000) },
  },
  {
    title: 'federation while members are frozen, killed and lie, and a minute at rest',
    suites: [federationMembers],
    env: { FEDERATION_REST_SECONDS: '60' },
  },
  {
    title: 'agents that are killed, frozen and cut off, and what they leave',
    suites: agentsAtLength,
    env: {},
  },
  {
    title: 'planted bugs that need products of their own',
    suites: plantedBugs,
    env: {},
  },
  {
    title: 'planted bugs of the suites that run with every change',
    suites: ['--testNamePattern=negative control', ...ordinarySuites()],
    env: {},
  },
  {
    title: 'kubectl through restarts, and scripts of it on simulated and real clusters',
    suites: kubectlAtLength,
    env: {},
  },
  {
    title: 'the product packed, installed by npm and run',
    suites: [packedProduct],
    env: {},
  },
  {
    title: 'what ten thousand requests and a thousand watches leave behind',
    suites: [leaks],
    env: {},
  },
  {
    title: 'ten minutes of silence on a watch',
    suites: ['test/suites/idle-watch.bed.ts'],
    env: { IDLE_WATCH_SECONDS: '600' },
  },
  {
    title: 'a thousand watchers, a hundred events a second, ten minutes',
    suites: ['test/suites/watch-load.bed.ts'],
    env: { WATCH_LOAD_WATCHERS: '1000', WATCH_LOAD_EVENTS: '100', WATCH_LOAD_SECONDS: '600' },
  },
  {
    title: 'a hundred watchers, a thousand events a second, ten minutes',
    suites: ['test/suites/watch-load.bed.ts'],
    env: { WATCH_LOAD_WATCHERS: '100', WATCH_LOAD_EVENTS: '1000', WATCH_LOAD_SECONDS: '600' },
  },
  {
    title: 'hostile agents at length, and bugs planted in what refuses them',
    suites: [hostileAgents],
    env: {},
  },
  {
    title: 'stock clients as agents, and agents through proxies',
    suites: [stockAgents],
    env: {},
  },
  {
    title: 'suites on the embedded control plane',
    suites: embeddedSuites,
    env: { FLEET_BED_CONTROL_PLANE: 'embedded' },
  },
  {
    title: 'suites of merged views from the cache, with every kind registered',
    suites: [...cachedSuites],
    env: { FLEET_BED_CACHED: '1' },
  },
  {
    title: 'suites through agents',
    suites: [...agentSuites],
    env: { FLEET_BED_AGENTS: '1' },
  },
  {
    title: 'conformance, written into docs/reference/conformance.md',
    suites: [...conformanceSuites],
    env: { CONFORMANCE: 'long' },
  },
  {
    title: 'conformance-simulated, written into docs/reference/conformance.md',
    suites: [simulatedConformance],
    env: { CONFORMANCE: 'long' },
  },
  {
    title: 'conformance-karmada: its specs of the search proxy, written into docs/reference/conformance.md',
    suites: [karmadaSearch],
    env: { CONFORMANCE: 'long' },
  },
  {
    title: 'conformance-karmada-federation: specs of the federation, written into docs/reference/conformance.md',
    suites: [karmadaFederation],
    env: { CONFORMANCE: 'long' },
  },
];

const help = `What takes longer than a change should wait, on real clusters.

  npm run test:long               all steps, one after the other; takes hours
  npm run test:long -- WORD…      those whose title has one of the words, such as conformance

Steps
${steps.map(({ title }) => `  ${title}`).join('\n')}

Environment
  LONG_SEEDS=LIST     seeds of the differentials (default 1,2,3,4 and a new one)
  LONG_COUNT=N        requests of each seed (default 20000)
  LONG_BAD_INPUT=N    requests of bad input (default 100000)
  LONG_LOAD=N         generated requests to the embedded API server (default 100000)
`;

/** Nothing is run if one of the words matches no title: hours later the error would come too late. */
function chosen(words: readonly string[]): Step[] {
  const has = ({ title }: Step, word: string) => title.toLowerCase().includes(word.toLowerCase());
  const unknown = words.filter((word) => !steps.some((step) => has(step, word)));
  if (unknown.length > 0) throw new Error(`no step has in its title: ${unknown.join(', ')}`);
  return words.length === 0 ? steps : steps.filter((step) => words.some((word) => has(step, word)));
}

/** How many failed. */
function run(selected: readonly Step[]): number {
  let failed = 0;
  for (const { title, suites, env } of selected) {
    console.log(`\n=== ${title}`);
    const { status } = spawnSync('vitest', ['run', '--project', 'bed', ...suites], {
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    if (status !== 0) failed++;
  }
  console.log(`\n${selected.length - failed} passed, ${failed} failed`);
  return failed;
}

try {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) console.log(help);
  else process.exitCode = run(chosen(positionals)) === 0 ? 0 : 1;
} catch (error) {
  console.error(`${(error as Error).message}\n\n${help}`);
  process.exitCode = 2;
}
