/** Validates pod specs, in Pods and in pod templates (`core/validation/validation.go`). */

import { type FieldError, forbiddenField, invalidValue, required, tooLong } from '../../errors/field-error.ts';
import { dnsLabelFaults, dnsSubdomainFaults, labelKeyFaults } from '../../names/name-rules.ts';
import { between, enumErrors, faultsAt, labelErrorsAt } from '../field-rules.ts';
import { containersErrors, initContainersErrors } from './container-rules.ts';
import { ephemeralErrors } from './ephemeral-rules.ts';
import { hostAliasErrors, placementErrors, systemErrors } from './placement-rules.ts';
import type { PodSpec, PodTemplate } from './pod-spec.ts';
import { tolerationErrors } from './toleration-rules.ts';
import { checkedVolumes } from './volume-rules.ts';

export interface PodRuleOptions {
  /** The spec of a Pod, in which fields are required that a template may omit. */
  isPod?: boolean;
  /** The pod's name, if it has one. */
  podName?: string;
}

const annotationBytes = 256 * 1024;
const mostInt32 = 2 ** 31 - 1;

/** `path` is that of the template, such as `spec.template`. */
export function podTemplateErrors(
  template: PodTemplate | undefined,
  path: string,
  options: PodRuleOptions = {},
): FieldError[] {
  const { labels, annotations = {} } = template?.metadata ?? {};
  const spec = template?.spec ?? {};
  const size = Object.entries(annotations)
    .flat()
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return [
    ...labelErrorsAt(`${path}.labels`, labels),
    ...Object.keys(annotations).flatMap((key) =>
      faultsAt(`${path}.annotations`, key, labelKeyFaults(key.toLowerCase())),
    ),
    ...(size > annotationBytes ? [tooLong(`${path}.annotations`, annotationBytes)] : []),
    ...podSpecErrors(spec, `${path}.spec`, options),
    ...(spec.ephemeralContainers?.length
      ? [forbiddenField(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

export function podSpecErrors(
  spec: PodSpec,
  path: string,
  { isPod = false, podName }: PodRuleOptions = {},
): FieldError[] {
  const { containers, initContainers = [], terminationGracePeriodSeconds } = spec;
  const volumes = checkedVolumes(spec.volumes, `${path}.volumes`, podName);
  const context = { volumes: volumes.names, grace: terminationGracePeriodSeconds ?? 0 };
  return [
    ...(terminationGracePeriodSeconds === undefined ? [required(`${path}.terminationGracePeriodSeconds`)] : []),
    ...volumes.errors,
    ...containersErrors(containers ?? [], `${path}.containers`, context),
    ...initContainersErrors(initContainers, containers ?? [], `${path}.initContainers`, context),
    ...ephemeralErrors(spec, `${path}.ephemeralContainers`, context),
    ...hostNetworkErrors(spec, path, isPod),
    ...enumErrors(`${path}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...enumErrors(`${path}.dnsPolicy`, spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...labelErrorsAt(`${path}.nodeSelector`, spec.nodeSelector),
    ...placementErrors(spec, path),
    ...nameErrors(spec, path),
    ...tolerationErrors(spec.tolerations, `${path}.tolerations`),
    ...hostAliasErrors(spec, `${path}.hostAliases`),
    ...priorityErrors(spec, path),
    ...systemErrors(spec, `${path}.os`),
  ];
}

function hostNetworkErrors({ hostNetwork, containers }: PodSpec, path: string, isPod: boolean): FieldError[] {
  if (!hostNetwork) return [];
  return (containers ?? []).flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, containerPort = 0 }, portIndex) =>
      (isPod || hostPort !== 0) && hostPort !== containerPort
        ? [
            invalidValue(
              `${path}.containers[${index}].ports[${portIndex}].hostPort`,
              hostPort,
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ]
        : [],
    ),
  );
}

function nameErrors(spec: PodSpec, path: string): FieldError[] {
  const {
    serviceAccountName = '',
    nodeName = '',
    hostname = '',
    subdomain = '',
    activeDeadlineSeconds: seconds,
  } = spec;
  return [
    ...(serviceAccountName
      ? faultsAt(`${path}.serviceAccountName`, serviceAccountName, dnsSubdomainFaults(serviceAccountName))
      : []),
    ...(nodeName ? faultsAt(`${path}.nodeName`, nodeName, dnsSubdomainFaults(nodeName)) : []),
    ...(seconds !== undefined && (seconds < 1 || seconds > mostInt32)
      ? [invalidValue(`${path}.activeDeadlineSeconds`, seconds, between(1, mostInt32))]
      : []),
    ...(hostname ? faultsAt(`${path}.hostname`, hostname, dnsLabelFaults(hostname)) : []),
    ...(subdomain ? faultsAt(`${path}.subdomain`, subdomain, dnsLabelFaults(subdomain)) : []),
  ];
}

function priorityErrors({ priorityClassName = '', preemptionPolicy }: PodSpec, path: string): FieldError[] {
  return [
    ...(priorityClassName
      ? faultsAt(`${path}.priorityClassName`, priorityClassName, dnsSubdomainFaults(priorityClassName))
      : []),
    ...(preemptionPolicy === undefined
      ? []
      : enumErrors(`${path}.preemptionPolicy`, preemptionPolicy, ['PreemptLowerPriority', 'Never'])),
  ];
}
