/** Validates host names and domain-prefixed names (apimachinery's `util/validation`). */

import { type FieldError, invalidValue, required } from '../../errors/field-error.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from '../../names/name-rules.ts';

const wildcard = '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const wildcardRule =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";

function wildcardFaults(host: string): string[] {
  const faults = Buffer.byteLength(host) > 253 ? ['must be no more than 253 characters'] : [];
  const isWildcard = host.startsWith('*.') && dnsSubdomainFaults(host.slice(2)).length === 0;
  return isWildcard
    ? faults
    : [...faults, `${wildcardRule} (e.g. '*.example.com', regex used for validation is '${wildcard}')`];
}

/** Accepts a wildcard. */
export const hostFaults = (host: string): string[] =>
  host.includes('*') ? wildcardFaults(host) : dnsSubdomainFaults(host);

const pathRule = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const isPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** Such as `acme.io/foo`. */
export function domainPathErrors(text: string, at: string): FieldError[] {
  if (text === '') return [required(at)];
  const slash = text.indexOf('/');
  if (slash <= 0 || slash === text.length - 1)
    return [invalidValue(at, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const [host, path] = [text.slice(0, slash), text.slice(slash + 1)];
  return [
    ...dnsSubdomainFaults(host).map((fault) => invalidValue(at, host, fault)),
    ...(isPath.test(path) ? [] : [invalidValue(at, path, `Invalid path (regex used for validation is '${pathRule}')`)]),
  ];
}

export function fullDomainErrors(text: string, at: string): FieldError[] {
  if (text === '') return [required(at)];
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const faults = dnsSubdomainFaults(name);
  if (faults.length > 0) return [invalidValue(at, name, faults.join(','))];
  const labels = name.split('.');
  if (labels.length < 2)
    return [invalidValue(at, name, 'should be a domain with at least two segments separated by dots')];
  const bad = labels.find((label) => dnsLabelFaults(label).length > 0);
  return bad === undefined ? [] : [invalidValue(at, bad, dnsLabelFaults(bad).join(','))];
}
