/** Three members behind proxies, everything that is written to them registered, and a product with little memory for its cache. */

import { basicControllers } from '@fleet/bed/control-plane.ts';
import { startControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import { heapFlags } from '@fleet/bed/heap.ts';
import { type Member, type MemberOptions, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { Random } from '@fleet/differential/random.ts';
import { Churn } from './churn.ts';
import { Client } from './client.ts';
import { Journal } from './journal.ts';
import { cacheKinds, changingKinds, everywhere, kinds, selectorsOf, steadyKinds } from './kinds.ts';
import { Observers } from './observers.ts';
import { Registries } from './registry.ts';
import { Writer } from './writer.ts';

/** In MiB: two segments, of which what is written all the while takes a small part. */
const cacheMemory = 40;

export type MemberName = 'member1' | 'member2' | 'member3';

/** Without a watch cache its API server asks etcd, which has forgotten what was compacted: a watch from before is 410. */
const uncached = `--watch-cache-sizes=${kinds.map(({ plural }) => `${plural}#0`).join()}`;

const bare = { nodes: 0, faults: true, controllers: [...basicControllers, 'serviceaccount-token-controller'] } as const;
const memberOptions: Record<MemberName, Omit<MemberOptions, 'name'>> = {
  member1: { ...bare, version: 'newest', extraApiserverFlags: [uncached] },
  member2: { ...bare, version: 'older' },
  member3: { ...bare, version: 'newest' },
};

export const steady = { resourceSelectors: selectorsOf(...steadyKinds) };
export const changing = { resourceSelectors: selectorsOf(...changingKinds) };

export class FaultyFleet implements AsyncDisposable {
  readonly controlPlane: Member;
  readonly members: Readonly<Record<MemberName, Member>>;
  readonly product: Product;
  readonly registries: Registries;
  readonly journal = new Journal();
  readonly writers: ReadonlyMap<string, Writer>;
  readonly churn: Churn;
  private readonly running: AsyncDisposableStack;

  private constructor(parts: {
    controlPlane: Member;
    members: readonly Member[];
    product: Product;
    seed: string;
    running: AsyncDisposableStack;
  }) {
    const { controlPlane, members, product, seed, running } = parts;
    this.controlPlane = controlPlane;
    this.members = Object.fromEntries(members.map((one) => [one.name, one])) as Record<MemberName, Member>;
    this.product = product;
    this.running = running;
    this.registries = new Registries(controlPlane.api);
    const writer = (member: Member) => new Writer(member, this.journal, new Random(`${seed} ${member.name}`));
    this.writers = new Map(members.map((member) => [member.name, writer(member)]));
    this.churn = new Churn(this.writers);
  }

  /** Filled and synced; nothing is written yet. */
  static async start(seed: string): Promise<FaultyFleet> {
    await using starting = new AsyncDisposableStack();
    const names = Object.keys(memberOptions) as MemberName[];
    const [controlPlane, ...members] = await Promise.all([
      startControlPlane().then((one) => starting.use(one)),
      ...names.map((name) => startMember({ name, ...memberOptions[name] }).then((one) => starting.use(one))),
    ]);
    const flags = ['--cache-memory', String(cacheMemory)];
    const product = starting.use(await startProduct({ controlPlane, flags, nodeFlags: heapFlags }));
    for (const member of members) await product.join(member, member.name, '--cache-kinds', cacheKinds);
    const fleet = new FaultyFleet({ controlPlane, members, product, seed, running: starting.move() });
    await fleet.churn.rest();
    await Promise.all([...fleet.writers.values()].map((writer) => writer.begin()));
    await fleet.registries.put('steady', steady);
    await fleet.registries.put('changing', changing);
    await fleet.synced();
    await isCached(product);
    return fleet;
  }

  get all(): readonly Member[] {
    return Object.values(this.members);
  }

  observe(product = this.product): Observers {
    return new Observers({ product, members: this.all, journal: this.journal });
  }

  /** All that is registered is filled, by its status (CACHE-2). */
  async synced(): Promise<void> {
    for (const name of ['steady', 'changing']) await this.registries.become(name, 'AllSynced');
  }

  /** Another product on the same control plane and members, with a bug planted; filled when this returns. */
  async withMutant(mutant: Mutant, isFilled = true): Promise<Product> {
    const { controlPlane } = this;
    const flags = ['--cache-memory', String(cacheMemory)];
    const options = { controlPlane, mutant, flags, sharesControlPlane: true, nodeFlags: heapFlags };
    const product = this.running.use(await startProduct(options));
    if (isFilled) await isCached(product);
    return product;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.churn[Symbol.asyncDispose]();
    await this.running.disposeAsync();
  }
}

/** Each kind of each member is answered from memory. */
export async function isCached(product: Product): Promise<void> {
  using client = new Client(product);
  const counted = async () => {
    const { body } = await client.get('/metrics', 'text/plain');
    const lines = body.match(/^fleet_cache_answers_total\{.*by="cached".*$/gm) ?? [];
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  const isSo = async () => {
    const before = await counted();
    for (const kind of kinds) await client.get(everywhere(kind));
    return (await counted()) >= before + kinds.length * Object.keys(memberOptions).length;
  };
  await until('lists come from the cache', isSo, { every: 200 });
}
