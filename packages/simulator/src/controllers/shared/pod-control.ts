/** Creates and deletes pods for a controller, and records Events about them. */

import type { EventSubject } from '@fleet/client/event-recorder.ts';
import type { Informer } from '@fleet/client/informer.ts';
import { isNamespaceTerminating, isStatus, type OwnerReference } from '@fleet/client/kube-client.ts';
import { inert } from '../../fill.ts';
import type { Pod } from '../../pods/pod.ts';
import { pathOf, podPaths } from './controller-ref.ts';
import type { PodTemplate } from './objects.ts';
import type { Reconciler } from './reconciler.ts';

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export type NewPod = Omit<Pod, 'metadata' | 'status'> & { metadata: Partial<Pod['metadata']> };

/** A longer name is used without the dash, which would be the only part left after it. */
const longestPrefix = 253;

export function podFromTemplate({ metadata = {}, spec }: PodTemplate, owner: string, ref: OwnerReference): NewPod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${owner}-`.length > longestPrefix ? owner : `${owner}-`,
      ...(metadata.labels ? { labels: { ...metadata.labels } } : {}),
      ...(metadata.annotations ? { annotations: { ...metadata.annotations } } : {}),
      ...(metadata.finalizers ? { finalizers: [...metadata.finalizers] } : {}),
      ownerReferences: [ref],
    },
    spec: structuredClone(spec),
  };
}

/** Controllers do not see inert pods, so they would create more of them forever. */
function refuseInert({ metadata }: NewPod): void {
  if (metadata.labels && Object.hasOwn(metadata.labels, inert)) {
    throw new Error(`unable to create pods with the label ${inert}, which no controller sees`);
  }
}

export class PodControl {
  readonly #reconciler: Reconciler;
  readonly #pods: Informer<Pod>;

  constructor(reconciler: Reconciler, pods: Informer<Pod>) {
    this.#reconciler = reconciler;
    this.#pods = pods;
  }

  /** `key` is the owner's. */
  async create(key: string, about: EventSubject, pod: NewPod): Promise<Pod> {
    const { events, expectations, parts } = this.#reconciler;
    if (Object.keys(pod.metadata.labels ?? {}).length === 0) throw new Error('unable to create pods, no labels');
    try {
      refuseInert(pod);
      const created = await parts.client.create<Pod>(pathOf(podPaths, about.metadata), pod, parts.signal);
      expectations.wrote(key, this.#pods, created);
      events.event(about, 'Normal', 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
      return created;
    } catch (error) {
      if (!isNamespaceTerminating(error)) {
        events.event(about, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      }
      throw error;
    }
  }

  /** Returns whether it existed. */
  async delete(key: string, about: EventSubject, pod: Pod): Promise<boolean> {
    const { events, expectations, parts } = this.#reconciler;
    const { name } = pod.metadata;
    try {
      await parts.client.delete(pathOf(podPaths, pod.metadata, name), undefined, parts.signal);
    } catch (error) {
      if (isStatus(error, 404)) return false;
      events.event(about, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error });
    }
    expectations.deleted(key, this.#pods, pod);
    events.event(about, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
    return true;
  }
}
