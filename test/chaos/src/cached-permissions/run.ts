/** One model of permissions, changed over time, and products that are asked all the while: each is judged on its own. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Product } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { Connection } from '@fleet/differential/connection.ts';
import { type Endpoint, endpointOfKubeconfig } from '@fleet/differential/endpoint.ts';
import { Random } from '@fleet/differential/random.ts';
import { Authority } from './authority.ts';
import { changeRbac, changeWebhook } from './changes.ts';
import { Decisions } from './decisions.ts';
import { Focus } from './focus.ts';
import { Judge } from './judge.ts';
import { tick, uidsOf } from './objects.ts';
import { clusters, groupsOf, type User, userNames } from './questions.ts';
import { Requests } from './requests.ts';
import type { Owners } from './rows.ts';
import { type Scene, webhookKept } from './scene.ts';
import { keepWatching } from './watches.ts';
import { ruleCount, webhookRule } from './webhook-rules.ts';

export interface RunOptions {
  readonly scene: Scene;
  /** The one that is to be right. */
  readonly product: Product;
  /** Those with a planted bug, by name. */
  readonly mutants: Readonly<Record<string, Product>>;
  readonly seed: number | string;
  readonly seconds: number;
  /** Asked once these are over: as long as not, it goes on, for three times as long at most. */
  readonly isEnough: (judges: ReadonlyMap<Product, Judge>) => boolean;
  readonly log: (what: string) => void;
}

/** How much each is asked: lists one after the other, how long between them in milliseconds, and watches at once. */
const loads = {
  product: { lists: 3, share: 0.6, rest: 120, watches: 4 },
  mutant: { lists: 2, share: 0.8, rest: 200, watches: 2 },
} as const;

export async function runCachedPermissions(options: RunOptions): Promise<ReadonlyMap<Product, Judge>> {
  const { scene, product, seed, seconds, log } = options;
  const { members } = scene.fleet;
  const random = (part: string) => new Random(`${seed}/${part}`);
  const decisions = new Decisions();
  const authorities = clusters.map((cluster) => {
    const { api } = members[cluster];
    const authority = new Authority({
      cluster,
      api,
      decisions,
      webhooks: scene.webhooks,
      keptFor: webhookKept[cluster],
    });
    const first = random(`rules/${cluster}`);
    const rules = Array.from({ length: ruleCount }, () => webhookRule(first));
    return { cluster, authority, rules };
  });
  await Promise.all(
    authorities.map(({ cluster, authority, rules }) => authority.begin(random(`rbac/${cluster}`), rules)),
  );
  const focus = new Focus(decisions, random('focus'));
  const over = new AbortController();
  const { signal } = over;
  await using connections = new AsyncDisposableStack();
  const direct = {
    'webhook-first': connections.use(new Connection(await endpointOfKubeconfig(members['webhook-first'].kubeconfig))),
    'webhook-last': connections.use(new Connection(await endpointOfKubeconfig(members['webhook-last'].kubeconfig))),
  };
  const uids = clusters.map(async (cluster) =>
    (await uidsOf(members[cluster].api)).map((uid) => [uid, cluster] as const),
  );
  const owners: Owners = new Map((await Promise.all(uids)).flat());
  const judges = new Map<Product, Judge>();
  const asking: (() => Promise<void>)[] = [];
  for (const one of [product, ...Object.values(options.mutants)]) {
    const judge = new Judge(decisions);
    judges.set(one, judge);
    const isProduct = one === product;
    const { lists, share, rest, watches } = loads[isProduct ? 'product' : 'mutant'];
    const endpoints = await endpointsOf(one);
    const of = new Map([...endpoints].map(([user, endpoint]) => [user, connections.use(new Connection(endpoint))]));
    for (let index = 0; index < lists; index++) {
      const parts = {
        of,
        judge,
        focus,
        owners,
        share,
        rest,
        random: random(`lists/${index}`),
        ...(isProduct ? { direct } : {}),
      };
      asking.push(() => new Requests(parts).run(signal));
    }
    for (let index = 0; index < watches; index++)
      asking.push(() =>
        keepWatching({ of: endpoints, judge, focus, owners, random: random(`watches/${index}`) }, signal),
      );
  }
  const started = performance.now();
  const logTimed = (what: string) => log(`${((performance.now() - started) / 1_000).toFixed(1)} s: ${what}`);
  const changing = authorities.flatMap(({ cluster, authority, rules }, index) => {
    const parts = { cluster, authority, decisions, focus, log: (what: string) => logTimed(`${cluster}: ${what}`) };
    return [
      changeRbac({ ...parts, random: random(`changes/${cluster}`) }, index * 2_000, signal),
      changeWebhook({ ...parts, random: random(`webhook/${cluster}`) }, rules, signal),
    ];
  });
  const ticking = clusters.map((cluster) => tick(members[cluster].api, signal));
  const ending = enough(seconds, () => options.isEnough(judges)).then(() => over.abort());
  const working = [...asking.map((ask) => ask()), ...changing, ...ticking, turning(focus, signal)];
  // One that fails ends all others.
  await Promise.all([...working, ending]).finally(() => over.abort());
  return judges;
}

async function endpointsOf(product: Product): Promise<ReadonlyMap<User, Endpoint>> {
  const known = new Map<User, Endpoint>();
  for (const user of userNames)
    known.set(user, await endpointOfKubeconfig(await product.userKubeconfig(user, groupsOf(user))));
  return known;
}

async function turning(focus: Focus, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(4_000, undefined, { signal }).catch(() => {});
    focus.turn();
  }
}

async function enough(seconds: number, isEnough: () => boolean): Promise<void> {
  await pause(seconds * 1_000);
  await until('enough was seen', isEnough, { timeout: 2 * seconds * 1_000 }).catch(() => {});
}
