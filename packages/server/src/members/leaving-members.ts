/** The product's own connections to members of deleted Clusters, until nothing has to be removed from them any more (CLU-6, FED-9). */

import type { ClusterName } from '../target/target.ts';
import type { Cluster } from './cluster.ts';
import { type Connected, type Connection, connect, type Member } from './member.ts';

interface Leaving {
  key: string;
  member: Member & Connected;
  end: AbortController;
}

export class LeavingMembers implements Disposable {
  readonly #leaving = new Map<ClusterName, Leaving>();

  get(name: ClusterName): Member | undefined {
    return this.#leaving.get(name)?.member;
  }

  all(): Member[] {
    return [...this.#leaving.values()].map(({ member }) => member);
  }

  /** Returns the member if its connection is new. */
  keep(cluster: Cluster, connection: Connection): Member | undefined {
    const { name } = cluster.metadata;
    const known = this.#leaving.get(name);
    if (known?.key === connection.key) {
      known.member.cluster = cluster;
      return undefined;
    }
    this.end(name);
    const end = new AbortController();
    const member = { name, cluster, ready: true, reason: '', ...connect(connection, end.signal) };
    this.#leaving.set(name, { key: connection.key, member, end });
    return member;
  }

  end(name: ClusterName): void {
    const known = this.#leaving.get(name);
    if (!known) return;
    this.#leaving.delete(name);
    known.end.abort(new Error(`cluster "${name}" was removed`));
    for (const upstream of [known.member.control, known.member.impersonator, known.member.kubesphere])
      Promise.resolve(upstream?.[Symbol.asyncDispose]()).catch(() => {});
  }

  [Symbol.dispose](): void {
    for (const name of [...this.#leaving.keys()]) this.end(name);
  }
}
