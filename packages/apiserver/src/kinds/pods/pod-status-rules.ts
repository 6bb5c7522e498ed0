/** What the status of a Pod may become (`ValidatePodStatusUpdate`). */

import { type FieldError, forbiddenField, invalidNamedText, invalidValue } from '../../errors/field-error.ts';
import { dnsSubdomainFaults } from '../../names/name-rules.ts';
import type { KubeObject } from '../../registry/kube-object.ts';
import { faultsAt } from '../field-rules.ts';
import { ipErrors } from '../services/addresses.ts';
import { specOf, statusOf } from './pod-changes.ts';

const addressesOf = (list: unknown): string[] => ((list ?? []) as { ip?: string }[]).map(({ ip = '' }) => ip);

export function podStatusErrors(pod: KubeObject, old: KubeObject): FieldError[] {
  const [status, before] = [statusOf(pod), statusOf(old)];
  const { nominatedNodeName: node = '', observedGeneration = 0, qosClass } = status;
  const isOther = node !== '' && node !== (before.nominatedNodeName ?? '');
  return [
    ...(isOther ? faultsAt('status.nominatedNodeName', node, dnsSubdomainFaults(node)) : []),
    ...(isOther && specOf(old).nodeName
      ? [forbiddenField('status.nominatedNodeName', 'may not be set on pods that are already bound to a node')]
      : []),
    ...(observedGeneration < 0
      ? [invalidValue('status.observedGeneration', observedGeneration, 'must be a non-negative integer')]
      : []),
    ...(qosClass === before.qosClass ? [] : [invalidNamedText('status.qosClass', qosClass, 'field is immutable')]),
    ...['podIPs', 'hostIPs'].flatMap((list) => {
      const known = addressesOf(before[list]);
      return addressesOf(status[list]).flatMap((ip, index) => ipErrors(`status.${list}[${index}]`, ip, known));
    }),
  ];
}
