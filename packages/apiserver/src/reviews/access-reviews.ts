/** Serves SubjectAccessReview, SelfSubjectAccessReview and LocalSubjectAccessReview. */

import type { User } from '../authn/user.ts';
import { type FieldError, invalidValue } from '../errors/field-error.ts';
import { invalid } from '../errors/refusals.ts';
import type { AnsweredResource } from '../http/answered-resource.ts';
import type { Call } from '../http/verb.ts';
import type { Authorizer } from '../rbac/attributes.ts';
import { settleNamespace } from '../registry/create.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { type AccessSpec, askedOf, specErrors, specOf, subjectOf } from './access-spec.ts';
import { reviewResource } from './review-resource.ts';

const group = 'authorization.k8s.io';

/** kube-apiserver's error does not have the kind. */
const refuse = (errors: readonly FieldError[]): void => {
  if (errors.length > 0) throw invalid({ group, kind: '' }, '', errors);
};

function metadataErrors({ metadata }: KubeObject, allowed: readonly string[], detail: string): FieldError[] {
  const given = Object.keys(metadata).filter((field) => field !== 'managedFields' && !allowed.includes(field));
  return given.length > 0 ? [invalidValue('metadata', metadata, detail)] : [];
}

export function accessReviews(authorizer: Authorizer): AnsweredResource[] {
  const decided = (user: User, spec: AccessSpec) => {
    const { allowed, reason } = authorizer.decide(user, askedOf(spec));
    return { status: { allowed, ...(reason ? { reason } : {}) } };
  };
  const about = (object: KubeObject) => {
    const spec = specOf(object);
    refuse([...specErrors(spec, true), ...metadataErrors(object, [], 'must be empty')]);
    return decided(subjectOf(spec), spec);
  };
  const aboutSelf = (object: KubeObject, { user }: Call) => {
    const spec = specOf(object);
    refuse([...specErrors(spec, false), ...metadataErrors(object, [], 'must be empty')]);
    return decided(user, spec);
  };
  const local = (object: KubeObject, { ask }: Call) => {
    // The path determines the namespace, as for every namespaced object.
    settleNamespace(object.metadata, { namespaced: true }, ask);
    const spec = specOf(object);
    const { namespace = '' } = object.metadata;
    refuse([
      ...specErrors(spec, true),
      ...metadataErrors(object, ['namespace'], 'must be empty except for namespace'),
      ...localErrors(spec, namespace),
    ]);
    return { ...decided(subjectOf(spec), spec), metadata: object.metadata };
  };
  return [
    reviewResource(group, 'SubjectAccessReview', about),
    reviewResource(group, 'SelfSubjectAccessReview', aboutSelf),
    reviewResource(group, 'LocalSubjectAccessReview', local, true),
  ];
}

function localErrors({ resourceAttributes: resource, nonResourceAttributes: path }: AccessSpec, namespace: string) {
  const errors: FieldError[] = [];
  const asked = resource?.namespace ?? '';
  if (resource && asked !== namespace)
    errors.push(invalidValue('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace'));
  if (path) {
    const { path: Path = '', verb: Verb = '' } = path;
    errors.push(invalidValue('spec.nonResourceAttributes', { Path, Verb }, 'disallowed on this kind of request'));
  }
  return errors;
}
