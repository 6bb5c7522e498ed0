/** Validates updates of a Service's status (`ValidateLoadBalancerStatus`). */

import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { dnsSubdomainFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { faultsAt } from '../field-rules.ts';
import { ipErrors } from './addresses.ts';
import { type LoadBalancer, serviceSpecOf } from './service-spec.ts';

const field = 'status.loadBalancer.ingress';
const modes = ['Proxy', 'VIP'];

const ingressOf = ({ status }: KubeObject): NonNullable<LoadBalancer['ingress']> =>
  ((status ?? {}) as { loadBalancer?: LoadBalancer }).loadBalancer?.ingress ?? [];

export function serviceStatusErrors(service: KubeObject, old: KubeObject): FieldError[] {
  const ingress = ingressOf(service);
  if (serviceSpecOf(service).type !== 'LoadBalancer')
    return ingress.length > 0 ? [forbiddenField(field, "may only be used when `spec.type` is 'LoadBalancer'")] : [];
  const known = ingressOf(old).flatMap(({ ip }) => ip || []);
  return ingress.flatMap(({ ip, ipMode, hostname }, index) => {
    const at = `${field}[${index}]`;
    return [
      ...(ip ? ipErrors(`${at}.ip`, ip, known) : []),
      ...modeErrors(`${at}.ipMode`, ip, ipMode),
      ...(hostname ? faultsAt(`${at}.hostname`, hostname, dnsSubdomainFaults(hostname)) : []),
      ...(hostname && ipErrors('', hostname).length === 0
        ? [invalidValue(`${at}.hostname`, hostname, 'must be a DNS name, not an IP address')]
        : []),
    ];
  });
}

function modeErrors(at: string, ip: string | undefined, mode: string | undefined): FieldError[] {
  if (mode === undefined) return ip ? [required(at, 'must be specified when `ip` is set')] : [];
  if (!ip) return [forbiddenField(at, 'may not be specified when `ip` is not set')];
  return modes.includes(mode) ? [] : [notSupported(at, mode, modes)];
}
