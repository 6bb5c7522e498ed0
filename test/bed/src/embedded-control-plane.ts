/**
 * The control plane of a fleet on the bed: a member's, or with FLEET_BED_CONTROL_PLANE=embedded the one in the product. That
 * one is there as soon as a product has been started with it, and is reached through that product.
 */

import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Api } from './api.ts';
import { asAudited } from './embedded-audit.ts';
import type { Kubectl, KubectlOptions, KubectlResult } from './kubectl.ts';
import { type Member, startMember } from './member.ts';
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
  signal(signal: NodeJS.Signals): void;
  userKubeconfig(user: string, groups?: readonly string[], at?: string): Promise<string>;
}

export interface PlaceOptions {
  dataDir?: string | undefined;
  /** With the first product, by its address: both see the same objects. Otherwise it starts with a copy of them. */
  sharesControlPlane?: boolean | undefined;
}

/** How a product is started, so that it has the control plane that is meant for it. */
interface Place {
  dataDir: string;
  flags: readonly string[];
  nodeFlags: readonly string[];
  env: NodeJS.ProcessEnv;
}

export class EmbeddedControlPlane implements Member {
  readonly name = 'control-plane';
  readonly version = 'v1.36.3';
  readonly run = 'embedded';
  readonly dir: string;
  readonly #auditLog: string | undefined;
  #carrier: Carrier | undefined;
  #copying = Promise.resolve();

  private constructor(dir: string, auditLog: string | undefined) {
    this.dir = dir;
    this.#auditLog = auditLog;
  }

  static async start({ audited = false } = {}): Promise<EmbeddedControlPlane> {
    const dir = await mkdtemp(join(tmpdir(), 'fleet-bed-embedded-'));
    const auditLog = audited ? join(dir, 'audit.log') : undefined;
    if (auditLog) await writeFile(auditLog, '');
    return new EmbeddedControlPlane(dir, auditLog);
  }

  /** For one more product: the first has the objects, and has them again when it is restarted; others see `Place`. */
  async placeFor({ dataDir: given, sharesControlPlane }: PlaceOptions, other: string): Promise<Place> {
    const home = this.#carrier?.dataDir;
    const { nodeFlags, env } = this.#auditLog ? asAudited(this.#auditLog) : { nodeFlags: [], env: {} };
    if (!home) return { dataDir: given ?? join(this.dir, 'data'), flags: [], nodeFlags, env };
    const dataDir = given ?? other;
    if (dataDir === home) return { dataDir, flags: [], nodeFlags, env };
    if (sharesControlPlane) return { dataDir, flags: ['--control-plane', this.kubeconfig], nodeFlags: [], env: {} };
    // One after the other: each lets the product go on at its end.
    const copying = this.#copying.then(() => this.#copyTo(dataDir));
    this.#copying = copying.catch(() => {});
    await copying;
    return { dataDir, flags: [], nodeFlags: [], env: {} };
  }

  attach(carrier: Carrier): void {
    if (!this.#carrier || this.#carrier.dataDir === carrier.dataDir) this.#carrier = carrier;
  }

  /** Unless it has been there before. */
  async #copyTo(folder: string): Promise<void> {
    const isThere = await stat(join(folder, 'control-plane')).catch(() => undefined);
    if (isThere) return;
    await mkdir(folder, { recursive: true });
    // Held up meanwhile, so that the files are of one moment: what a power cut leaves, which a store can be opened with.
    this.#product.signal('SIGSTOP');
    try {
      for (const part of ['pki', 'control-plane']) {
        await cp(join(this.#product.dataDir, part), join(folder, part), { recursive: true });
      }
    } finally {
      this.#product.signal('SIGCONT');
    }
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
    if (!this.#auditLog) throw new Error('ask for { audited: true } where it is started');
    return this.#auditLog;
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

/** Audited: by the bed where it is embedded; a member always is. */
export const startControlPlane = (options: { audited?: boolean } = {}): Promise<Member> =>
  isEmbedded ? EmbeddedControlPlane.start(options) : startMember({ name: 'control-plane', nodes: 0 });
