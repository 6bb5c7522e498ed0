/** A fleet as Karmada's specs expect one: its members look as if kind had made them. */

import { EmbeddedControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import { until } from '@fleet/bed/until.ts';
import { CopiedNamespaces } from './copied-namespaces.ts';
import { everything } from './everything.ts';

export type ControlPlaneKind = 'kube-apiserver' | 'embedded';

const kubeSystem = 'kube-system';
const template = (app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: app, image: `${app}:1` }] },
});
const workload = (kind: string, name: string) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace: kubeSystem },
  spec: { selector: { matchLabels: { app: name } }, template: template(name) },
});

async function furnish(member: Member): Promise<void> {
  const node = `${member.name}-control-plane`;
  const etcd = { ...template('etcd'), apiVersion: 'v1', kind: 'Pod' };
  const items = [
    { apiVersion: 'v1', kind: 'Node', metadata: { name: node, labels: { 'kubernetes.io/hostname': node } } },
    workload('Deployment', 'coredns'),
    workload('DaemonSet', 'kube-proxy'),
    {
      ...etcd,
      metadata: { name: `etcd-${node}`, namespace: kubeSystem },
      spec: { ...etcd.spec, nodeName: node },
    },
    everything,
  ];
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { code, stderr } = await member.kubectl('apply', '-f', '-', { stdin });
  if (code !== 0) throw new Error(`${member.name}: ${stderr}`);
}

export class KarmadaScene implements AsyncDisposable {
  readonly controlPlane: Member;
  readonly members: readonly Member[];
  readonly product: Product;
  readonly namespaces: CopiedNamespaces;
  readonly #running: AsyncDisposableStack;

  private constructor(running: AsyncDisposableStack, controlPlane: Member, members: Member[], product: Product) {
    this.controlPlane = controlPlane;
    this.members = members;
    this.product = product;
    this.namespaces = new CopiedNamespaces(controlPlane, members);
    this.#running = running;
  }

  static async start(kind: ControlPlaneKind): Promise<KarmadaScene> {
    await using starting = new AsyncDisposableStack();
    const use = async (member: Promise<Member>) => starting.use(await member);
    const names = ['member1', 'member2'];
    const [controlPlane, ...members] = await Promise.all([
      use(kind === 'embedded' ? EmbeddedControlPlane.start() : startMember({ name: 'control-plane', nodes: 0 })),
      // One node of kwok's own; the one that the specs know comes with the rest.
      ...names.map((name) => use(startMember({ name, nodes: 1 }))),
    ]);
    await Promise.all(members.map(furnish));
    const product = starting.use(await startProduct({ controlPlane }));
    for (const member of members) await product.join(member, member.name, '--cache-kinds', '*');
    await until('the clusters are ready', () => areReady(product, names.length), { every: 200 });
    return new KarmadaScene(starting.move(), controlPlane, members, product);
  }

  /** Another product on the same control plane and members, with a bug planted. */
  async withMutant(mutant: Mutant): Promise<Product> {
    const { controlPlane } = this;
    return this.#running.use(await startProduct({ controlPlane, mutant, sharesControlPlane: true }));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#running.disposeAsync();
  }
}

async function areReady(product: Product, count: number): Promise<boolean> {
  const path = 'jsonpath={.items[*].status.conditions[?(@.type=="Ready")].status}';
  const { stdout } = await product.kubectl({ at: '/clusterspaces/karmada' }, 'get', 'clusters', '-o', path);
  return stdout.split(' ').filter((status) => status === 'True').length === count;
}
