/** Validates a Service's cluster IPs, IP families and IP family policy together (`ValidateServiceClusterIPsRelatedFields`). */

import { duplicate, type FieldError, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { familyOf, ipErrors } from './addresses.ts';
import { isHeadless, noAddress, type ServiceSpec } from './service-spec.ts';

const field = 'spec.clusterIPs';
const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

export function clusterIpErrors(spec: ServiceSpec, before: ServiceSpec | undefined): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const seen = new Set<string>();
  const isAgain = (family: string): boolean => seen.size === seen.add(family).size;
  const errors = [
    ...syncErrors(spec),
    ...ipFamilies.flatMap((family, index) => [
      ...(families.includes(family) ? [] : [notSupported(`spec.ipFamilies[${index}]`, family, families)]),
      ...(isAgain(family) ? [duplicate(`spec.ipFamilies[${index}]`, family, true)] : []),
    ]),
    ...(ipFamilyPolicy === undefined || policies.includes(ipFamilyPolicy)
      ? []
      : [notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, policies)]),
  ];
  const wrong = clusterIPs.flatMap((address, index) => {
    if (index > 0 || address !== noAddress) return ipErrors(`${field}[${index}]`, address, before?.clusterIPs);
    return clusterIPs.length > 1 ? [invalidValue(field, clusterIPs, "'None' must be the first and only value")] : [];
  });
  errors.push(...wrong);
  if (clusterIPs.length > 2) errors.push(invalidValue(field, clusterIPs, 'may only hold up to 2 values'));
  if (wrong.length > 0) return errors;
  if (clusterIPs.length > 1 && new Set(clusterIPs.map(familyOf)).size < 2)
    errors.push(invalidValue(field, clusterIPs, 'may specify no more than one IP for each IP family'));
  return [...errors, ...familyErrors(spec)];
}

function syncErrors({ clusterIP = '', clusterIPs = [] }: ServiceSpec): FieldError[] {
  if (!clusterIP)
    return clusterIPs.length > 0
      ? [invalidValue(field, clusterIPs, 'must be empty when `clusterIP` is not specified')]
      : [];
  if (clusterIPs.length === 0) return [required(field)];
  return clusterIPs[0] === clusterIP ? [] : [invalidValue(field, clusterIPs, 'first value must match `clusterIP`')];
}

function familyErrors(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  if (isHeadless(spec)) return [];
  return clusterIPs.slice(0, ipFamilies.length).flatMap((address, index) => {
    const family = ipFamilies[index]!;
    const why = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    return families.includes(family) && familyOf(address) !== family
      ? [invalidValue(`${field}[${index}]`, address, why)]
      : [];
  });
}
