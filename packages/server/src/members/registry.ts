/** The registered members: watches the control plane's Clusters and their Secrets, and keeps connections open. */

import { EventEmitter, setMaxListeners } from 'node:events';
import { Informer } from '@fleet/client/informer.ts';
import type { KubeClient } from '@fleet/client/kube-client.ts';
import { notFound, unavailable } from '@fleet/kube/status.ts';
import type { Logger } from 'pino';
import type { ClusterName } from '../target/target.ts';
import {
  awaitsCleanUp,
  type Cluster,
  clustersPath,
  isActive,
  type Secret,
  type SecretRef,
  secretRefsOf,
} from './cluster.ts';
import { type ConnectionError, invalid } from './connection-error.ts';
import { LeavingMembers } from './leaving-members.ts';
import { type Connected, connect, connectionOf, defaultRules, type Member, type MemberRules } from './member.ts';
import { keyOfRef, Secrets } from './secrets.ts';

interface Entry {
  key: string;
  member: Member & Connected;
}

interface Events {
  joined: [Member];
  changed: [Member];
  left: [Member];
  /** The Cluster is deleted: only the product itself still reaches the member, to clean up. */
  leaving: [Member];
  /** A Cluster was added or changed, with or without a connection. */
  seen: [Cluster];
  /** The Cluster was deleted, with or without a connection. */
  gone: [ClusterName];
  /** A Cluster without a connection, and the reason. */
  blocked: [Cluster, ConnectionError];
  /** A Secret in the namespace of credentials was changed or deleted, as `namespace/name`. */
  secret: [string];
}

export class MemberRegistry implements AsyncDisposable {
  readonly events = new EventEmitter<Events>();
  private readonly clusters: Informer<Cluster>;
  private readonly secrets: Secrets;
  private readonly entries = new Map<ClusterName, Entry>();
  /** The last connections of Clusters that have none at present: their users continue over the next ones (CLU-4). */
  private readonly waiting = new Map<ClusterName, Entry>();
  /** Aborted when a Cluster is deleted: ends everything that is sent to it, over older connections too (CLU-6). */
  private readonly ends = new Map<ClusterName, AbortController>();
  private readonly leavers = new LeavingMembers();
  private readonly connectionErrors = new Map<ClusterName, ConnectionError>();
  private readonly log: Logger;
  private readonly rules: MemberRules;

  constructor(controlPlane: KubeClient, log: Logger, rules: MemberRules = defaultRules) {
    this.log = log;
    this.rules = rules;
    const onError = (error: unknown) =>
      log.warn({ err: error }, 'watching clusters: the control plane is unreachable, or its answer is invalid');
    this.secrets = new Secrets({
      client: controlPlane,
      namespaces: rules.secretNamespaces,
      onChange: (key) => {
        this.refreshUsersOf(key);
        this.events.emit('secret', key);
      },
      onError,
    });
    this.clusters = new Informer<Cluster>({
      client: controlPlane,
      path: clustersPath,
      onChange: (name, now) => {
        this.refresh(name);
        if (now) this.events.emit('seen', now);
        else this.events.emit('gone', name);
      },
      onError,
    });
  }

  async synced(): Promise<void> {
    await this.clusters.synced;
    await this.secrets.synced();
    for (const { metadata } of this.clusters.values()) this.refresh(metadata.name);
  }

  /** Sorted by name, as merged answers are. A member that is not active is in no view (KS-2). */
  names(): ClusterName[] {
    return [...this.allClusters()]
      .filter(isInView)
      .map(({ metadata }) => metadata.name)
      .sort();
  }

  /** The uid of the Cluster with this name in the merged views: a recreated one has another. */
  uidInView(name: ClusterName): string | undefined {
    const cluster = this.clusters.get(name);
    return cluster && isInView(cluster) ? (cluster.metadata.uid ?? '') : undefined;
  }

  /** Including Clusters that are being deleted. */
  allClusters(): Iterable<Cluster> {
    return this.clusters.values();
  }

  cluster(name: ClusterName): Cluster | undefined {
    return this.clusters.get(name);
  }

  /** Of the namespaces that Clusters may refer to (SEC-4). */
  secret(ref: SecretRef): Secret | undefined {
    return this.secrets.get(ref);
  }

  /** Undefined if it has no connection. */
  connected(name: ClusterName): Member | undefined {
    return this.entries.get(name)?.member;
  }

  /** A member of a deleted Cluster from which objects have to be removed first (CLU-6). Users' requests are not sent to it. */
  leaving(name: ClusterName): Member | undefined {
    return this.leavers.get(name);
  }

  allLeaving(): Member[] {
    return this.leavers.all();
  }

  all(): Member[] {
    return [...this.entries.values()].map(({ member }) => member);
  }

  /** Members whose APIs are in the merged views (KS-2). */
  active(): Member[] {
    return this.all().filter(({ cluster }) => isActive(cluster));
  }

  /** Clusters without a connection, and the reasons. */
  *blocked(): Iterable<[Cluster, ConnectionError]> {
    for (const [name, connectionError] of this.connectionErrors) {
      const cluster = this.clusters.get(name);
      if (cluster) yield [cluster, connectionError];
    }
  }

  /** Throws the errors of NAME-8: 404 for an unknown cluster, 503 for one that is unreachable or not active (KS-2). */
  get(name: ClusterName): Member {
    const cluster = this.clusters.get(name);
    if (!cluster || isDeleted(cluster)) throw notFound({ group: 'cluster.karmada.io', resource: 'clusters' }, name);
    if (!isActive(cluster)) throw unavailable(`cluster is not active: "${name}"`);
    const entry = this.entries.get(name);
    if (!entry) throw unavailable(`cluster "${name}" cannot be used yet: see the condition Ready of its Cluster`);
    return entry.member;
  }

