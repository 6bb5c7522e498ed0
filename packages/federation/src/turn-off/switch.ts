/** Whether federation is turned off: a ConfigMap that `fleet federation disable` writes, and the leader of the federation follows (FED-38). */

import type { KubeObject } from '@fleet/client/kube-client.ts';

export const switchNamespace = 'karmada-cluster';
export const switchName = 'fleet-federation';
export const switchesPath = `/api/v1/namespaces/${switchNamespace}/configmaps`;
export const switchPath = `${switchesPath}/${switchName}`;

export interface Switch extends KubeObject {
  data?: {
    state?: string;
    workloads?: string;
    done?: string;
    /** Kinds whose templates may have claims left, and why. */
    unreleased?: string;
  };
}

export type SwitchState =
  | { is: 'on' }
  /** The objects in members are kept, without marks, or deleted. */
  | { is: 'off'; workloads: 'keep' | 'delete' };

/** Federation is on if the ConfigMap does not exist. */
export function stateOf(found: Switch | undefined): SwitchState {
  if (found?.data?.state !== 'disabled') return { is: 'on' };
  return { is: 'off', workloads: found.data.workloads === 'delete' ? 'delete' : 'keep' };
}

export const isDone = (found: Switch | undefined): boolean => found?.data?.done === 'true';

export const unreleasedOf = (found: Switch | undefined): string => found?.data?.unreleased ?? '';

export const isSameState = (one: SwitchState, other: SwitchState): boolean =>
  one.is === 'off' && other.is === 'off' ? one.workloads === other.workloads : one.is === other.is;

export const disabledSwitch = (workloads: 'keep' | 'delete'): Switch => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: switchName, namespace: switchNamespace, labels: { 'app.kubernetes.io/managed-by': 'fleet' } },
  data: { state: 'disabled', workloads },
});
