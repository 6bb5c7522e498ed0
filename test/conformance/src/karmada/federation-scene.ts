/** A fleet with federation as Karmada's specs expect one: two members that its controllers do everything in. */

import { EmbeddedControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { everything } from './everything.ts';
import type { SpecsServer } from './kubeconfig.ts';
import { apply, startWorkloadWebhook } from './workload-webhook.ts';

const view = '/clusterspaces/karmada';
const federation = ['--federation'];
const names = ['member1', 'member2'];
/** With `everything` beside it: a member's RBAC lets nobody make roles of what it may not do itself. */
const kinds = ['--federation-kinds', '*'];

export class FederationScene implements AsyncDisposable {
  readonly controlPlane: EmbeddedControlPlane;
  readonly members: readonly Member[];
  #product: Product;
  readonly #running: AsyncDisposableStack;

  private constructor(
    running: AsyncDisposableStack,
    controlPlane: EmbeddedControlPlane,
    members: Member[],
    product: Product,
  ) {
    this.controlPlane = controlPlane;
    this.members = members;
    this.#product = product;
    this.#running = running;
  }

  static async start(): Promise<FederationScene> {
    await using starting = new AsyncDisposableStack();
    const use = async <T extends AsyncDisposable>(one: Promise<T>): Promise<T> => starting.use(await one);
    const controlPlane = await use(EmbeddedControlPlane.start());
    const members = await Promise.all(names.map((name) => use(startMember({ name, nodes: 1 }))));
    for (const member of members) await apply(member, JSON.stringify(everything));
    const product = await use(startProduct({ controlPlane, flags: federation }));
    for (const member of members) await product.join(member, member.name, ...kinds);
    await until('the clusters are ready', () => areReady(product), { every: 200 });
    await use(startWorkloadWebhook(controlPlane, members));
    return new FederationScene(starting.move(), controlPlane, members, product);
  }

  /** The control plane alone, as its admin. */
  get server(): SpecsServer {
    const { server, ca, admin } = this.#product;
    return { url: `${server}${view}`, ca, admin };
  }

  /** The same fleet, with its product restarted with a planted bug. */
  async restartWith(mutant: Mutant): Promise<void> {
    const { dataDir } = this.#product;
    await this.#product[Symbol.asyncDispose]();
    this.#product = this.#running.use(
      await startProduct({ controlPlane: this.controlPlane, dataDir, flags: federation, mutant }),
    );
    await until('the clusters are ready', () => areReady(this.#product), { every: 200 });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#running.disposeAsync();
  }
}

async function areReady(product: Product): Promise<boolean> {
  const path = 'jsonpath={.items[*].status.conditions[?(@.type=="Ready")].status}';
  const { stdout } = await product.kubectl({ at: view }, 'get', 'clusters', '-o', path);
  return stdout.split(' ').filter((status) => status === 'True').length === names.length;
}