  isActive(name: ClusterName): boolean {
    const cluster = this.clusters.get(name);
    return cluster === undefined || isActive(cluster);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.clusters[Symbol.asyncDispose](), this.secrets[Symbol.asyncDispose]()]);
    for (const name of [...this.entries.keys()]) this.drop(name);
    this.leavers[Symbol.dispose]();
  }

  private refreshUsersOf(secretKey: string): void {
    // The first Secrets may arrive before the list of Clusters.
    for (const cluster of this.clusters?.values() ?? []) {
      if (secretRefsOf(cluster).some((ref) => keyOfRef(ref) === secretKey)) this.refresh(cluster.metadata.name);
    }
  }

  /** A failure with one Cluster becomes its connection error: the others are read, and the server starts (SEC-2). */
  private refresh(name: ClusterName): void {
    try {
      this.renew(name);
    } catch (error) {
      this.log.error({ err: error, cluster: name }, 'a Cluster cannot be processed');
      const cluster = this.clusters.get(name);
      if (cluster) this.block(cluster, invalid('cannot be connected to as it is specified: see the server’s log'));
    }
  }

  private renew(name: ClusterName): void {
    this.secrets.follow([...this.clusters.values()].flatMap(secretRefsOf));
    const cluster = this.clusters.get(name);
    if (!cluster || isDeleted(cluster)) {
      this.remove(name);
      this.leave(name, cluster);
      return;
    }
    this.leavers.end(name);
    // Recreated under the same name between two events.
    const last = (this.entries.get(name) ?? this.waiting.get(name))?.member.cluster;
    if (last && last.metadata.uid !== cluster.metadata.uid) this.remove(name);
    // Everything sent to it is cut off; probes use new connections (KS-2).
    const isCut = last !== undefined && isActive(last) && !isActive(cluster);
    if (isCut) this.end(name, `cluster is not active: "${name}"`);
    const connection = connectionOf(cluster, (ref) => this.secrets.get(ref), this.rules);
    if (connection.is === 'connection-error') {
      this.block(cluster, connection);
      return;
    }
    this.connectionErrors.delete(name);
    const known = this.entries.get(name);
    const key = `${isActive(cluster)} ${connection.key}`;
    if (known?.key === key) {
      known.member.cluster = cluster;
      return;
    }
    // Used from the next request on. Requests in flight on the old connections continue (CLU-4).
    const member: Entry['member'] = {
      name,
      cluster,
      ready: true,
      reason: '',
      ...connect(connection, this.endOf(name)),
    };
    this.entries.set(name, { key, member });
    const held = known ?? this.waiting.get(name);
    this.waiting.delete(name);
    held?.member.impersonator.to(member.impersonator, isCut);
    held?.member.control.to(member.control);
    close([held?.member.kubesphere]);
    this.log.info(
      { cluster: name, endpoint: cluster.spec.apiEndpoint },
      known ? 'connection to member changed' : 'connected to member',
    );
    this.events.emit(known ? 'changed' : 'joined', member);
  }

  private leave(name: ClusterName, cluster: Cluster | undefined): void {
    const connection =
      cluster && awaitsCleanUp(cluster) ? connectionOf(cluster, (ref) => this.secrets.get(ref), this.rules) : undefined;
    if (!cluster || connection?.is !== 'connection') {
      this.leavers.end(name);
      return;
    }
    const member = this.leavers.keep(cluster, connection);
    if (member) this.events.emit('leaving', member);
  }

  private remove(name: ClusterName): void {
    this.connectionErrors.delete(name);
    this.waiting.delete(name);
    this.drop(name);
    this.end(name, `cluster "${name}" was removed`);
  }

  /** Cuts off everything that is sent to it, including upgraded streams. */
  private end(name: ClusterName, why: string): void {
    this.ends.get(name)?.abort(new Error(why));
    this.ends.delete(name);
  }

  private block(cluster: Cluster, connectionError: ConnectionError): void {
    const { name } = cluster.metadata;
    const entry = this.entries.get(name);
    if (entry) this.waiting.set(name, entry);
    this.drop(name);
    // Not before the Secret was looked for: at the start, Secrets may arrive after Clusters.
    if (!secretRefsOf(cluster).every((ref) => this.secrets.looked(ref))) return;
    const { reason, message } = connectionError;
    if (this.connectionErrors.get(name)?.message !== message)
      this.log.warn({ cluster: name, reason }, `member cannot be used: it ${message}`);
    this.connectionErrors.set(name, connectionError);
    this.events.emit('blocked', cluster, connectionError);
  }

  private endOf(name: ClusterName): AbortSignal {
    const known = this.ends.get(name) ?? new AbortController();
    this.ends.set(name, known);
    // One listener per open stream is not a leak.
    setMaxListeners(0, known.signal);
    return known.signal;
  }

  /** Requests in flight continue. */
  private drop(name: ClusterName): void {
    const entry = this.entries.get(name);
    if (!entry) return;
    this.entries.delete(name);
    close([entry.member.impersonator, entry.member.control, entry.member.kubesphere]);
    this.log.info({ cluster: name }, 'disconnected from member');
    this.events.emit('left', entry.member);
  }
}

const isDeleted = ({ metadata }: Cluster): boolean => metadata.deletionTimestamp !== undefined;

const isInView = (cluster: Cluster): boolean => isActive(cluster) && !isDeleted(cluster);

/** Not awaited: a pool closes when its last stream ends, which may take hours. */
function close(upstreams: readonly (AsyncDisposable | undefined)[]): void {
  for (const upstream of upstreams) Promise.resolve(upstream?.[Symbol.asyncDispose]()).catch(() => {});
}
