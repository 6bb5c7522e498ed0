import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { binaryPath, etcd } from './binaries.ts';
import { Child } from './child.ts';
import { etcdArguments } from './control-plane.ts';
import { until } from './until.ts';

const [data, copy, socket] = ['etcd', 'etcd-copy', 'etcd:2379'];

/** A member's etcd, which can be put back to what it was. */
export class Store {
  readonly #folder: string;
  readonly #run: string;
  #child: Child;

  private constructor(folder: string, run: string) {
    this.#folder = folder;
    this.#run = run;
    this.#child = this.#spawn();
  }

  /** Listens when this returns. */
  static async start(folder: string, run: string): Promise<Store> {
    const store = new Store(folder, run);
    await store.#listens();
    return store;
  }

  get ended(): Promise<Error> {
    return this.#child.ended;
  }

  unref(): void {
    this.#child.unref();
  }

  /** Copied while it stands still: what a process leaves that is killed in this moment, and etcd starts from that. */
  async keep(): Promise<void> {
    this.#child.signal('SIGSTOP');
    try {
      await rm(this.#path(copy), { recursive: true, force: true });
      await cp(this.#path(data), this.#path(copy), { recursive: true });
    } finally {
      this.#child.signal('SIGCONT');
    }
  }

  /** From what was kept: later writes have never been. */
  async restore(): Promise<void> {
    if (!existsSync(this.#path(copy))) throw new Error('nothing was kept');
    await this.#child.end('SIGKILL');
    await rm(this.#path(data), { recursive: true });
    await rm(this.#path(socket), { force: true });
    await cp(this.#path(copy), this.#path(data), { recursive: true });
    this.#child = this.#spawn();
    await this.#listens();
  }

  #spawn(): Child {
    const [folder, run] = [this.#folder, this.#run];
    return new Child({ name: 'etcd', path: binaryPath(etcd), args: etcdArguments(), folder, run });
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  async #listens(): Promise<void> {
    await until('etcd listens', () => existsSync(this.#path(socket)), { failed: this.#child.ended });
  }
}
