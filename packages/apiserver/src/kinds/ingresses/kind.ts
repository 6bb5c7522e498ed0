/** The kind Ingress. */

import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { none } from '../printing/cells.ts';
import { addressesOf } from '../printing/network.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { ipWarnings } from '../rules/ip-rules.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { served } from '../served.ts';
import type { Ingress } from './ingress.ts';
import { classAnnotation, classErrors, ingressErrors, loadBalancerErrors } from './rules.ts';

const facts = served('networking.k8s.io', 'ingresses');

const of = (object: KubeObject): Ingress => object as unknown as Ingress;

export const ingresses: PrintedKind = {
  ...facts,
  hasGeneration: true,
  checksAgain: 'nothing',
  strategy: {
    validateCreate: (object) => [
      ...objectMetaErrors(object, facts),
      ...ingressErrors(of(object).spec),
      ...classErrors(object, of(object)),
    ],
    validateUpdate: (object, old, subresource) => [
      ...objectMetaUpdateErrors(object, old),
      ...(subresource === 'status'
        ? loadBalancerErrors(of(object).status.loadBalancer ?? {}, of(old).status.loadBalancer ?? {})
        : [...objectMetaErrors(object, facts), ...ingressErrors(of(object).spec, of(old).spec)]),
    ],
    warnings,
  },
  columns: kindColumns<Ingress>(facts, {
    Class: ({ spec }) => spec?.ingressClassName ?? none,
    Hosts: ({ spec }) => hosts(spec?.rules ?? []),
    Address: ({ status }) => addressesOf(status?.loadBalancer).join(','),
    Ports: ({ spec }) => (spec?.tls?.length ? '80, 443' : '80'),
  }),
};

function warnings(object: KubeObject, old: KubeObject | undefined, subresource?: string): string[] {
  if (subresource === 'status')
    return (of(object).status.loadBalancer?.ingress ?? []).flatMap(({ ip }, index) =>
      ip ? ipWarnings(ip, `status.loadBalancer.ingress[${index}]`) : [],
    );
  const isOld = object.metadata.annotations?.[classAnnotation] !== undefined;
  return !old && isOld && of(object).spec.ingressClassName === undefined
    ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
    : [];
}

/** At most three hosts; the count of further ones includes rules without a host. */
function hosts(rules: readonly { host?: string }[]): string {
  const named = rules.flatMap(({ host }) => host || []);
  if (named.length === 0) return '*';
  const shown = named.slice(0, 3).join(',');
  const third = rules.indexOf(rules.filter(({ host }) => host)[2]!);
  return third >= 0 && third < rules.length - 1 ? `${shown} + ${rules.length - 3} more...` : shown;
}
