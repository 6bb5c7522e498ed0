/** What is wrong with one rule of a webhook. */

import { type Fault, invalid, notSupported, required } from './faults.ts';
import type { Codec } from './hook-model.ts';
import { acceptedNames } from './operation-names.ts';

export function ruleFaults(codec: Codec, field: string, rule: Record<string, unknown>): Fault[] {
  const faults = [
    ...operationFaults(codec, `${field}.operations`, rule['operations']),
    ...listFaults(`${field}.apiGroups`, rule['apiGroups'], 'API groups', true),
    ...listFaults(`${field}.apiVersions`, rule['apiVersions'], 'API versions'),
  ];
  if (codec === 'interpret') return [...faults, ...listFaults(`${field}.kinds`, rule['kinds'], 'kinds')];
  faults.push(...listFaults(`${field}.resources`, rule['resources'], 'resources'));
  const { scope } = rule;
  const isScope = scope === undefined || scope === null || scopes.includes(scope);
  return isScope ? faults : [...faults, notSupported(`${field}.scope`, scope, ['*', 'Cluster', 'Namespaced'])];
}

const scopes: readonly unknown[] = ['*', 'Cluster', 'Namespaced'];

function operationFaults(codec: Codec, field: string, names: unknown): Fault[] {
  const accepted = ['*', ...acceptedNames[codec]];
  const faults = listFaults(field, names, 'operations', true);
  if (!Array.isArray(names)) return faults;
  names.forEach((name: unknown, index) => {
    if (!accepted.some((one) => one === name)) faults.push(notSupported(`${field}[${index}]`, name, accepted));
  });
  return faults;
}

/** `*` has to be the only item. Empty texts are allowed for groups only: the core group is the empty text. */
function listFaults(field: string, list: unknown, others: string, allowsEmpty = false): Fault[] {
  if (list !== undefined && list !== null && !Array.isArray(list)) return [invalid(field, list, 'must be a list')];
  const texts: readonly unknown[] = list ?? [];
  if (texts.length === 0) return [required(field)];
  const faults: Fault[] = [];
  const star = texts.find((text) => text === '*' || text === '*/*');
  if (texts.length > 1 && star !== undefined) {
    faults.push(invalid(field, texts, `if '${star}' is present, must not specify other ${others}`));
  }
  texts.forEach((text, index) => {
    if (typeof text !== 'string') faults.push(invalid(`${field}[${index}]`, text, 'must be a string'));
    else if (text === '' && !allowsEmpty) faults.push(required(`${field}[${index}]`));
  });
  return faults;
}
