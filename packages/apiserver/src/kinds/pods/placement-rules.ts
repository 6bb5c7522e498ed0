/** Where a pod may run, and what its network and users may be. */

import { duplicate, type FieldError, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { dnsSubdomainFaults, labelKeyFaults } from '../../names/name-rules.ts';
import type { SelectorObject } from '../../selectors/selector-object.ts';
import { faultsAt } from '../field-rules.ts';
import { labelSelectorErrors } from '../label-selector-rules.ts';
import { ipErrors } from '../services/addresses.ts';
import { type NodeSelector, nodeSelectorErrors } from './node-selector-rules.ts';
import type { PodSpec } from './pod-spec.ts';
import { securityErrors } from './security-rules.ts';

interface Spread {
  maxSkew?: number;
  topologyKey?: string;
  whenUnsatisfiable?: string;
  labelSelector?: SelectorObject;
}

interface PodTerm {
  topologyKey?: string;
  labelSelector?: SelectorObject;
}

interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: { weight?: number; podAffinityTerm?: PodTerm }[];
}

interface Placement extends PodSpec {
  topologySpreadConstraints?: Spread[];
  hostAliases?: { ip: string; hostnames?: string[] }[];
  dnsConfig?: { nameservers?: string[] };
  affinity?: {
    nodeAffinity?: { requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector };
    podAffinity?: PodAffinity;
    podAntiAffinity?: PodAffinity;
  };
}

const unsatisfied = ['DoNotSchedule', 'ScheduleAnyway'];

export function placementErrors(given: PodSpec, path: string): FieldError[] {
  const spec = given as Placement;
  return [
    ...securityErrors(spec.securityContext, `${path}.securityContext`),
    ...affinityErrors(spec, `${path}.affinity`),
    ...dnsErrors(spec, `${path}.dnsConfig`),
    ...gateErrors(spec, `${path}.schedulingGates`),
    ...(spec.topologySpreadConstraints ?? []).flatMap((one, index) =>
      spreadErrors(one, `${path}.topologySpreadConstraints[${index}]`),
    ),
  ];
}

export const hostAliasErrors = (spec: PodSpec, path: string): FieldError[] =>
  ((spec as Placement).hostAliases ?? []).flatMap(({ ip, hostnames = [] }, index) => [
    ...ipErrors(`${path}[${index}].ip`, ip),
    ...hostnames.flatMap((name, at) => faultsAt(`${path}[${index}].hostnames[${at}]`, name, dnsSubdomainFaults(name))),
  ]);

function affinityErrors({ affinity }: Placement, path: string): FieldError[] {
  const nodes = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return [
    ...(nodes ? nodeSelectorErrors(nodes, `${path}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution`) : []),
    ...podTermsErrors(affinity?.podAffinity ?? {}, `${path}.podAffinity`),
    ...podTermsErrors(affinity?.podAntiAffinity ?? {}, `${path}.podAntiAffinity`),
  ];
}

function podTermsErrors(affinity: PodAffinity, path: string): FieldError[] {
  const hard = affinity.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const soft = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...hard.flatMap((term, index) =>
      podTermErrors(term, `${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`),
    ),
    ...soft.flatMap(({ weight = 0, podAffinityTerm = {} }, index) => {
      const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      return [
        ...(weight < 1 || weight > 100 ? [invalidValue(`${at}.weight`, weight, 'must be in the range 1-100')] : []),
        ...podTermErrors(podAffinityTerm, `${at}.podAffinityTerm`),
      ];
    }),
  ];
}

const podTermErrors = ({ topologyKey = '', labelSelector }: PodTerm, at: string): FieldError[] => [
  ...(labelSelector ? labelSelectorErrors(labelSelector, `${at}.labelSelector`) : []),
  ...(topologyKey === '' ? [required(`${at}.topologyKey`, 'can not be empty')] : []),
  ...faultsAt(`${at}.topologyKey`, topologyKey, labelKeyFaults(topologyKey)),
];

function dnsErrors({ dnsPolicy, dnsConfig }: Placement, path: string): FieldError[] {
  const servers = dnsConfig?.nameservers ?? [];
  if (dnsPolicy === 'None') {
    if (!dnsConfig) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if (servers.length === 0)
      return [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  return [
    ...(servers.length > 3
      ? [invalidValue(`${path}.nameservers`, servers, 'must not have more than 3 nameservers')]
      : []),
    ...servers.flatMap((server, index) => ipErrors(`${path}.nameservers[${index}]`, server)),
  ];
}

function gateErrors({ schedulingGates = [] }: PodSpec, path: string): FieldError[] {
  const seen = new Set<string>();
  return schedulingGates.flatMap(({ name }, index) => {
    const isAgain = seen.has(name);
    seen.add(name);
    return [
      ...faultsAt(`${path}[${index}]`, name, labelKeyFaults(name)),
      ...(isAgain ? [duplicate(`${path}[${index}]`, name)] : []),
    ];
  });
}

function spreadErrors({ maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', labelSelector }: Spread, at: string) {
  return [
    ...(maxSkew > 0 ? [] : [invalidValue(`${at}.maxSkew`, maxSkew, 'must be greater than zero')]),
    ...(topologyKey ? [] : [required(`${at}.topologyKey`, 'can not be empty')]),
    ...(unsatisfied.includes(whenUnsatisfiable)
      ? []
      : [notSupported(`${at}.whenUnsatisfiable`, whenUnsatisfiable, unsatisfied)]),
    ...(labelSelector ? labelSelectorErrors(labelSelector, `${at}.labelSelector`) : []),
  ];
}
