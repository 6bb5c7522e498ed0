/** Validates the DNS configuration of a pod (`validatePodDNSConfig`). */

import { type FieldError, invalidValue, required } from '../../errors/field-error.ts';
import { looseSubdomainFaults } from '../../names/name-rules.ts';
import { faultsAt } from '../field-rules.ts';
import { ipErrors } from '../services/addresses.ts';

export interface DnsConfig {
  nameservers?: string[];
  searches?: string[];
  options?: { name?: string }[];
}

const mostServers = 3;
const mostSearches = 32;
const longestSearches = 2_048;

export function dnsErrors(dnsPolicy: string | undefined, dnsConfig: DnsConfig | undefined, path: string): FieldError[] {
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  if (dnsPolicy === 'None') {
    if (!dnsConfig) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if (nameservers.length === 0)
      return [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  const refuse = (field: string, given: readonly string[], limit: string) =>
    invalidValue(`${path}.${field}`, given, `must not have more than ${limit}`);
  return [
    ...(nameservers.length > mostServers ? [refuse('nameservers', nameservers, `${mostServers} nameservers`)] : []),
    ...nameservers.flatMap((server, index) => ipErrors(`${path}.nameservers[${index}]`, server)),
    ...(searches.length > mostSearches ? [refuse('searches', searches, `${mostSearches} search paths`)] : []),
    ...(searches.join(' ').length > longestSearches
      ? [refuse('searches', searches, `${longestSearches} characters (including spaces) in the search list`)]
      : []),
    ...searches.flatMap((search, index) => {
      const name = search.replace(/\.$/, '');
      return search === '.' ? [] : faultsAt(`${path}.searches[${index}]`, name, looseSubdomainFaults(name));
    }),
    ...options.flatMap(({ name }, index) => (name ? [] : [required(`${path}.options[${index}]`, 'must not be empty')])),
  ];
}
