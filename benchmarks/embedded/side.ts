/** One of the two API servers: started, stopped and started again on the same data. */

import { rm } from 'node:fs/promises';
import { Api } from '@fleet/bed/api.ts';
import type { Child } from '@fleet/bed/child.ts';
import { killMarked } from '@fleet/bed/run-mark.ts';
import { until } from '@fleet/bed/until.ts';
import { releaseRun } from '@fleet/bed/watched.ts';
import { memoryOf } from '../memory.ts';

export interface Credentials {
  ca: string;
  admin: { cert: string; key: string };
}

export interface SideSpec {
  name: string;
  /** Its folder and all below; removed at the end. */
  folder: string;
  run: string;
  /** `https://HOST:PORT` */
  origin: string;
  /** Before all paths. */
  base: string;
  /** Starts all processes at once. */
  spawn(): Child[];
  /** An error until they have been made. */
  credentials(): Promise<Credentials>;
}

/** The start is measured in milliseconds, so it polls often; a refused connection costs next to nothing. */
const every = 5;

export class Side implements AsyncDisposable {
  readonly spec: SideSpec;
  #children: Child[] = [];
  #api: Api | undefined;
  #credentials: Credentials | undefined;

  constructor(spec: SideSpec) {
    this.spec = spec;
  }

  get api(): Api {
    return this.#api!;
  }

  get credentials(): Credentials {
    return this.#credentials!;
  }

  get tls(): { ca: string; cert: string; key: string } {
    return { ca: this.credentials.ca, ...this.credentials.admin };
  }

  get pids(): number[] {
    return this.#children.map(({ pid }) => pid);
  }

  /** MiB that are resident, of all its processes. */
  get memory(): number {
    return this.pids.reduce((sum, pid) => sum + memoryOf(pid), 0);
  }

  /** Milliseconds from the start of its processes to the first answer that it is ready. */
  async start(): Promise<number> {
    const begun = performance.now();
    this.#children = this.spec.spawn();
    const failed = Promise.race(this.#children.map(({ ended }) => ended));
    await until(`${this.spec.name} is ready`, () => this.#isReady(), { failed, every, timeout: 300_000 });
    return performance.now() - begun;
  }

  async stop(): Promise<void> {
    this.#api?.[Symbol.dispose]();
    this.#api = undefined;
    // The API server before what it keeps its objects in.
    for (const child of this.#children.toReversed()) await child.end('SIGTERM');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#api?.[Symbol.dispose]();
    await killMarked(this.spec.run);
    await rm(this.spec.folder, { recursive: true, force: true });
    releaseRun(this.spec.run);
  }

  async #isReady(): Promise<boolean> {
    const { origin, base } = this.spec;
    this.#credentials ??= await this.spec.credentials();
    const { ca, admin } = this.#credentials;
    this.#api ??= new Api(`${origin}${base}`, ca, admin);
    return (await this.#api.ask('/readyz', { timeout: 5_000 })).code === 200;
  }
}
