/** The attributes of an access review, and the wider reviews that cover it: if a wider one is allowed, so is this one. */

import { createHash } from 'node:crypto';
import type { Headers } from '@fleet/client/upstream.ts';
import { perObject } from '@fleet/kube/per-object.ts';
import type { Verb } from '@fleet/kube/request-info.ts';
import { readFieldTerms, selectedName } from '@fleet/kube/selectors/field-selector.ts';
import type { ReviewedAttributes } from '../merge/member-review.ts';

export interface AccessQuestion {
  verb: Verb;
  group: string;
  version: string;
  resource: string;
  /** Empty: all namespaces, or a cluster-scoped resource. */
  namespace: string;
  /** Empty: all names. */
  name: string;
  /** As in the query of a request; empty selects everything. */
  labelSelector: string;
  fieldSelector: string;
}

/** A user as the member sees them: by impersonation headers. */
export interface Identity {
  headers: Headers;
  /** Equal for the same user, in whatever order the groups are. */
  key: string;
  /** Equal, too, for the same user with another token or certificate: RBAC does not decide by it. */
  rbacKey: string;
}

const prefix = 'impersonate-';
/** As in `sharedAs`: each new token has another. */
const credentialId = `impersonate-extra-${encodeURIComponent('authentication.kubernetes.io/credential-id').toLowerCase()}`;

/** Undefined if the headers impersonate nobody: the member would review the product's own permissions (SEC-5). */
export const identityOf = perObject((headers: Headers): Identity | undefined => {
  if (!headers['impersonate-user']?.length) return undefined;
  const own = Object.entries(headers).filter(([name, value]) => name.startsWith(prefix) && value !== undefined);
  const keyOf = (those: typeof own) =>
    digestOf(JSON.stringify(those.map(([name, value]) => [name, [value].flat().toSorted()]).toSorted()));
  const rbacKey = `RBAC ${keyOf(own.filter(([name]) => name !== credentialId))}`;
  return { headers: Object.fromEntries(own), key: keyOf(own), rbacKey };
});

export const isSelective = ({ labelSelector, fieldSelector }: AccessQuestion): boolean =>
  labelSelector !== '' || fieldSelector !== '';

export const withoutSelectors = (question: AccessQuestion): AccessQuestion => ({
  ...question,
  labelSelector: '',
  fieldSelector: '',
});

/** Without selectors: the same review, then the wider ones that cover it, over all names and over all namespaces. */
export const widened = (question: AccessQuestion): AccessQuestion[] => [...widestFirst(question)].reverse();

/** The same in reverse order. A generator, as the first is often enough. */
export function* widestFirst(question: AccessQuestion): Generator<AccessQuestion> {
  const plain = isSelective(question) ? withoutSelectors(question) : question;
  const { namespace, name } = plain;
  if (name !== '' || namespace !== '') yield { ...plain, name: '', namespace: '' };
  if (name !== '' && namespace !== '') yield { ...plain, name: '' };
  yield plain;
}

/** The name that kube-apiserver authorises a list or watch by, if its field selector requires one. */
export function nameSelectedBy(fieldSelector: string): string {
  if (fieldSelector === '') return '';
  try {
    const name = selectedName(readFieldTerms(fieldSelector)) ?? '';
    return isPathSegment(name) ? name : '';
  } catch {
    // The member rejects such a selector. Without a name the review is wider, never narrower.
    return '';
  }
}

const isPathSegment = (name: string): boolean => name !== '.' && name !== '..' && !/[/%]/.test(name);

export const reviewKeyOf = (member: string, { key }: Pick<Identity, 'key'>, question: AccessQuestion): string => {
  const { verb, group, version, resource, namespace, name, labelSelector, fieldSelector } = question;
  const selectors = isSelective(question) ? digestOf(JSON.stringify([labelSelector, fieldSelector])) : '';
  // JSON, as names come from URLs and may contain any separator.
  const named = JSON.stringify([verb, group, version, resource, namespace, name]);
  return JSON.stringify([member, key, named.length > longestNamed ? [digestOf(named)] : named, selectors]);
};

/** In characters: more than valid names need. Longer ones are hashed. */
const longestNamed = 1024;

export const attributesOf = (question: AccessQuestion): ReviewedAttributes => {
  const { verb, group, version, resource, namespace, name, labelSelector, fieldSelector } = question;
  return {
    verb,
    group,
    version,
    resource,
    ...(namespace === '' ? {} : { namespace }),
    ...(name === '' ? {} : { name }),
    ...(labelSelector === '' ? {} : { labelSelector: { rawSelector: labelSelector } }),
    ...(fieldSelector === '' ? {} : { fieldSelector: { rawSelector: fieldSelector } }),
  };
};

/** Keys stay short however long the text is (SEC-3). */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');
