/** Validates the spec of an access review, and converts it to attributes. */

import type { User } from '../authn/user.ts';
import { type FieldError, invalidValue, required } from '../errors/field-error.ts';
import type { Attributes } from '../rbac/attributes.ts';
import type { KubeObject } from '../registry/kube-object.ts';

interface Selector {
  rawSelector?: string;
  requirements?: unknown[];
}

export interface ResourceSpec {
  namespace?: string;
  verb?: string;
  group?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: Selector;
  labelSelector?: Selector;
}

export interface AccessSpec {
  resourceAttributes?: ResourceSpec;
  nonResourceAttributes?: { path?: string; verb?: string };
  user?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
  uid?: string;
}

export const specOf = ({ spec }: KubeObject): AccessSpec => (spec as AccessSpec | undefined) ?? {};

function selectorErrors(selector: Selector | undefined, field: string): FieldError[] {
  if (!selector) return [];
  const { rawSelector, requirements = [] } = selector;
  if (rawSelector && requirements.length > 0)
    return [invalidValue(`${field}.rawSelector`, rawSelector, 'may not specified at the same time as requirements')];
  if (rawSelector || requirements.length > 0) return [];
  return [required(`${field}.requirements`, `when ${field} is specified, requirements or rawSelector is required`)];
}

/** `isAboutOthers`: the spec names the subject. */
export function specErrors(spec: AccessSpec, isAboutOthers: boolean): FieldError[] {
  const { resourceAttributes: resource, nonResourceAttributes: path } = spec;
  const errors: FieldError[] = [];
  if (resource && path) {
    const { path: Path = '', verb: Verb = '' } = path;
    const why = 'cannot be specified in combination with resourceAttributes';
    errors.push(invalidValue('spec.nonResourceAttributes', { Path, Verb }, why));
  }
  if (!resource && !path) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalidValue('spec.resourceAttributes', null, why));
  }
  if (isAboutOthers && !spec.user && (spec.groups ?? []).length === 0)
    errors.push(invalidValue('spec.user', '', 'at least one of user or group must be specified'));
  errors.push(...selectorErrors(resource?.fieldSelector, 'spec.resourceAttributes.fieldSelector'));
  errors.push(...selectorErrors(resource?.labelSelector, 'spec.resourceAttributes.labelSelector'));
  return errors;
}

export const subjectOf = ({ user = '', uid, groups = [], extra = {} }: AccessSpec): User => ({
  name: user,
  uid,
  groups,
  extra,
});

export function askedOf({ resourceAttributes: resource, nonResourceAttributes: path }: AccessSpec): Attributes {
  if (!resource) return { verb: path?.verb ?? '', path: path?.path ?? '' };
  const { verb = '', group = '', resource: what = '', subresource, namespace, name } = resource;
  return { verb, group, resource: what, subresource, namespace, name };
}
