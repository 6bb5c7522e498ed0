/** How nodes are selected by their labels and fields (`ValidateNodeSelector`). */

import { type FieldError, forbiddenField, invalidNamedText, required } from '../../errors/field-error.ts';
import { labelKeyFaults } from '../../names/name-rules.ts';
import { faultsAt } from '../field-rules.ts';

interface Requirement {
  key: string;
  operator: string;
  values?: string[];
}

export interface NodeSelector {
  nodeSelectorTerms?: { matchExpressions?: Requirement[] }[] | null;
}

export function nodeSelectorErrors({ nodeSelectorTerms }: NodeSelector, path: string): FieldError[] {
  const terms = nodeSelectorTerms ?? [];
  const field = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(field, 'must have at least one node selector term')];
  return terms.flatMap(({ matchExpressions = [] }, index) =>
    matchExpressions.flatMap((one, place) => expressionErrors(one, `${field}[${index}].matchExpressions[${place}]`)),
  );
}

function expressionErrors({ key, operator, values = [] }: Requirement, at: string): FieldError[] {
  return [...valueErrors(operator, values.length, at), ...faultsAt(`${at}.key`, key, labelKeyFaults(key))];
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
      return [invalidNamedText(`${at}.operator`, operator, 'not a valid selector operator')];
  }
}
