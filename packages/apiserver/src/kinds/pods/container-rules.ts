/** Validates the containers of a pod. */

import { duplicate, type FieldError, notSupported, required } from '../../errors/field-error.ts';
import { dnsLabelFaults } from '../../names/name-rules.ts';
import { enumErrors, faultsAt, namedErrors, portNameFaults, portNumberErrors, protocols } from '../field-rules.ts';
import { environmentErrors } from './environment-rules.ts';
import type { Container } from './pod-spec.ts';
import { lifecycleErrors, noLifecycleErrors } from './probe-rules.ts';
import { resourceErrors } from './resource-rules.ts';
import { securityErrors } from './security-rules.ts';
import { mountErrors } from './volume-rules.ts';

export interface ContainerContext {
  /** The names of the volumes that can be mounted. */
  volumes: ReadonlySet<string>;
  /** The grace period of the pod, in seconds. */
  grace: number;
}

const restartPolicies = ['Always', 'Never', 'OnFailure'];

export function containersErrors(
  containers: readonly Container[],
  path: string,
  context: ContainerContext,
): FieldError[] {
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    return [
      ...containerErrors(container, at, context),
      ...nameErrors(container, at, names),
      ...lifecycleErrors(container, at, context.grace),
      ...restartErrors(container, at),
    ];
  });
  return [...errors, ...hostPortErrors(containers, path)];
}

export function initContainersErrors(
  containers: readonly Container[],
  others: readonly Container[],
  path: string,
  context: ContainerContext,
): FieldError[] {
  const names = new Set(others.map(({ name }) => name));
  return containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    return [
      ...containerErrors(container, at, context),
      ...restartErrors(container, at),
      ...nameErrors(container, at, names),
      ...hostPortErrors([container], path),
      ...(container.restartPolicy === 'Always'
        ? lifecycleErrors(container, at, context.grace)
        : noLifecycleErrors(container, at)),
    ];
  });
}

function nameErrors({ name }: Container, at: string, names: Set<string>): FieldError[] {
  if (names.has(name)) return [duplicate(`${at}.name`, name)];
  names.add(name);
  return [];
}

const restartErrors = ({ restartPolicy }: Container, at: string): FieldError[] =>
  restartPolicy === undefined || restartPolicies.includes(restartPolicy)
    ? []
    : [notSupported(`${at}.restartPolicy`, restartPolicy, restartPolicies)];

export function containerErrors(container: Container, at: string, { volumes }: ContainerContext): FieldError[] {
  const { name, image, terminationMessagePolicy, imagePullPolicy, resources = {} } = container;
  return [
    ...namedErrors(`${at}.name`, name, dnsLabelFaults),
    ...(image ? [] : [required(`${at}.image`)]),
    ...enumErrors(`${at}.terminationMessagePolicy`, terminationMessagePolicy, ['File', 'FallbackToLogsOnError']),
    ...portsErrors(container, `${at}.ports`),
    ...environmentErrors(container, at),
    ...mountErrors(container, volumes, at),
    ...enumErrors(`${at}.imagePullPolicy`, imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
    ...resourceErrors(resources, `${at}.resources`),
    ...securityErrors(container.securityContext, `${at}.securityContext`),
  ];
}

function portsErrors({ ports = [] }: Container, path: string): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({ name = '', containerPort = 0, hostPort = 0, protocol }, index) => {
    const at = `${path}[${index}]`;
    const faults = name ? faultsAt(`${at}.name`, name, portNameFaults(name)) : [];
    const isAgain = faults.length === 0 && name !== '' && names.has(name);
    if (faults.length === 0) names.add(name);
    return [
      ...faults,
      ...(isAgain ? [duplicate(`${at}.name`, name)] : []),
      ...(containerPort === 0
        ? [required(`${at}.containerPort`)]
        : portNumberErrors(`${at}.containerPort`, containerPort)),
      ...(hostPort === 0 ? [] : portNumberErrors(`${at}.hostPort`, hostPort)),
      ...enumErrors(`${at}.protocol`, protocol, protocols),
    ];
  });
}

/** A host port of a protocol can be used once per node. */
function hostPortErrors(containers: readonly Container[], path: string): FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort, protocol = '', hostIP = '' }, portIndex) => {
      if (!hostPort) return [];
      const text = `${protocol}/${hostIP}/${hostPort}`;
      const isAgain = seen.has(text);
      seen.add(text);
      return isAgain ? [duplicate(`${path}[${index}].ports[${portIndex}].hostPort`, text)] : [];
    }),
  );
}
