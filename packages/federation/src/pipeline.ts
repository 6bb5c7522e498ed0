/** What every step of the pipeline works with: the control plane, live copies of its objects, the members, and who reports events. */

import type { EventSubject } from '@fleet/client/event-recorder.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import type { Pace } from '@fleet/client/pace.ts';
import type { SharedInformers } from '@fleet/client/shared-informers.ts';
import { WorkQueue } from '@fleet/client/work-queue.ts';
import type { Binding } from './api/bindings.ts';
import { clusterResourceBindingsPath, clustersPath, objectPath, resourceBindingsPath, worksPath } from './api/paths.ts';
import type { Work } from './api/works.ts';
import type { Explorer } from './explore/hooks/explorer.ts';
import type { MemberConnections, MemberObjects } from './members/member-objects.ts';
import type { SchedulableCluster } from './schedule/candidates.ts';
import type { Templates } from './templates/templates.ts';

/** A Cluster of the control plane, as far as the pipeline reads it. */
export interface Cluster extends KubeObject {
  spec: SchedulableCluster['spec'];
  status?: SchedulableCluster['status'] & { conditions?: { type: string; status: string }[] };
}

export interface PipelineLog {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
}

export type Record = (about: EventSubject, type: 'Normal' | 'Warning', reason: string, message: string) => void;

export interface Pipeline {
  client: KubeClient;
  informers: SharedInformers;
  templates: Templates;
  connections: MemberConnections;
  objects: MemberObjects;
  explorer: Explorer;
  /** Called when the configurations of webhooks have changed, so that objects are explored again (EXP-7). */
  onHooks(call: () => void): Disposable;
  record: Record;
  log: PipelineLog;
  now(): string;
  /** Shared by all steps: many objects that need no write would otherwise block the event loop together (LIMIT-3). */
  pace: Pace;
}

export const clustersOf = ({ informers }: Pipeline) => informers.of<Cluster>(clustersPath);
export const bindingsOf = ({ informers }: Pipeline) =>
  [informers.of<Binding>(resourceBindingsPath), informers.of<Binding>(clusterResourceBindingsPath)] as const;
export const worksOf = ({ informers }: Pipeline) => informers.of<Work>(worksPath);

/**
 * A queue of keys to reconcile, with retries. A conflict is no error: the copy that was read was out of date, and the newer version
 * follows.
 */
export const reconciling = (
  { log, pace }: Pipeline,
  step: string,
  reconcile: (key: string) => Promise<void>,
  workers = 4,
): WorkQueue<string> => {
  const queue = new WorkQueue<string>({
    workers,
    retryMillis: 250,
    longestRetryMillis: 60_000,
    pace,
    async work(key) {
      try {
        await reconcile(key);
        return true;
      } catch (error) {
        if (!isStatus(error, 409)) throw error;
        // Without backoff for repeated conflicts: the watch is about to deliver the newer version.
        queue.addAfter(key, key, newerCopyMillis);
        return true;
      }
    },
    onError: (error) => log.warn({ err: error, step }, 'a step of the federation failed and will be retried'),
  });
  return queue;
};

/** The wait for the newer version, if its event does not add the key. */
const newerCopyMillis = 100;

export const bindingKinds = { namespaced: 'ResourceBinding', cluster: 'ClusterResourceBinding' } as const;

/** A ResourceBinding has a namespace, a ClusterResourceBinding has none. */
export const collectionOf = ({ metadata }: Binding): string =>
  metadata.namespace ? resourceBindingsPath : clusterResourceBindingsPath;

export const bindingPath = (binding: Binding): string => objectPath(collectionOf(binding), binding);

/** By the key of `keyOf`. */
export function bindingWithKey(pipeline: Pipeline, key: string): Binding | undefined {
  const [namespaced, cluster] = bindingsOf(pipeline);
  return key.includes('/') ? namespaced.get(key) : cluster.get(key);
}

export const bindingSubject = ({ metadata }: Binding): EventSubject => ({
  apiVersion: 'work.karmada.io/v1alpha2',
  kind: metadata.namespace ? bindingKinds.namespaced : bindingKinds.cluster,
  metadata,
});
