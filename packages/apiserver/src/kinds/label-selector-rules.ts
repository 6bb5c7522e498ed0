/** Validates label selectors in objects (apimachinery `ValidateLabelSelector`). */

import { type FieldError, forbiddenField, invalidValue, required } from '../errors/field-error.ts';
import { labelKeyFaults, labelValueFaults } from '../names/name-rules.ts';
import type { SelectorObject } from '../selectors/selector-object.ts';

export const labelSelectorErrors = (selector: SelectorObject, at: string): FieldError[] => [
  ...Object.entries(selector.matchLabels ?? {}).flatMap(([key, value]) => [
    ...labelKeyFaults(key).map((fault) => invalidValue(`${at}.matchLabels`, key, fault)),
    ...labelValueFaults(value).map((fault) => invalidValue(`${at}.matchLabels`, value, fault)),
  ]),
  ...(selector.matchExpressions ?? []).flatMap(({ key, operator, values = [] }, index) => {
    const here = `${at}.matchExpressions[${index}]`;
    return [
      ...operatorErrors(operator, values, here),
      ...labelKeyFaults(key).map((fault) => invalidValue(`${here}.key`, key, fault)),
      ...values.flatMap((value, place) =>
        labelValueFaults(value).map((fault) => invalidValue(`${here}.values[${place}]`, value, fault)),
      ),
    ];
  }),
];

function operatorErrors(operator: string, values: readonly string[], at: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalidValue(`${at}.operator`, operator, 'not a valid selector operator')];
  }
}
