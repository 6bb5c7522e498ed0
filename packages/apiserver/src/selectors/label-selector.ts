/** Parses label selectors, with kube-apiserver's errors. */

import {
  type LabelRules,
  type LabelSelector,
  parseLabelSelector as parse,
} from '@fleet/kube/selectors/label-selector.ts';
import { invalidValue, textOf } from '../errors/field-error.ts';
import { labelKeyFaults, labelValueFaults } from '../names/name-rules.ts';

const rules: LabelRules = {
  keyFaults: labelKeyFaults,
  valueFaults: labelValueFaults,
  text: (faults) => textOf(faults.map(({ field, value, detail }) => invalidValue(field, value, detail))),
};

/** Undefined selects everything. */
export const parseLabelSelector = (selector: string): LabelSelector | undefined => parse(selector, rules);
