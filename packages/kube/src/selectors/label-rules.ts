/** Validates keys and values of labels, for callers that need only a yes or no. */

import type { LabelRules } from './label-selector.ts';

const keyName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const keyPrefix = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const isKey = (key: string): boolean => {
  const [name = '', prefix, ...more] = key.split('/').reverse();
  const isPrefix = prefix === undefined || (prefix.length <= 253 && keyPrefix.test(prefix));
  return more.length === 0 && isPrefix && name.length <= 63 && keyName.test(name);
};

export const plainLabelRules: LabelRules = {
  keyFaults: (key) => (isKey(key) ? [] : ['not a label key']),
  valueFaults: (value) => (value.length <= 63 && labelValue.test(value) ? [] : ['not a label value']),
  text: (faults) =>
    faults.map(({ field, value, detail }) => `${field}: ${detail}: ${JSON.stringify(value)}`).join(', '),
};
