/** Records which member a Cluster stands for when it is first seen, by the uid of its namespace kube-system (AGENT-9, CLU-2). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { MemberRefusedError } from '../members/agent-tunnel.ts';
import { type Cluster, clustersPath } from '../members/cluster.ts';
import type { MemberRegistry } from '../members/registry.ts';

const attempts = 5;

export class MemberIdentities {
  readonly #members: Pick<MemberRegistry, 'cluster' | 'allClusters'>;
  readonly #controlPlane: KubeClient;
  /** Recorded ids, perhaps before the watch of Clusters reports them. */
  readonly #recorded = new Map<string, { cluster: string; clusterUid: string | undefined }>();
  /** One at a time: two Clusters must not record the same member. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(members: Pick<MemberRegistry, 'cluster' | 'allClusters'>, controlPlane: KubeClient) {
    this.#members = members;
    this.#controlPlane = controlPlane;
  }

  /** Rejects with a MemberRefusedError for another member. */
  async check(name: string, uid: string): Promise<void> {
    if (this.#isKnown(this.#members.cluster(name), uid)) return;
    const recording = this.#last.then(() => this.#record(name, uid));
    this.#last = recording.catch(() => {});
    await recording;
  }

  /** False: nothing is recorded yet. */
  #isKnown(cluster: Cluster | undefined, uid: string): boolean {
    if (!cluster) throw new MemberRefusedError('is not registered');
    if (!cluster.spec.id) return false;
    if (cluster.spec.id === uid) return true;
    throw new MemberRefusedError(
      'is another member than the one that was registered: the uid of its namespace kube-system differs from spec.id',
    );
  }

  async #record(name: string, uid: string): Promise<void> {
    const path = `${clustersPath}/${name}`;
    for (let attempt = 1; ; attempt++) {
      const cluster = await this.#controlPlane.get<Cluster>(path);
      if (this.#isKnown(cluster, uid)) return;
      const twin = this.#clusterOf(uid, name);
      if (twin !== undefined) throw new MemberRefusedError(`is already registered as cluster "${twin}"`);
      const { resourceVersion, uid: clusterUid } = cluster.metadata;
      try {
        await this.#controlPlane.patch(path, 'merge', { metadata: { resourceVersion }, spec: { id: uid } });
        this.#recorded.set(uid, { cluster: name, clusterUid });
        return;
      } catch (error) {
        if (!isStatus(error, 409) || attempt === attempts) throw error;
      }
    }
  }

  #clusterOf(uid: string, except: string): string | undefined {
    for (const { metadata, spec } of this.#members.allClusters()) {
      if (spec.id === uid && metadata.name !== except) return metadata.name;
    }
    const recorded = this.#recorded.get(uid);
    if (!recorded || recorded.cluster === except) return undefined;
    const { metadata, spec } = this.#members.cluster(recorded.cluster) ?? {};
    // The Cluster was deleted, or its id was changed by hand, in the meantime.
    const isOver = metadata?.uid !== recorded.clusterUid || (spec?.id !== undefined && spec.id !== uid);
    if (isOver) this.#recorded.delete(uid);
    return isOver ? undefined : recorded.cluster;
  }
}
