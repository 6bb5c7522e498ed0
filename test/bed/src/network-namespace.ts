/**
 * A network namespace and the two ends of a cable to it. A process holds it that carries the run's mark: when that one ends, however the
 * runner ended, the kernel removes the namespace and both ends.
 */

import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Child, type ChildSpec } from './child.ts';
import { until } from './until.ts';

const run = promisify(execFile);

type Place = Pick<ChildSpec, 'folder' | 'run'>;

/** Of a network that is for tests of devices alone (RFC 2544), so that it is nobody's. */
const network = () => `198.18.${randomInt(256)}.${randomInt(64) * 4}`;

export class NetworkNamespace implements AsyncDisposable {
  /** Of the cable's end on this side. */
  readonly outside: string;
  /** Of its end in the namespace. */
  readonly inside: string;
  readonly #holder: Child;
  readonly #place: Place;
  readonly #started: Child[] = [];

  private constructor(holder: Child, place: Place, ends: { outside: string; inside: string }) {
    this.#holder = holder;
    this.#place = place;
    this.outside = ends.outside;
    this.inside = ends.inside;
  }

  /** Needs root. `folder` has a folder `logs`. */
  static async make(place: Place): Promise<NetworkNamespace> {
    const args = ['--net', 'sleep', 'infinity'];
    const holder = new Child({ name: 'network-namespace', path: 'unshare', args, ...place });
    try {
      const ours = await readlink('/proc/self/ns/net');
      const isOther = async () => (await readlink(`/proc/${holder.pid}/ns/net`)) !== ours;
      await until('there is a network namespace', isOther, { failed: holder.ended });
      const base = network();
      const [outside, inside] = [1, 2].map((host) => base.replace(/\d+$/, (last) => `${Number(last) + host}`));
      const namespace = new NetworkNamespace(holder, place, { outside: outside!, inside: inside! });
      await namespace.#connect(`fleet${holder.pid}`);
      return namespace;
    } catch (error) {
      await holder.end('SIGKILL');
      throw error;
    }
  }

  /** How a program is started in it. */
  within(path: string, ...args: string[]): [path: string, args: string[]] {
    return ['nsenter', ['--target', `${this.#holder.pid}`, '--net', path, ...args]];
  }

  /** A process that goes on. */
  start(spec: Omit<ChildSpec, 'folder' | 'run'>): Child {
    const [path, args] = this.within(spec.path, ...spec.args);
    const child = new Child({ ...spec, path, args, ...this.#place });
    this.#started.push(child);
    return child;
  }

  /** Removed when this returns. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#started.map((child) => child.end('SIGKILL')));
    await this.#holder.end('SIGKILL');
    await until(
      'the cable is gone',
      async () => !(await run('ip', ['-o', 'addr'])).stdout.includes(`${this.outside}/`),
    );
  }

  async #connect(name: string): Promise<void> {
    const ip = (...args: string[]) => run('ip', args);
    const ipInside = (...args: string[]) => run(...this.within('ip', ...args));
    await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'fleet', 'netns', `${this.#holder.pid}`);
    await ip('addr', 'add', `${this.outside}/30`, 'dev', name);
    await ip('link', 'set', name, 'up');
    await ipInside('addr', 'add', `${this.inside}/30`, 'dev', 'fleet');
    for (const device of ['lo', 'fleet']) await ipInside('link', 'set', device, 'up');
  }
}
