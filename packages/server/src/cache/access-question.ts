/** What a member is asked about a user: one question, and the wider ones whose yes covers it. */

import { createHash } from 'node:crypto';
import type { Headers } from '@fleet/client/upstream.ts';
import type { Verb } from '@fleet/kube/request-info.ts';
import { readFieldTerms, selectedName } from '@fleet/kube/selectors/field-selector.ts';
import type { ReviewedAttributes } from '../merge/member-review.ts';

export interface AccessQuestion {
  verb: Verb;
  group: string;
  version: string;
  resource: string;
  /** Empty: all namespaces, or a resource without. */
  namespace: string;
  /** Empty: whatever the name. */
  name: string;
  /** As clients write them; empty: everything. */
  labelSelector: string;
  fieldSelector: string;
}

/** A user as the member sees it. */
export interface Identity {
  headers: Headers;
  /** The same for the same user, whatever the order of its groups. */
  key: string;
}

const prefix = 'impersonate-';

/** Undefined where the headers name nobody: the member would answer for the product itself (SEC-5). */
export function identityOf(headers: Headers): Identity | undefined {
  if (!headers['impersonate-user']?.length) return undefined;
  const own = Object.entries(headers).filter(([name, value]) => name.startsWith(prefix) && value !== undefined);
  const text = JSON.stringify(own.map(([name, value]) => [name, [value].flat().toSorted()]).toSorted());
  return { headers: Object.fromEntries(own), key: digestOf(text) };
}

export const isSelective = ({ labelSelector, fieldSelector }: AccessQuestion): boolean =>
  labelSelector !== '' || fieldSelector !== '';

export const withoutSelectors = (question: AccessQuestion): AccessQuestion => ({
  ...question,
  labelSelector: '',
  fieldSelector: '',
});

/** The question itself comes first, then those whose yes covers it: by name, of the namespace, of everything. */
export function widened(question: AccessQuestion): AccessQuestion[] {
  const plain = withoutSelectors(question);
  const { namespace, name } = plain;
  const wider = [plain];
  if (name !== '' && namespace !== '') wider.push({ ...plain, name: '' });
  if (name !== '' || namespace !== '') wider.push({ ...plain, name: '', namespace: '' });
  return wider;
}

/** As `kube-apiserver` reads it from a list or watch of one name. */
export function nameSelectedBy(fieldSelector: string): string {
  if (fieldSelector === '') return '';
  try {
    const name = selectedName(readFieldTerms(fieldSelector)) ?? '';
    return isPathSegment(name) ? name : '';
  } catch {
    // The member refuses such a selector; without a name more is asked for, never less.
    return '';
  }
}

const isPathSegment = (name: string): boolean => name !== '.' && name !== '..' && !/[/%]/.test(name);

export const keyOf = (member: string, identity: Identity, question: AccessQuestion): string => {
  const { verb, group, version, resource, namespace, name, labelSelector, fieldSelector } = question;
  const selectors = isSelective(question) ? digestOf(JSON.stringify([labelSelector, fieldSelector])) : '';
  // Names come from URLs: whatever stands between them could stand in them.
  const named = JSON.stringify([verb, group, version, resource, namespace, name]);
  return JSON.stringify([member, identity.key, named.length > longestNamed ? [digestOf(named)] : named, selectors]);
};

/** Longer than any that Kubernetes accepts, written out. */
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
