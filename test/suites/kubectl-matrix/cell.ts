/** One cell of the matrix: a way to name objects, and a version of kubectl, with objects of its own in the first member. */

import type { VersionName } from '@fleet/bed/binaries.ts';
import type { Kubectl, KubectlResult } from '@fleet/bed/kubectl.ts';
import type { Member } from '@fleet/bed/member.ts';
import type { Product, ProductKubectlOptions } from '@fleet/bed/product.ts';
import { memberProxy } from '../fleet.ts';

export const views = ['name', 'namespace', 'plain', 'any'] as const;
export type View = (typeof views)[number];

export const versions = ['newest', 'older'] as const satisfies VersionName[];

/** The member that all is done in; in the others there are objects of the same names, where a view can distinguish them. */
export const home = 'm1';

/** The home member's node that is nobody's own. */
export const spareNode = `${home}-node-${views.length * versions.length + 1}`;

interface Metadata {
  name: string;
  namespace?: string;
  uid: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: { name: string }[];
  managedFields?: unknown;
}

export interface KubeObject {
  metadata: Metadata;
  // biome-ignore lint/suspicious/noExplicitAny: rows look into objects of every kind
  [key: string]: any;
}

export class Cell {
  readonly view: View;
  readonly version: VersionName;
  /** Part of all its objects' names. */
  readonly id: string;
  /** The node of the home member that is its own. */
  readonly node: string;
  readonly #product: Product;
  readonly #home: Member;

  constructor(view: View, version: (typeof versions)[number], product: Product, member: Member) {
    this.view = view;
    this.version = version;
    this.id = `${view}-${version}`;
    this.node = `${home}-node-${1 + views.indexOf(view) + views.length * versions.indexOf(version)}`;
    this.#product = product;
    this.#home = member;
  }

  /** The same objects through another product. */
  through(product: Product): Cell {
    return new Cell(this.view, this.version as (typeof versions)[number], product, this.#home);
  }

  /** What the member calls it. */
  own(base: string): string {
    return base === 'node' ? this.node : `${base}-${this.id}`;
  }

  /** What is typed. */
  typed(base: string): string {
    return this.view === 'name' ? `${this.own(base)}.clusterspace.${home}` : this.own(base);
  }

  #options(options: ProductKubectlOptions): ProductKubectlOptions {
    return { version: this.version, ...(this.view === 'any' ? { at: memberProxy('*') } : {}), ...options };
  }

  get #flags(): string[] {
    return this.view === 'namespace' ? ['-n', `default.clusterspace.${home}`] : [];
  }

  kubectl(args: readonly string[], options: ProductKubectlOptions = {}): Promise<KubectlResult> {
    return this.#product.kubectl(...this.#flags, ...args, this.#options(options));
  }

  start(...args: string[]): Kubectl {
    return this.#product.startKubectl(this.#options({}), ...this.#flags, ...args);
  }

  /** What it prints; fails unless it succeeds. */
  async ok(command: string, options: ProductKubectlOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.kubectl(this.words(command), options);
    if (code !== 0) throw new Error(`${this.id}: ${command}: exit code ${code}: ${stderr}`);
    return stdout;
  }

  /** A command of the table with its names filled in. */
  words(command: string): string[] {
    return command.split(' ').map((word) => this.filled(word));
  }

  filled(text: string): string {
    const namespace = this.view === 'namespace' ? `default.clusterspace.${home}` : 'default';
    const placed = text.replaceAll('{id}', this.id).replaceAll('{namespace}', namespace);
    return placed.replaceAll(/\{([a-z]+)\}/g, (_, base: string) => this.typed(base));
  }

  /** An object as the member itself has it: `apps/v1/deployments`, `v1/pods`; in `default`, unless it is of the cluster. */
  object(kind: string, base: string): Promise<KubeObject> {
    return this.objectNamed(kind, this.own(base));
  }

  objectNamed(kind: string, name: string): Promise<KubeObject> {
    return this.#home.api.object<KubeObject>(`${pathOf(kind)}/${name}`);
  }

  async isGone(kind: string, base: string): Promise<boolean> {
    return (await this.#home.api.ask(`${pathOf(kind)}/${this.own(base)}`)).code === 404;
  }

  async podsOnNode(): Promise<string[]> {
    const pods = await this.#home.api.object<{ items: KubeObject[] }>(
      `/api/v1/pods?fieldSelector=spec.nodeName%3D${this.node}`,
    );
    return pods.items.map(({ metadata }) => metadata.name);
  }

  /** Done in the member directly. */
  remove(kind: string, base: string): Promise<unknown> {
    return this.#home.api.ask(`${pathOf(kind)}/${this.own(base)}`, { method: 'DELETE' });
  }
}

const clusterScoped = new Set([
  'nodes',
  'namespaces',
  'clusterroles',
  'clusterrolebindings',
  'priorityclasses',
  'certificatesigningrequests',
]);

const resourceOf = (kind: string): string => kind.slice(kind.lastIndexOf('/') + 1);

export const isClusterScoped = (kind: string): boolean => clusterScoped.has(resourceOf(kind));

export function pathOf(kind: string): string {
  const resource = resourceOf(kind);
  const version = kind.slice(0, -resource.length - 1);
  const root = version.includes('/') ? `/apis/${version}` : `/api/${version}`;
  return isClusterScoped(kind) ? `${root}/${resource}` : `${root}/namespaces/default/${resource}`;
}
