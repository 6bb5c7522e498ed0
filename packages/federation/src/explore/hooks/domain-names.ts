/** Domain names as Kubernetes allows them. */

import { type Fault, invalid, required } from './faults.ts';

const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const longestName = 253;

export const labelText =
  'a lowercase RFC 1123 label must consist of lower case alphanumeric characters or "-", and must start and end with an alphanumeric character';

export const isDomainLabel = (text: string): boolean => label.test(text);

export const isSubdomain = (text: string): boolean =>
  text.length <= longestName && text.split('.').every(isDomainLabel);

/** Of a fully qualified name, which may end in a dot. */
export function domainFaults(field: string, name: unknown): Fault[] {
  if (typeof name !== 'string' || name === '') return [required(field)];
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  if (bare.length > longestName) return [invalid(field, bare, `must be no more than ${longestName} characters`)];
  const parts = bare.split('.');
  const wrong = parts.find((part) => !isDomainLabel(part));
  if (wrong !== undefined) return [invalid(field, bare, labelText)];
  if (parts.length >= 2) return [];
  return [invalid(field, bare, 'should be a domain with at least two segments separated by dots')];
}
