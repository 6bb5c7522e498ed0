/** The members: a live copy of the control plane's Clusters and their Secrets, with connections kept open. */

import { EventEmitter } from 'node:events';
import { Informer } from '@fleet/client/informer.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { notFound, unavailable } from '@fleet/kube/status.ts';
import type { Logger } from 'pino';
import type { ClusterName } from '../target/target.ts';
import { type Cluster, clustersPath, type Secret, secretsNamespace } from './cluster.ts';
import { connect, connectionOf, type Member } from './member.ts';

interface Entry {
  key: string;
  member: Member;
}

export class MemberRegistry implements AsyncDisposable {
  /** `joined`, `changed` and `left`, each with the member. */
  readonly events = new EventEmitter<Record<'joined' | 'changed' | 'left', [Member]>>();
  private readonly clusters: Informer<Cluster>;
  private readonly secrets: Informer<Secret>;
  private readonly entries = new Map<ClusterName, Entry>();
  private readonly log: Logger;

  constructor(controlPlane: KubeClient, log: Logger) {
    this.log = log;
    const onError = (error: unknown) => log.warn({ err: error }, 'watching clusters: the control plane is away');
    this.clusters = new Informer<Cluster>({
      client: controlPlane,
      path: clustersPath,
      onChange: (name) => this.refresh(name),
      onError,
    });
    this.secrets = new Informer<Secret>({
      client: controlPlane,
      path: `/api/v1/namespaces/${secretsNamespace}/secrets`,
      onChange: (key) => this.refreshUsersOf(key),
      onError,
    });
  }

  async synced(): Promise<void> {
    await Promise.all([this.clusters.synced, this.secrets.synced]);
  }

  /** In name order, which is the order of every merged answer. */
  names(): ClusterName[] {
    return [...this.clusters.values()].map(({ metadata }) => metadata.name).sort();
  }

  all(): Member[] {
    return [...this.entries.values()].map(({ member }) => member);
  }

  /** Throws NAME-8's answers: 404 for an unknown cluster, 503 for one that cannot be reached. */
  get(name: ClusterName): Member {
    if (!this.clusters.get(name)) throw notFound({ group: 'cluster.karmada.io', resource: 'clusters' }, name);
    const entry = this.entries.get(name);
    if (!entry) throw unavailable(`cluster "${name}" has no credential yet, or no valid apiEndpoint`);
    return entry.member;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.clusters[Symbol.asyncDispose](), this.secrets[Symbol.asyncDispose]()]);
    for (const name of [...this.entries.keys()]) this.drop(name);
  }

  private refreshUsersOf(secretKey: string): void {
    for (const { metadata, spec } of this.clusters.values()) {
      const refs = [spec.secretRef, spec.impersonatorSecretRef];
      if (refs.some((ref) => ref && `${ref.namespace}/${ref.name}` === secretKey)) this.refresh(metadata.name);
    }
  }

  private refresh(name: ClusterName): void {
    const cluster = this.clusters.get(name);
    const connection =
      cluster && connectionOf(cluster, ({ namespace, name }) => this.secrets?.get(`${namespace}/${name}`));
    const known = this.entries.get(name);
    if (!cluster || !connection) {
      if (known) this.drop(name);
      return;
    }
    if (known && known.key === connection.key) {
      known.member.cluster = cluster;
      return;
    }
    // Used from the next request on; what is under way on the old connections goes on (CLU-4).
    const member: Member = { name, cluster, ready: true, reason: '', ...connect(connection) };
    this.entries.set(name, { key: connection.key, member });
    if (known) close(known.member);
    this.log.info({ cluster: name, endpoint: cluster.spec.apiEndpoint }, known ? 'member changed' : 'member joined');
    this.events.emit(known ? 'changed' : 'joined', member);
  }

  private drop(name: ClusterName): void {
    const entry = this.entries.get(name);
    if (!entry) return;
    this.entries.delete(name);
    close(entry.member);
    this.log.info({ cluster: name }, 'member left');
    this.events.emit('left', entry.member);
  }
}

/** Not awaited: a pool closes when its last stream ends, which may be hours. */
function close({ impersonator, control }: Member): void {
  for (const upstream of [impersonator, control]) Promise.resolve(upstream[Symbol.asyncDispose]()).catch(() => {});
}
