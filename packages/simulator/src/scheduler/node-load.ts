/** A node and what the pods on it take of it. */

import type { Node } from '../nodes/node.ts';
import type { Pod } from '../pods/pod.ts';
import { type Amounts, addTo, amountsOf, hostPorts, nonZeroRequests, podRequests } from './pod-requests.ts';

interface Load {
  requests: Amounts;
  /** Containers that request nothing count with a default, as `NonZeroRequested`. */
  nonZeroRequested: Amounts;
  ports: readonly string[];
}

const noPorts: readonly string[] = [];

export class NodeLoad {
  readonly requested: Amounts = {};
  readonly nonZeroRequested: Amounts = {};
  readonly #pods = new Map<string, Load>();
  #node: Node | undefined;
  #allocatable: Amounts = {};

  /** Undefined: pods name it, and nobody else knows it. */
  get node(): Node | undefined {
    return this.#node;
  }

  set node(node: Node | undefined) {
    this.#node = node;
    this.#allocatable = amountsOf(node?.status?.allocatable);
  }

  get allocatable(): Readonly<Amounts> {
    return this.#allocatable;
  }

  get podCount(): number {
    return this.#pods.size;
  }

  *ports(): Iterable<string> {
    for (const { ports } of this.#pods.values()) yield* ports;
  }

  /** Once, however often: first when it is bound, then when the API server reports that it was. */
  add(uid: string, pod: Pod): void {
    if (this.#pods.has(uid)) return;
    const ports = hostPorts(pod);
    const load = {
      requests: podRequests(pod),
      nonZeroRequested: nonZeroRequests(pod),
      ports: ports.length > 0 ? ports : noPorts,
    };
    this.#pods.set(uid, load);
    addTo(this.requested, load.requests);
    addTo(this.nonZeroRequested, load.nonZeroRequested);
  }

  /** Whether it was there. */
  remove(uid: string): boolean {
    const load = this.#pods.get(uid);
    if (!load) return false;
    this.#pods.delete(uid);
    addTo(this.requested, load.requests, -1);
    addTo(this.nonZeroRequested, load.nonZeroRequested, -1);
    return true;
  }
}
