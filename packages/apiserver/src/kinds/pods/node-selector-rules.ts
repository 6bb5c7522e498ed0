/** Validates node selectors (`ValidateNodeSelector`). */

import { type FieldError, forbiddenField, invalidNamedText, invalidValue, required } from '../../errors/field-error.ts';
import { dnsSubdomainFaults, labelKeyFaults, labelValueFaults } from '../../names/name-rules.ts';
import { faultsAt } from '../field-rules.ts';

interface Requirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface NodeTerm {
  matchExpressions?: Requirement[];
  matchFields?: Requirement[];
}

export interface NodeSelector {
  nodeSelectorTerms?: NodeTerm[] | null;
}

export function nodeSelectorErrors({ nodeSelectorTerms }: NodeSelector, path: string): FieldError[] {
  const terms = nodeSelectorTerms ?? [];
  const field = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(field, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => nodeTermErrors(term, `${field}[${index}]`, true));
}

/** `checksValues` is false for preferred terms, whose values may be invalid label values. */
export const nodeTermErrors = (
  { matchExpressions = [], matchFields = [] }: NodeTerm,
  at: string,
  checksValues: boolean,
): FieldError[] => [
  ...matchExpressions.flatMap((one, place) => [
    ...expressionErrors(one, `${at}.matchExpressions[${place}]`),
    ...(checksValues ? (one.values ?? []) : []).flatMap((value, index) =>
      faultsAt(`${at}.matchExpressions[${place}].values[${index}]`, value, labelValueFaults(value)),
    ),
  ]),
  ...matchFields.flatMap((one, place) => fieldErrors(one, `${at}.matchFields[${place}]`)),
];

function expressionErrors({ key, operator, values = [] }: Requirement, at: string): FieldError[] {
  return [...valueErrors(operator, values.length, at), ...faultsAt(`${at}.key`, key, labelKeyFaults(key))];
}

const noOperator = 'not a valid selector operator';

function fieldErrors({ key, operator, values = [] }: Requirement, at: string): FieldError[] {
  const onlyOne = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  return [
    ...(['In', 'NotIn'].includes(operator)
      ? values.length === 1
        ? []
        : [required(`${at}.values`, onlyOne)]
      : [invalidNamedText(`${at}.operator`, operator, noOperator)]),
    ...(key === 'metadata.name'
      ? values.flatMap((value, index) => faultsAt(`${at}.values[${index}]`, value, dnsSubdomainFaults(value)))
      : [invalidValue(`${at}.key`, key, 'not a valid field selector key')]),
  ];
}

function valueErrors(operator: string, count: number, at: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return count === 1
        ? []
        : [required(`${at}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidNamedText(`${at}.operator`, operator, noOperator)];
  }
}
