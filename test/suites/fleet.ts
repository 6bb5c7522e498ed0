/** A fleet on the bed: a control plane, members and the product in front of them, joined. */

import { startControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import { heapFlags } from '@fleet/bed/heap.ts';
import { type Member, type MemberOptions, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';

export interface Fleet<Name extends string> extends AsyncDisposable {
  controlPlane: Member;
  members: Record<Name, Member>;
  product: Product;
  /** Another product on the same control plane and members, with a bug planted. */
  withMutant(mutant: Mutant): Promise<Product>;
}

type Options<Name extends string> = Record<Name, Omit<MemberOptions, 'name'>>;

export async function startFleet<Name extends string>(
  options: Options<Name>,
  controlPlaneOptions?: { audited: boolean },
  flags: readonly string[] = [],
): Promise<Fleet<Name>> {
  await using starting = new AsyncDisposableStack();
  const start = async (member: Promise<Member>) => starting.use(await member);
  const named = Object.entries(options) as [Name, Omit<MemberOptions, 'name'>][];
  const [controlPlane, ...started] = await Promise.all([
    start(startControlPlane(controlPlaneOptions)),
    ...named.map(([name, one]) => start(startMember({ name, ...one }))),
  ]);
  const product = starting.use(await startProduct({ controlPlane, flags, nodeFlags: heapFlags }));
  // One after the other: joins are cheap, and their output is easier to read.
  for (const member of started) await product.join(member);
  const running = starting.move();
  return {
    controlPlane,
    members: Object.fromEntries(started.map((member) => [member.name, member])) as Record<Name, Member>,
    product,
    async withMutant(mutant) {
      return running.use(
        await startProduct({ controlPlane, mutant, sharesControlPlane: true, flags, nodeFlags: heapFlags }),
      );
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

export const memberProxy = (name: string) => `/apis/cluster.karmada.io/v1alpha1/clusters/${name}/proxy`;

/** The three endpoints of one member: URL-4, URL-7 and URL-3. */
export const endpointsOf = (name: string) =>
  [memberProxy(name), `/clusters/${name}`, `/clusterspaces/${name}`] as const;
