/** Determines the IP families of a Service in an IPv4-only cluster (`registry/core/service/storage/alloc.go`). */

import { type FieldError, invalidNamedText, invalidValue } from '../../errors/field-error.ts';
import { familyOf } from './addresses.ts';
import { clusterIpErrors } from './cluster-ip-rules.ts';
import { isSameList, noAddress, type ServiceSpec } from './service-spec.ts';

const onlyFamily = 'IPv4';
const path = 'spec.ipFamilyPolicy';

/** Returns errors; without errors the spec has a policy and families. */
export function settleFamilies(spec: ServiceSpec, before: ServiceSpec | undefined): FieldError[] {
  if (spec.type === 'ExternalName' || isUntouchedPreference(spec, before)) return [];
  const isSelectorless = spec.clusterIP === noAddress && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= before?.ipFamilyPolicy ?? (isSelectorless ? 'RequireDualStack' : 'SingleStack');
  const wrong = clusterIpErrors(spec, before);
  if (wrong.length > 0) return wrong;
  const faults = [...changeErrors(spec, before), ...stackErrors(spec), ...inferFamilies(spec)];
  if (faults.length > 0) return faults;
  spec.ipFamilies = spec.ipFamilies?.length ? spec.ipFamilies : [];
  if (isSelectorless) {
    if (spec.ipFamilies.length === 0) spec.ipFamilies.push(onlyFamily);
    // Its endpoints are managed by the user, and may have both families.
    if (spec.ipFamilies.length < 2 && spec.ipFamilyPolicy !== 'SingleStack')
      spec.ipFamilies.push(spec.ipFamilies[0] === 'IPv4' ? 'IPv6' : 'IPv4');
    return [];
  }
  const unserved = unservedErrors(spec);
  if (unserved.length === 0 && spec.ipFamilies.length === 0) spec.ipFamilies.push(onlyFamily);
  return unserved;
}

/** `PreferDualStack` is kept as it is while it is unchanged. */
function isUntouchedPreference(spec: ServiceSpec, before: ServiceSpec | undefined): boolean {
  return (
    before !== undefined &&
    before.type === spec.type &&
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    (before.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
    isSameList(spec.clusterIPs, before.clusterIPs) &&
    isSameList(spec.ipFamilies, before.ipFamilies)
  );
}

const refused = ({ ipFamilyPolicy }: ServiceSpec, why: string): FieldError =>
  invalidNamedText(path, ipFamilyPolicy, why);

function changeErrors(spec: ServiceSpec, before: ServiceSpec | undefined): FieldError[] {
  if (!before) return [];
  const { clusterIPs = [], ipFamilies = [] } = spec;
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (clusterIPs.length > 1 && isSameList(clusterIPs, before.clusterIPs)) spec.clusterIPs = clusterIPs.slice(0, 1);
    if (ipFamilies.length > 1 && isSameList(ipFamilies, before.ipFamilies)) spec.ipFamilies = ipFamilies.slice(0, 1);
    return [];
  }
  const isReduced = (now: readonly string[], old: readonly string[] = []) => now.length > 0 && now.length < old.length;
  return [
    ...(isReduced(clusterIPs, before.clusterIPs)
      ? [refused(spec, "must be 'SingleStack' to release the secondary cluster IP")]
      : []),
    ...(isReduced(ipFamilies, before.ipFamilies)
      ? [refused(spec, "must be 'SingleStack' to release the secondary IP family")]
      : []),
  ];
}

function stackErrors(spec: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return [];
  const why = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  return [
    ...(spec.clusterIPs?.length === 2 ? [refused(spec, `${why} cluster IPs are specified`)] : []),
    ...(spec.ipFamilies?.length === 2 ? [refused(spec, `${why} IP families are specified`)] : []),
  ];
}

/** Infers families from addresses. */
function inferFamilies(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [] } = spec;
  const errors: FieldError[] = [];
  for (const [index, address] of clusterIPs.entries()) {
    if (address === noAddress) break;
    if (index < (spec.ipFamilies ?? []).length) continue;
    const family = familyOf(address);
    if (family === onlyFamily) spec.ipFamilies = [...(spec.ipFamilies ?? []), family];
    else
      errors.push(invalidValue(`spec.clusterIPs[${index}]`, clusterIPs, `${family} is not configured on this cluster`));
  }
  return errors;
}

function unservedErrors(spec: ServiceSpec): FieldError[] {
  return [
    ...(spec.ipFamilyPolicy === 'RequireDualStack'
      ? [refused(spec, 'this cluster is not configured for dual-stack services')]
      : []),
    ...(spec.ipFamilies ?? []).flatMap((family, index) =>
      family === onlyFamily
        ? []
        : [invalidNamedText(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')],
    ),
  ];
}
