/** A control plane, a member that has not joined, and what a join leaves in both. */

import { startControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';

export class Joining implements AsyncDisposable {
  readonly controlPlane: Member;
  readonly member: Member;
  readonly product: Product;

  private constructor(controlPlane: Member, member: Member, product: Product) {
    this.controlPlane = controlPlane;
    this.member = member;
    this.product = product;
  }

  static async start(): Promise<Joining> {
    await using starting = new AsyncDisposableStack();
    const [controlPlane, member] = await Promise.all([
      startControlPlane().then((one) => starting.use(one)),
      startMember({ name: 'member1', nodes: 0, version: 'older' }).then((one) => starting.use(one)),
    ]);
    const product = await startProduct({ controlPlane });
    starting.move();
    return new Joining(controlPlane, member, product);
  }

  joinAs(name: string, ...flags: string[]) {
    return this.product.fleet('join', name, '--kubeconfig', this.member.kubeconfig, ...flags);
  }

  /** All that a join could touch on both sides. */
  async bothSides(): Promise<Record<'member' | 'controlPlane', string[]>> {
    const names = async (of: Member) => Object.keys(await objects(of)).sort();
    return { member: await names(this.member), controlPlane: await names(this.controlPlane) };
  }

  async clusters(): Promise<string> {
    return (await this.product.fleet('get', 'clusters', '-o', 'name')).stdout.trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.product[Symbol.asyncDispose]();
    await Promise.all([this.controlPlane, this.member].map((one) => one[Symbol.asyncDispose]()));
  }
}

/** Names and versions of everything that a join could touch. */
export async function objects(of: Member): Promise<Record<string, string>> {
  const kinds = 'namespaces,serviceaccounts,secrets,clusterroles,clusterrolebindings,roles,rolebindings';
  const { stdout } = await of.kubectl('get', kinds, '-A', '-o', 'json');
  const { items } = JSON.parse(stdout) as {
    items: { kind: string; metadata: { namespace?: string; name: string; resourceVersion: string } }[];
  };
  return Object.fromEntries(
    items.map(({ kind, metadata: { namespace = '', name, resourceVersion } }) => [
      `${kind} ${namespace}/${name}`,
      resourceVersion,
    ]),
  );
}
