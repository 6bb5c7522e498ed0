/** Defaults of containers (`core/v1/defaults.go`). */

import type { Container, Handler, Probe } from './pod-spec.ts';
import { roundUpResources } from './resource-list.ts';
import { defaultFieldRef, pullPolicyOf } from './volume-defaults.ts';

export function defaultContainer(container: Container): void {
  container.imagePullPolicy ||= pullPolicyOf(container.image);
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef) defaultFieldRef(valueFrom.fieldRef);
    if (valueFrom?.fileKeyRef) valueFrom.fileKeyRef.optional ??= false;
  }
  roundUpResources(container.resources);
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  for (const probe of [livenessProbe, readinessProbe, startupProbe]) if (probe) defaultProbe(probe);
  for (const handler of [lifecycle?.postStart, lifecycle?.preStop]) if (handler) defaultHandler(handler);
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  if (probe.grpc) probe.grpc.service ??= '';
  defaultHandler(probe);
}

function defaultHandler({ httpGet }: Handler): void {
  if (!httpGet) return;
  httpGet.path ||= '/';
  httpGet.scheme ||= 'HTTP';
}
