/** Resolves a parent's dependencies to templates: one by its name, or all that a selector matches (FED-11). */

import type { AnyObject } from '../api/objects.ts';
import { labelMatcherOf } from '../claim/label-matcher.ts';
import { isNeverTemplate } from '../claim/never-templates.ts';
import type { Dependency } from '../explore/object-rules.ts';
import type { Kinds, ObjectName } from '../kinds/kinds.ts';
import { templateKey } from '../templates/templates.ts';

export interface TemplateSource {
  kinds: Pick<Kinds, 'of' | 'all'>;
  get(name: ObjectName): AnyObject | undefined;
  ofKind(kind: { apiVersion: string; kind: string }): Iterable<AnyObject>;
}

/** Each template once. */
export function dependentsOf(dependencies: readonly Dependency[], templates: TemplateSource): AnyObject[] {
  const dependents = dependencies.flatMap((dependency) => [...matching(dependency, templates)]);
  return [...new Map(dependents.map((object) => [templateKey(object), object])).values()].filter(
    (object) => !isNeverTemplate(object),
  );
}

function* matching(dependency: Dependency, templates: TemplateSource): Iterable<AnyObject> {
  const { kind, namespace, name, labelSelector } = dependency;
  const apiVersion = followedVersion(dependency, templates.kinds);
  if (name) {
    const object = templates.get({ apiVersion, kind, namespace, name });
    if (object) yield object;
  } else if (labelSelector) {
    const matches = labelMatcherOf(labelSelector);
    for (const object of templates.ofKind({ apiVersion, kind })) {
      if (isIn(namespace, object) && matches(object.metadata.labels ?? {})) yield object;
    }
  }
}

const isIn = (namespace: string | undefined, { metadata }: AnyObject): boolean =>
  (namespace || undefined) === (metadata.namespace || undefined);

/** A webhook may name any version that is served; templates are known by the preferred one. */
function followedVersion({ apiVersion, kind }: Dependency, kinds: TemplateSource['kinds']): string {
  if (kinds.of({ apiVersion, kind })?.preferred) return apiVersion;
  const group = groupOf(apiVersion);
  for (const one of kinds.all()) if (one.preferred && one.group === group && one.kind === kind) return one.apiVersion;
  return apiVersion;
}

/** For an index of parents: what they depend on, by name or as a whole kind of a namespace. */
export const indexKeysOf = (dependencies: readonly Dependency[]): string[] => [
  ...new Set(
    dependencies.map(({ apiVersion, kind, namespace, name }) => indexKey({ apiVersion, kind, namespace }, name)),
  ),
];

/** The index keys of parents that can depend on the object. */
export const indexKeysFor = ({ apiVersion, kind, metadata: { namespace, name } }: AnyObject): string[] => [
  indexKey({ apiVersion, kind, namespace }, name),
  indexKey({ apiVersion, kind, namespace }, undefined),
];

type KindIn = { apiVersion: string; kind: string; namespace: string | undefined };

/** No name is empty. */
const indexKey = ({ apiVersion, kind, namespace }: KindIn, name: string | undefined): string =>
  `${groupOf(apiVersion)} ${kind} ${namespace ?? ''}/${name ?? ''}`;

const groupOf = (apiVersion: string): string => apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));

/** Whether one of the dependencies means the object. */
export const isMeant = (dependencies: readonly Dependency[], object: AnyObject): boolean =>
  dependencies.some(({ apiVersion, kind, namespace, name, labelSelector }) => {
    if (groupOf(apiVersion) !== groupOf(object.apiVersion) || kind !== object.kind || !isIn(namespace, object)) {
      return false;
    }
    if (name) return name === object.metadata.name;
    return labelSelector !== undefined && labelMatcherOf(labelSelector)(object.metadata.labels ?? {});
  });
