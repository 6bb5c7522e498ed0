/** The kind IngressClass (Kubernetes' `networking/validation`). */

import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../errors/field-error.ts';
import { dnsLabelFaults, dnsSubdomainFaults, pathSegmentFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import type { PrintedKind } from '../../registry/printed-kind.ts';
import { none } from '../printing/cells.ts';
import { kindColumns } from '../printing/printed-columns.ts';
import { domainPathErrors } from '../rules/domain-names.ts';
import { immutableErrors } from '../rules/equality.ts';
import { objectMetaErrors, objectMetaUpdateErrors } from '../rules/metadata.ts';
import { served } from '../served.ts';

interface Parameters {
  apiGroup?: string;
  kind?: string;
  name?: string;
  scope?: string;
  namespace?: string;
}

interface IngressClass {
  spec: { controller?: string; parameters?: Parameters };
}

const facts = served('networking.k8s.io', 'ingressclasses');

const of = (object: KubeObject): IngressClass => object as unknown as IngressClass;

const longestController = 250;
const scopes = ['Cluster', 'Namespace'];

function classErrors(object: KubeObject): FieldError[] {
  const { controller = '', parameters } = of(object).spec;
  const at = 'spec.controller';
  return [
    ...objectMetaErrors(object, facts),
    ...(Buffer.byteLength(controller) > longestController ? [tooLong(at, longestController)] : []),
    ...domainPathErrors(controller, at),
    ...(parameters ? parameterErrors(parameters, 'spec.parameters') : []),
  ];
}

function parameterErrors(parameters: Parameters, at: string): FieldError[] {
  const { apiGroup, scope } = parameters;
  return [
    ...(apiGroup === undefined
      ? []
      : dnsSubdomainFaults(apiGroup).map((fault) => invalidValue(`${at}.apiGroup`, apiGroup, fault))),
    ...(['kind', 'name'] as const).flatMap((field) => {
      const value = parameters[field] ?? '';
      if (value === '') return [required(`${at}.${field}`)];
      return pathSegmentFaults(value).map((fault) => invalidValue(`${at}.${field}`, value, fault));
    }),
    ...(scope === undefined ? [required(`${at}.scope`)] : scopeErrors(scope, parameters.namespace, at)),
  ];
}

function scopeErrors(scope: string, namespace: string | undefined, at: string): FieldError[] {
  switch (scope) {
    case 'Namespace':
      return namespace === undefined
        ? [required(`${at}.namespace`, "`parameters.scope` is set to 'Namespace'")]
        : dnsLabelFaults(namespace).map((fault) => invalidValue(`${at}.namespace`, namespace, fault));
    case 'Cluster':
      return namespace === undefined
        ? []
        : [forbiddenField(`${at}.namespace`, "`parameters.scope` is set to 'Cluster'")];
    default:
      return [notSupported(`${at}.scope`, scope, scopes)];
  }
}

export const ingressClasses: PrintedKind = {
  ...facts,
  hasGeneration: true,
  checksAgain: 'nothing',
  strategy: {
    complete: (object) => {
      const { parameters } = of(object).spec;
      if (parameters) parameters.scope ??= 'Cluster';
    },
    validateCreate: classErrors,
    validateUpdate: (object, old) => [
      ...objectMetaUpdateErrors(object, old),
      ...immutableErrors(of(object).spec.controller ?? '', of(old).spec.controller ?? '', 'spec.controller'),
      ...classErrors(object),
    ],
  },
  columns: kindColumns<IngressClass>(facts, {
    Name: ({ metadata: { name = '', annotations = {} } }) =>
      annotations['ingressclass.kubernetes.io/is-default-class'] === 'true' ? `${name} (default)` : name,
    Controller: ({ spec }) => spec?.controller ?? '',
    Parameters: ({ spec }) => {
      if (!spec?.parameters) return none;
      const { apiGroup, kind = '', name = '' } = spec.parameters;
      return `${apiGroup === undefined ? kind : `${kind}.${apiGroup}`}/${name}`;
    },
  }),
};
