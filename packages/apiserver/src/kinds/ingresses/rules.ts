/** Validates Ingresses (Kubernetes' `networking/validation`). */

import { type FieldError, invalidValue } from '../../errors/field-error.ts';
import { dnsSubdomainFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { hostFaults } from '../rules/domain-names.ts';
import { parseIp } from '../rules/ip-address.ts';
import { ipErrors } from '../rules/ip-rules.ts';
import { backendErrors, pathsErrors } from './backend-rules.ts';
import type { Ingress, IngressSpec, LoadBalancer, Rule } from './ingress.ts';

export const classAnnotation = 'kubernetes.io/ingress.class';

/** Names of Secrets and wildcard hosts that were accepted before are kept. */
export function ingressErrors(spec: IngressSpec, old?: IngressSpec): FieldError[] {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec;
  const hadBadSecret = (old?.tls ?? []).some(({ secretName = '' }) => secretFaults(secretName).length > 0);
  const hadBadStar = (old?.rules ?? []).some((rule) => isStar(rule) && ruleValueErrors(rule, '').length > 0);
  return [
    ...(rules.length === 0 && !defaultBackend
      ? [invalidValue('spec', null, 'either `defaultBackend` or `rules` must be specified')]
      : []),
    ...(defaultBackend ? backendErrors(defaultBackend, 'spec.defaultBackend') : []),
    ...rules.flatMap((rule, index) => {
      const at = `spec.rules[${index}]`;
      return [...hostErrors(rule, at), ...(isStar(rule) && hadBadStar ? [] : ruleValueErrors(rule, at))];
    }),
    ...tls.flatMap(({ hosts = [], secretName = '' }, index) => [
      ...hosts.flatMap((host, place) =>
        hostFaults(host).map((fault) => invalidValue(`spec.tls[${index}].hosts[${place}]`, host, fault)),
      ),
      ...(hadBadSecret ? [] : secretFaults(secretName)).map((fault) =>
        invalidValue(`spec.tls[${index}].secretName`, secretName, fault),
      ),
    ]),
    ...(ingressClassName === undefined
      ? []
      : dnsSubdomainFaults(ingressClassName).map((fault) =>
          invalidValue('spec.ingressClassName', ingressClassName, fault),
        )),
  ];
}

const secretFaults = (name: string): string[] => (name === '' ? [] : dnsSubdomainFaults(name));

const isStar = ({ host = '' }: Rule): boolean => host.includes('*');

function hostErrors({ host = '' }: Rule, at: string): FieldError[] {
  if (host === '') return [];
  return [...(parseIp(host) ? ['must be a DNS name, not an IP address'] : []), ...hostFaults(host)].map((fault) =>
    invalidValue(`${at}.host`, host, fault),
  );
}

const ruleValueErrors = ({ http }: Rule, at: string): FieldError[] =>
  http ? pathsErrors(http.paths ?? [], `${at}.http.paths`) : [];

/** The class in the older annotation must not contradict the field. */
export function classErrors({ metadata: { annotations = {} } }: KubeObject, { spec }: Ingress): FieldError[] {
  const named = annotations[classAnnotation];
  return named === undefined || spec.ingressClassName === undefined || named === spec.ingressClassName
    ? []
    : [invalidValue(`annotations.${classAnnotation}`, named, 'must match `ingressClassName` when both are specified')];
}

export function loadBalancerErrors({ ingress = [] }: LoadBalancer, old: LoadBalancer): FieldError[] {
  const known = new Set((old.ingress ?? []).flatMap(({ ip }) => ip || []));
  return ingress.flatMap(({ ip, hostname }, index) => {
    const at = `status.loadBalancer.ingress[${index}]`;
    return [
      ...(ip ? ipErrors(ip, `${at}.ip`, known) : []),
      ...(hostname
        ? [
            ...dnsSubdomainFaults(hostname),
            ...(parseIp(hostname) ? ['must be a DNS name, not an IP address'] : []),
          ].map((fault) => invalidValue(`${at}.hostname`, hostname, fault))
        : []),
    ];
  });
}
