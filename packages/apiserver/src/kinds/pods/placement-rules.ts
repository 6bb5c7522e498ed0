/** Validates the scheduling, network and security context of a pod. */

import { duplicate, type FieldError, invalidValue, notSupported, required } from '../../errors/field-error.ts';
import { dnsSubdomainFaults, labelKeyFaults } from '../../names/name-rules.ts';
import type { SelectorObject } from '../../selectors/selector-object.ts';
import { faultsAt } from '../field-rules.ts';
import { labelSelectorErrors } from '../label-selector-rules.ts';
import { ipErrors } from '../services/addresses.ts';
import { type DnsConfig, dnsErrors } from './dns-rules.ts';
import { type NodeSelector, type NodeTerm, nodeSelectorErrors, nodeTermErrors } from './node-selector-rules.ts';
import type { PodSpec } from './pod-spec.ts';
import { securityErrors } from './security-rules.ts';

interface Spread {
  maxSkew?: number;
  topologyKey?: string;
  whenUnsatisfiable?: string;
  labelSelector?: SelectorObject;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
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
  dnsConfig?: DnsConfig;
  os?: { name?: string };
  affinity?: {
    nodeAffinity?: {
      requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
      preferredDuringSchedulingIgnoredDuringExecution?: { weight?: number; preference?: NodeTerm }[];
    };
    podAffinity?: PodAffinity;
    podAntiAffinity?: PodAffinity;
  };
}

const inclusion = ['Honor', 'Ignore'];
const unsatisfied = ['DoNotSchedule', 'ScheduleAnyway'];

export function placementErrors(given: PodSpec, path: string): FieldError[] {
  const spec = given as Placement;
  return [
    ...securityErrors(spec.securityContext, `${path}.securityContext`),
    ...affinityErrors(spec, `${path}.affinity`),
    ...dnsErrors(spec.dnsPolicy, spec.dnsConfig, `${path}.dnsConfig`),
    ...gateErrors(spec, `${path}.schedulingGates`),
    ...(spec.topologySpreadConstraints ?? []).flatMap((one, index, all) =>
      spreadErrors(one, all.slice(index + 1), `${path}.topologySpreadConstraints[${index}]`),
    ),
  ];
}

/** Reported last. */
export function systemErrors(spec: PodSpec, path: string): FieldError[] {
  const { os } = spec as Placement;
  if (!os) return [];
  if (!os.name) return [required(`${path}.name`)];
  return ['linux', 'windows'].includes(os.name) ? [] : [notSupported(path, os.name, ['linux', 'windows'])];
}

export const hostAliasErrors = (spec: PodSpec, path: string): FieldError[] =>
  ((spec as Placement).hostAliases ?? []).flatMap(({ ip, hostnames = [] }, index) => [
    ...ipErrors(`${path}[${index}].ip`, ip),
    ...hostnames.flatMap((name, at) => faultsAt(`${path}[${index}].hostnames[${at}]`, name, dnsSubdomainFaults(name))),
  ]);

function affinityErrors({ affinity }: Placement, path: string): FieldError[] {
  const { requiredDuringSchedulingIgnoredDuringExecution: nodes, ...soft } = affinity?.nodeAffinity ?? {};
  const preferred = soft.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...(nodes ? nodeSelectorErrors(nodes, `${path}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution`) : []),
    ...preferred.flatMap(({ weight = 0, preference = {} }, index) => {
      const at = `${path}.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      return [...weightErrors(weight, at), ...nodeTermErrors(preference, `${at}.preference`, false)];
    }),
    ...podTermsErrors(affinity?.podAffinity ?? {}, `${path}.podAffinity`),
    ...podTermsErrors(affinity?.podAntiAffinity ?? {}, `${path}.podAntiAffinity`),
  ];
}

const weightErrors = (weight: number, at: string): FieldError[] =>
  weight < 1 || weight > 100 ? [invalidValue(`${at}.weight`, weight, 'must be in the range 1-100')] : [];

function podTermsErrors(affinity: PodAffinity, path: string): FieldError[] {
  const hard = affinity.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const soft = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...hard.flatMap((term, index) =>
      podTermErrors(term, `${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`),
    ),
    ...soft.flatMap(({ weight = 0, podAffinityTerm = {} }, index) => {
      const at = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      return [...weightErrors(weight, at), ...podTermErrors(podAffinityTerm, `${at}.podAffinityTerm`)];
    }),
  ];
}

const podTermErrors = ({ topologyKey = '', labelSelector }: PodTerm, at: string): FieldError[] => [
  ...(labelSelector ? labelSelectorErrors(labelSelector, `${at}.labelSelector`) : []),
  ...(topologyKey === '' ? [required(`${at}.topologyKey`, 'can not be empty')] : []),
  ...faultsAt(`${at}.topologyKey`, topologyKey, labelKeyFaults(topologyKey)),
];

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

function spreadErrors(spread: Spread, others: readonly Spread[], at: string): FieldError[] {
  const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', labelSelector, minDomains } = spread;
  const isAgain = others.some(
    (other) => (other.topologyKey ?? '') === topologyKey && (other.whenUnsatisfiable ?? '') === whenUnsatisfiable,
  );
  return [
    ...(maxSkew > 0 ? [] : [invalidValue(`${at}.maxSkew`, maxSkew, 'must be greater than zero')]),
    ...(topologyKey ? [] : [required(`${at}.topologyKey`, 'can not be empty')]),
    ...(unsatisfied.includes(whenUnsatisfiable)
      ? []
      : [notSupported(`${at}.whenUnsatisfiable`, whenUnsatisfiable, unsatisfied)]),
    ...(isAgain ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`)] : []),
    ...(minDomains !== undefined && minDomains <= 0
      ? [invalidValue(`${at}.minDomains`, minDomains, 'must be greater than zero')]
      : []),
    ...(minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule'
      ? [
          invalidValue(
            `${at}.minDomains`,
            minDomains,
            `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
          ),
        ]
      : []),
    ...(['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const).flatMap((field) =>
      spread[field] === undefined || inclusion.includes(spread[field])
        ? []
        : [notSupported(`${at}.${field}`, spread[field], inclusion)],
    ),
    ...(labelSelector ? labelSelectorErrors(labelSelector, `${at}.labelSelector`) : []),
  ];
}
