/** Defaults of pod specs, in Pods and in pod templates (`core/v1/defaults.go`). */

import { defaultContainer } from './container-defaults.ts';
import type { PodSpec, PodTemplate } from './pod-spec.ts';
import { roundUp, roundUpResources } from './resource-list.ts';
import { defaultVolume } from './volume-defaults.ts';

const gracePeriodSeconds = 30;

/** Changes the spec in place. It was decoded, so that its fields have the right types. */
export function defaultPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= gracePeriodSeconds;
  spec.schedulerName ||= 'default-scheduler';
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const container of containersOf(spec)) defaultContainer(container);
  roundUp(spec.overhead);
  roundUpResources(spec.resources);
  settleAccount(spec);
}

/** The pod template of a workload. */
export function defaultPodTemplate(template: PodTemplate): void {
  template.spec ??= {};
  defaultPodSpec(template.spec);
}

export const containersOf = ({ initContainers, containers, ephemeralContainers }: PodSpec) => [
  ...(initContainers ?? []),
  ...(containers ?? []),
  ...(ephemeralContainers ?? []),
];

/** The ServiceAccount has two fields: both are written, and the newer one takes precedence. */
function settleAccount(spec: PodSpec): void {
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (!account) return;
  spec.serviceAccountName = account;
  spec.serviceAccount = account;
}
