/** A fleet whose members come and go, and whose product can be started again at the same address. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tallyAnswers } from '@fleet/bed/cached/cached-product.ts';
import { isCached } from '@fleet/bed/cached/everything.ts';
import { startControlPlane } from '@fleet/bed/embedded-control-plane.ts';
import { type Member, startMember } from '@fleet/bed/member.ts';
import type { Mutant } from '@fleet/bed/mutant.ts';
import { freePort } from '@fleet/bed/ports.ts';
import { type Product, startProduct } from '@fleet/bed/product.ts';
import type { Held } from './informers.ts';

const widgetDefinition = new URL('../../bed/manifests/widgets-crd.yaml', import.meta.url);

export const configMaps = '/api/v1/configmaps';
export const widgets = '/apis/example.fleet/v1/widgets';
const clusterPath = ({ name }: Member) => `/apis/cluster.karmada.io/v1alpha1/clusters/${name}`;
const active = 'cluster.kubesphere.io/active';

export class ChaosFleet implements AsyncDisposable {
  readonly controlPlane: Member;
  readonly members: readonly Member[];
  /** In the view by the control plane's word. */
  readonly inView = new Set<string>();
  readonly #running: AsyncDisposableStack;
  readonly #dataDir: string;
  readonly #listen: string;
  #product: Product;
  #mutant: Mutant | undefined;

  private constructor(parts: {
    controlPlane: Member;
    members: readonly Member[];
    running: AsyncDisposableStack;
    dataDir: string;
    product: Product;
  }) {
    this.controlPlane = parts.controlPlane;
    this.members = parts.members;
    this.#running = parts.running;
    this.#dataDir = parts.dataDir;
    this.#listen = new URL(parts.product.server).host;
    this.#product = parts.product;
  }

  static async start(names: readonly string[]): Promise<ChaosFleet> {
    await using starting = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), 'fleet-chaos-'));
    starting.defer(() => rm(dataDir, { recursive: true }));
    const [controlPlane, ...members] = await Promise.all([
      startControlPlane().then((one) => starting.use(one)),
      // one of them does not know all that the others do
      ...names.map(async (name, index) => {
        const version = index === 1 ? 'older' : 'newest';
        const member = starting.use(await startMember({ name, version, nodes: 0, faults: true }));
        await defineWidgets(member);
        return member;
      }),
    ]);
    const product = await startProduct({ controlPlane, dataDir, listen: `127.0.0.1:${await freePort()}` });
    const fleet = new ChaosFleet({ controlPlane, members, running: starting.move(), dataDir, product });
    for (const member of members) await fleet.join(member);
    return fleet;
  }

  get product(): Product {
    return this.#product;
  }

  async join(member: Member): Promise<void> {
    await this.#product.join(member);
    this.inView.add(member.name);
  }

  async remove(member: Member): Promise<void> {
    this.inView.delete(member.name);
    const { code, stderr } = await this.#product.fleet('unjoin', member.name, '--force');
    if (code !== 0) throw new Error(`fleet unjoin ${member.name}: ${stderr}`);
  }

  async setActive(member: Member, isActive: boolean): Promise<void> {
    const patch = { metadata: { annotations: { [active]: isActive ? null : 'false' } } };
    const contentType = 'application/merge-patch+json';
    await this.controlPlane.api.object(clusterPath(member), { method: 'PATCH', body: patch, contentType });
    this.inView[isActive ? 'add' : 'delete'](member.name);
  }

  /** Whatever an earlier run left. */
  async heal(): Promise<void> {
    for (const member of this.members) {
      member.faults.thaw();
      await member.faults.proxy.heal();
      if (this.inView.has(member.name)) continue;
      const isKnown = (await this.controlPlane.api.ask(clusterPath(member))).code === 200;
      await (isKnown ? this.setActive(member, true) : this.join(member));
    }
  }

  /** From now on the product has this bug; none without one. */
  async plant(mutant?: Mutant): Promise<void> {
    this.#mutant = mutant;
    await this.restart('SIGKILL');
  }

  /** Ended, and started again where clients look for it. */
  async restart(how: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (isCached) await tallyAnswers(this.#product);
    this.#product.signal(how);
    await this.#product.ended;
    await this.#product[Symbol.asyncDispose]();
    this.#product = await startProduct({
      controlPlane: this.controlPlane,
      dataDir: this.#dataDir,
      listen: this.#listen,
      // A member may be unreachable.
      allowsUnfilled: true,
      ...(this.#mutant && { mutant: this.#mutant }),
    });
  }

  /** Lists over many clusters that this product has answered, with whatever code. */
  async listsAsked(): Promise<number> {
    const { body } = await this.#product.api.ask('/metrics');
    const lines = body.matchAll(/^fleet_requests_total\{verb="list",place="many",code="\d+"\} (\d+)$/gm);
    return lines.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** The objects of the members in the view, named as the view names them; of one member, by their own names. */
  async truth(path: string, only?: Member): Promise<Held[]> {
    if (only) return listed(only, path);
    const shown = this.members.filter(({ name }) => this.inView.has(name));
    const lists = await Promise.all(shown.map((member) => listed(member, path, `.clusterspace.${member.name}`)));
    return lists.flat();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#product[Symbol.asyncDispose]();
    await this.#running.disposeAsync();
  }
}

async function listed({ api }: Member, path: string, suffix = ''): Promise<Held[]> {
  const { items } = await api.object<{ items: { metadata: Held }[] }>(path);
  return items.map(({ metadata: { uid, resourceVersion, name } }) => ({
    uid,
    resourceVersion,
    name: name + suffix,
  }));
}

async function defineWidgets(member: Member): Promise<void> {
  const stdin = await readFile(widgetDefinition, 'utf8');
  const { code, stderr } = await member.kubectl('apply', '-f', '-', { stdin });
  if (code !== 0) throw new Error(stderr);
  await member.kubectl('wait', '--for=condition=Established', 'crd/widgets.example.fleet', '--timeout=30s');
}
