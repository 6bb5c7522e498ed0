/** A node, and the resources that its pods request. */

import type { Node } from '../nodes/node.ts';
import type { Pod } from '../pods/pod.ts';
import { type Amounts, addTo, amountsOf, hostPorts, nonZeroRequests, podRequests } from './pod-requests.ts';

interface Load {
  requests: Amounts;
  /** Containers without requests count with a default, as in `NonZeroRequested`. */
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

  /** Undefined if only pods refer to it. */
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

  /** Idempotent: called when a pod is bound, and again when the API server reports the binding. */
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

  /** Returns whether it existed. */
  remove(uid: string): boolean {
    const load = this.#pods.get(uid);
    if (!load) return false;
    this.#pods.delete(uid);
    addTo(this.requested, load.requests, -1);
    addTo(this.nonZeroRequested, load.nonZeroRequested, -1);
    return true;
  }
}
