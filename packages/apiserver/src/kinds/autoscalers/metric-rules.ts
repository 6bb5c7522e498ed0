/** Validates the metrics of a HorizontalPodAutoscaler (Kubernetes' `autoscaling/validation`). */

import { parseQuantity } from '@fleet/kube/quantity.ts';
import {
  type FieldError,
  forbiddenField,
  invalidNamedText,
  invalidValue,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { dnsLabelFaults, pathSegmentFaults } from '../../names/name-rules.ts';
import { containerResourceFaults } from '../rules/resource-names.ts';
import { type Metric, type Source, type SourceName, sources, type Target } from './autoscaler.ts';
import { referenceErrors } from './reference-rules.ts';

const fieldOf: Readonly<Record<string, SourceName>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};

/** `takesAnyVersion`: the version of referenced objects was invalid before. */
export function metricErrors(metric: Metric, at: string, takesAnyVersion: boolean): FieldError[] {
  const { type = '' } = metric;
  const expected = Object.hasOwn(fieldOf, type) ? fieldOf[type] : undefined;
  const present = sources.filter((name) => metric[name] !== undefined);
  const [first] = present;
  // Reported before and again after the sources.
  const unknown = expected ? [] : [notSupported(`${at}.type`, type, Object.keys(fieldOf))];
  return [
    ...(type === '' ? [required(`${at}.type`, 'must specify a metric source type')] : []),
    ...unknown,
    ...(first ? sourceErrors(first, metric[first]!, `${at}.${first}`, takesAnyVersion) : []),
    ...(expected && !metric[expected]
      ? [required(`${at}.${expected}`, 'must populate information for the given metric source')]
      : []),
    ...unknown,
    ...(present.length === 1 ? [] : present.filter((name) => name !== expected)).map((name) =>
      forbiddenField(`${at}.${name}`, 'must populate the given metric source only'),
    ),
  ];
}

function sourceErrors(name: SourceName, source: Source, at: string, takesAnyVersion: boolean): FieldError[] {
  const { target } = source;
  const errors = targetErrors(target, `${at}.target`);
  switch (name) {
    case 'object':
      return [
        ...referenceErrors(source.describedObject ?? {}, `${at}.describedObject`, {
          takesNoGroup: true,
          takesAnyVersion,
        }),
        ...identifierErrors(source, at),
        ...errors,
        ...missing(
          at,
          'averageValue',
          [target.value, target.averageValue],
          'must set either a target value or averageValue',
        ),
      ];
    case 'external':
      return [
        ...identifierErrors(source, at),
        ...errors,
        ...missing(
          at,
          'averageValue',
          [target.value, target.averageValue],
          'must set either a target value for metric or a per-pod target',
        ),
        ...(target.value !== undefined && target.averageValue !== undefined
          ? [forbiddenField(`${at}.target.value`, 'may not set both a target value for metric and a per-pod target')]
          : []),
      ];
    case 'pods':
      return [
        ...identifierErrors(source, at),
        ...errors,
        ...missing(at, 'averageValue', [target.averageValue], 'must specify a positive target averageValue'),
      ];
    case 'resource':
      return [...resourceNameErrors(source, at), ...errors, ...utilizationErrors(target, at)];
    case 'containerResource':
      return [...containerErrors(source, at), ...errors, ...utilizationErrors(target, at)];
    default:
      return name satisfies never;
  }
}

const missing = (at: string, field: string, values: readonly unknown[], why: string): FieldError[] =>
  values.every((value) => value === undefined) ? [required(`${at}.target.${field}`, why)] : [];

const resourceNameErrors = ({ name = '' }: Source, at: string): FieldError[] =>
  name === '' ? [required(`${at}.name`, 'must specify a resource name')] : [];

function containerErrors(source: Source, at: string): FieldError[] {
  const { name = '', container = '' } = source;
  return [
    ...resourceNameErrors(source, at),
    ...(name === '' ? [] : containerResourceFaults(name)).map((fault) => invalidValue(`${at}.name`, name, fault)),
    ...(container === ''
      ? [required(`${at}.container`, 'must specify a container')]
      : dnsLabelFaults(container).map((fault) => invalidValue(`${at}.container`, container, fault))),
  ];
}

const utilizationErrors = ({ averageUtilization, averageValue }: Target, at: string): FieldError[] => [
  ...missing(
    at,
    'averageUtilization',
    [averageUtilization, averageValue],
    'must set either a target raw value or a target utilization',
  ),
  ...(averageUtilization !== undefined && averageValue !== undefined
    ? [forbiddenField(`${at}.target.averageValue`, 'may not set both a target raw value and a target utilization')]
    : []),
];

function identifierErrors({ metric = {} }: Source, at: string): FieldError[] {
  const { name = '' } = metric;
  const here = `${at}.metric.name`;
  if (name === '') return [required(here, 'must specify a metric name')];
  return pathSegmentFaults(name).map((fault) => invalidValue(here, name, fault));
}

function targetErrors({ type = '', value, averageValue, averageUtilization }: Target, at: string): FieldError[] {
  return [
    ...(type === '' ? [required(`${at}.type`, 'must specify a metric target type')] : []),
    ...(['Utilization', 'Value', 'AverageValue'].includes(type)
      ? []
      : [invalidNamedText(`${at}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...positiveErrors(value, `${at}.value`),
    ...positiveErrors(averageValue, `${at}.averageValue`),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [invalidValue(`${at}.averageUtilization`, averageUtilization, 'must be greater than 0')]
      : []),
  ];
}

const positiveErrors = (quantity: string | undefined, at: string): FieldError[] =>
  quantity === undefined || parseQuantity(quantity).nano > 0n ? [] : [invalidValue(at, quantity, 'must be positive')];
