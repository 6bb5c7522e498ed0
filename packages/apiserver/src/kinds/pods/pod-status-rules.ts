/** Validates updates of a Pod's status (`ValidatePodStatusUpdate`). */

import { type FieldError, forbiddenField, invalidNamedText, invalidValue } from '../../errors/field-error.ts';
import { dnsSubdomainFaults, labelKeyFaults } from '../../names/name-rules.ts';
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
    ...conditionErrors((status['conditions'] ?? []) as Condition[]),
    ...hostErrors(status['hostIP'], addressesOf(status['hostIPs'])),
    ...['podIPs', 'hostIPs'].flatMap((list) => {
      const [given, known] = [addressesOf(status[list]), addressesOf(before[list])];
      return [
        ...given.flatMap((ip, index) => ipErrors(`status.${list}[${index}]`, ip, known)),
        ...familyErrors(given, `status.${list}`),
      ];
    }),
  ];
}

interface Condition {
  type?: string;
  observedGeneration?: number;
}

/** Kubernetes' own, some of which are not valid qualified names. */
const systemConditions = ['PodScheduled', 'Ready', 'Initialized'];

const conditionErrors = (conditions: readonly Condition[]): FieldError[] =>
  conditions.flatMap(({ type = '', observedGeneration = 0 }, index) => {
    const at = `status.conditions[${index}]`;
    return [
      ...(observedGeneration < 0
        ? [invalidValue(`${at}.observedGeneration`, observedGeneration, 'must be a non-negative integer')]
        : []),
      ...(systemConditions.includes(type) ? [] : faultsAt(`${at}.Type`, type, labelKeyFaults(type))),
    ];
  });

const hostErrors = (hostIP: unknown, [first]: readonly string[]): FieldError[] =>
  first === undefined || first === (hostIP ?? '')
    ? []
    : [invalidValue('status.hostIPs[0].ip', first, 'must be equal to `hostIP`')];

/** One address, or one of each IP family. */
function familyErrors(addresses: readonly string[], at: string): FieldError[] {
  const isBoth =
    addresses.length === 2 && addresses.some((ip) => ip.includes(':')) && addresses.some((ip) => !ip.includes(':'));
  if (addresses.length <= 1 || isBoth) return [];
  const shown = addresses.map((ip) => ({ IP: ip }));
  return [invalidValue(at, shown, 'may specify no more than one IP for each IP family')];
}
