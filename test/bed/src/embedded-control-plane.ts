/**
 * The control plane of a fleet on the bed: a member's, or with FLEET_BED_CONTROL_PLANE=embedded the one in the product. That
 * one is there as soon as a product has been started with it, and is reached through that product.
 */

import { cp, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from './api.ts';
import type { Kubectl, KubectlOptions, KubectlResult } from './kubectl.ts';
import { type Member, type MemberOptions, startMember } from './member.ts';
import type { Pair } from './pki.ts';

export const isEmbedded = process.env['FLEET_BED_CONTROL_PLANE'] === 'embedded';

const view = '/clusterspaces/karmada';

/** What it needs of the product that it is in. */
export interface Carrier {
  server: string;
  ca: string;
  admin: Pair;
  dataDir: string;
  /** Path; the admin's, for the control plane alone. */
  controlPlaneKubeconfig: string;
  controlPlaneApi: Api;
  kubectl(...args: (string | (KubectlOptions & { at?: string }))[]): Promise<KubectlResult>;
  startKubectl(options: { at: string }, ...args: string[]): Kubectl;
  userKubeconfig(user: string, groups?: readonly string[], at?: string): Promise<string>;
}

export class EmbeddedControlPlane implements Member {
  readonly name = 'control-plane';
  readonly version = 'v1.36.3';
  readonly run = 'embedded';
  readonly dir: string;
  #carrier: Carrier | undefined;

  private constructor(dir: string) {
    this.dir = dir;
  }

  static async start(): Promise<EmbeddedControlPlane> {
    return new EmbeddedControlPlane(await mkdtemp(join(tmpdir(), 'fleet-bed-embedded-')));
  }

  /** The data directory for one more product: the first has the objects, others begin with a copy of them. */
  async dataDir(given: string | undefined, other: string): Promise<string> {
    if (!this.#carrier) return given ?? join(this.dir, 'data');
    const folder = given ?? other;
    const isThere = await stat(join(folder, 'control-plane')).catch(() => undefined);
    if (isThere) return folder;
    await mkdir(folder, { recursive: true });
    for (const part of ['pki', 'control-plane']) {
      await cp(join(this.#carrier.dataDir, part), join(folder, part), { recursive: true });
    }
    return folder;
  }

  attach(carrier: Carrier): void {
    this.#carrier ??= carrier;
  }

  get kubeconfig(): string {
    return this.#product.controlPlaneKubeconfig;
  }

  get directKubeconfig(): string {
    return this.kubeconfig;
  }

  get server(): string {
    return `${this.#product.server}${view}`;
  }

  get directServer(): string {
    return this.server;
  }

  get ca(): string {
    return this.#product.ca;
  }

  get admin(): Pair {
    return this.#product.admin;
  }

  get api(): Api {
    return this.#product.controlPlaneApi;
  }

  get auditLog(): string {
    throw new Error('the embedded control plane has no audit log of its own');
  }

  get faults(): never {
    throw new Error('nothing stands between the product and its embedded control plane');
  }

  kubectl(...args: (string | KubectlOptions)[]): Promise<KubectlResult> {
    return this.#product.kubectl({ at: view }, ...args);
  }

  startKubectl(...args: string[]): Kubectl {
    return this.#product.startKubectl({ at: view }, ...args);
  }

  userKubeconfig(user: string, groups?: readonly string[]): Promise<string> {
    return this.#product.userKubeconfig(user, groups, view);
  }

  release(): void {
    throw new Error('the embedded control plane ends with its product');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }

  get #product(): Carrier {
    if (!this.#carrier) throw new Error('the embedded control plane is there once a product has been started with it');
    return this.#carrier;
  }
}

/** The options are for a control plane of its own. */
export const startControlPlane = (options: Partial<MemberOptions> = {}): Promise<Member> =>
  isEmbedded ? EmbeddedControlPlane.start() : startMember({ name: 'control-plane', nodes: 0, ...options });
