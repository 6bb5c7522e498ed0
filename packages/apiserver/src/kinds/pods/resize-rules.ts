/** Validates a resize of a pod, which may change CPU and memory of its containers (`ValidatePodResize`). */

import { isDeepStrictEqual } from 'node:util';
import { type FieldError, forbiddenField, invalidNamedText } from '../../errors/field-error.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { specOf, statusOf } from './pod-changes.ts';
import type { Container, PodSpec, ResourceList, Resources } from './pod-spec.ts';
import { qosClassOf } from './qos-class.ts';

const resized = ['cpu', 'memory'];

export function resizeErrors(pod: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(pod), specOf(old)];
  const qosClass = statusOf(old).qosClass || qosClassOf(before);
  const errors =
    qosClassOf(spec) === qosClass
      ? []
      : [invalidNamedText('spec', statusOf(pod).qosClass, 'Pod QOS Class may not change as a result of resizing')];
  const order = orderErrors(spec, before);
  if (order.length > 0) return [...errors, ...order];
  const removed = (['initContainers', 'containers'] as const).flatMap((list) =>
    (before[list] ?? []).flatMap((container, index) =>
      removalErrors(spec[list]![index]!.resources, container.resources, `spec.${list}[${index}].resources`),
    ),
  );
  const isOther = (spec.containers ?? []).some(
    (container, index) => !isDeepStrictEqual(fixed(container), fixed(before.containers![index]!)),
  );
  return [
    ...errors,
    ...removed,
    ...(isOther ? [forbiddenField('spec', 'only cpu and memory resources are mutable')] : []),
  ];
}

function orderErrors(spec: PodSpec, before: PodSpec): FieldError[] {
  for (const list of ['containers', 'initContainers'] as const) {
    const [now, old] = [spec[list] ?? [], before[list] ?? []];
    if (now.length !== old.length)
      return [forbiddenField(`spec.${list}`, 'containers may not be added or removed on resize')];
    const moved = now.findIndex(({ name }, index) => name !== old[index]!.name);
    if (moved >= 0)
      return [forbiddenField(`spec.${list}[${moved}].name`, 'containers may not be renamed or reordered on resize')];
  }
  return [];
}

function removalErrors(now: Resources = {}, old: Resources = {}, path: string): FieldError[] {
  const isRemoved = (list: ResourceList = {}, before: ResourceList = {}) =>
    resized.some((name) => before[name] !== undefined && list[name] === undefined);
  return (['limits', 'requests'] as const).flatMap((list) =>
    isRemoved(now[list], old[list]) ? [forbiddenField(`${path}.${list}`, `resource ${list} cannot be removed`)] : [],
  );
}

/** Without the fields that may change. */
function fixed({ resources = {}, resizePolicy: _, ...container }: Container): object {
  const without = (list: ResourceList = {}) => Object.entries(list).filter(([name]) => !resized.includes(name));
  return { ...container, limits: without(resources.limits), requests: without(resources.requests) };
}
