/** Removes the protection finalizer from a deleted object only when nothing uses it any more. */

import type { Informer } from '@fleet/client/informer.ts';
import type { KubeObject } from '@fleet/client/kube-client.ts';
import { type ControllerParts, Reconciler } from '../shared/reconciler.ts';

export interface Protection<T extends KubeObject> {
  /** The source component of Events. */
  component: string;
  apiVersion: string;
  kind: string;
  finalizer: string;
  known: Informer<T>;
  pathOf(object: T): string;
  isUsed(object: T): boolean | Promise<boolean>;
}

export function startProtection<T extends KubeObject>(parts: ControllerParts, protection: Protection<T>): Reconciler {
  const { component, apiVersion, kind, finalizer, known, pathOf, isUsed } = protection;
  /** Admission adds the finalizer; objects created before that get it here. */
  const isToAdd = ({ metadata }: T): boolean =>
    !metadata.deletionTimestamp && !metadata.finalizers?.includes(finalizer);
  const isToRemove = ({ metadata }: T): boolean =>
    metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizer) ?? false);

  const write = async (key: string, object: T, finalizers: readonly string[]): Promise<void> => {
    const body = { ...object, apiVersion, kind, metadata: { ...object.metadata, finalizers } };
    reconciler.expectations.wrote(key, known, await parts.client.replace<T>(pathOf(object), body, parts.signal));
  };

  const reconciler: Reconciler = new Reconciler({
    parts,
    component,
    async reconcile(key) {
      const object = known.get(key);
      if (!object) return;
      const { finalizers = [] } = object.metadata;
      if (isToAdd(object)) await write(key, object, [...finalizers, finalizer]);
      else if (isToRemove(object) && !(await isUsed(object))) {
        await write(
          key,
          object,
          finalizers.filter((one) => one !== finalizer),
        );
      }
    },
  });
  known.subscribe((key, now) => {
    if (now && (isToAdd(now) || isToRemove(now))) reconciler.add(key);
  });
  return reconciler;
}
