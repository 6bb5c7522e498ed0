/** Validates ephemeral containers, which can be added to a running pod, but not changed. */

import { isDeepStrictEqual } from 'node:util';
import { duplicate, type FieldError, forbiddenField, notFoundValue } from '../../errors/field-error.ts';
import { type ContainerContext, containerErrors } from './container-rules.ts';
import type { Container, PodSpec } from './pod-spec.ts';

const refused = ['ports', 'resources', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resizePolicy'];
const why = 'cannot be set for an Ephemeral Container';

const isGiven = (value: unknown): boolean =>
  value !== undefined && !(typeof value === 'object' && Object.keys(value ?? {}).length === 0);

export function ephemeralErrors(spec: PodSpec, path: string, context: ContainerContext): FieldError[] {
  const others = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name);
  const [names, known] = [new Set(others), new Set(others)];
  return (spec.ephemeralContainers ?? []).flatMap((container: Container, index) => {
    const at = `${path}[${index}]`;
    const { name, targetContainerName: target, volumeMounts = [] } = container;
    const isAgain = names.has(name);
    names.add(name);
    return [
      ...containerErrors(container, at, context),
      ...(isAgain ? [duplicate(`${at}.name`, name)] : []),
      ...(target && !known.has(target) ? [notFoundValue(`${at}.targetContainerName`, target)] : []),
      ...refused.flatMap((field) => (isGiven(container[field]) ? [forbiddenField(`${at}.${field}`, why)] : [])),
      ...volumeMounts.flatMap(({ subPath, subPathExpr }, place) => [
        ...(subPath ? [forbiddenField(`${at}.volumeMounts[${place}].subPath`, why)] : []),
        ...(subPathExpr ? [forbiddenField(`${at}.volumeMounts[${place}].subPathExpr`, why)] : []),
      ]),
    ];
  });
}

export function ephemeralUpdateErrors({ ephemeralContainers = [] }: PodSpec, before: PodSpec): FieldError[] {
  const byName = new Map(ephemeralContainers.map((container) => [container.name, container]));
  return (before.ephemeralContainers ?? []).flatMap((old, index) => {
    const now = byName.get(old.name);
    if (now && isDeepStrictEqual(now, old)) return [];
    const name = JSON.stringify(old.name);
    return now
      ? [
          forbiddenField(
            `spec.ephemeralContainers[${index}]`,
            `existing ephemeral containers ${name} may not be changed\n`,
          ),
        ]
      : [forbiddenField('spec.ephemeralContainers', `existing ephemeral containers ${name} may not be removed\n`)];
  });
}
