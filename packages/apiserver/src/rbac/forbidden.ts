/** Forbidden errors with kube-apiserver's text (`responsewriters.ForbiddenStatusError`). */

import { forbidden, qualified, type StatusError } from '@fleet/kube/status.ts';
import type { User } from '../authn/user.ts';
import { quoted } from '../errors/quoted.ts';
import type { Attributes } from './attributes.ts';

/** Escapes HTML in error texts. */
const sanitized = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function wordsFor({ name }: User, attributes: Attributes): string {
  const who = `User ${quoted(name)} cannot ${attributes.verb}`;
  if ('path' in attributes) return `${who} path ${quoted(attributes.path)}`;
  const { resource, subresource, group, namespace } = attributes;
  const what = subresource ? `${resource}/${subresource}` : resource;
  const where = namespace ? `in the namespace ${quoted(namespace)}` : 'at the cluster scope';
  return `${who} resource ${quoted(what)} in API group ${quoted(group)} ${where}`;
}

export function refusal(user: User, attributes: Attributes, reason: string): StatusError {
  const words = sanitized(wordsFor(user, attributes));
  const why = reason ? `${words}: ${reason}` : words;
  if ('path' in attributes) return forbidden(`forbidden: ${why}`);
  return notAllowed(attributes, attributes.name ?? '', why);
}

/** The error that `api/errors` builds for a reason. */
export const notAllowed = (what: { group: string; resource: string }, name: string, why: string): StatusError =>
  forbidden(`${qualified(what)}${name ? ` ${quoted(name)}` : ''} is forbidden: ${why}`, what, name);
