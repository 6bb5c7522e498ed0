/** Warnings for the author of a pod, or of a pod template (`api/pod/warnings.go`). */

import { quoted } from '../../errors/quoted.ts';
import type { ObjectMeta } from '../../registry/kube-object.ts';
import type { SelectorObject } from '../../selectors/selector-object.ts';
import { isSame } from '../rules/equality.ts';
import { ipWarnings } from '../rules/ip-rules.ts';
import { deprecatedNodeLabels } from '../rules/node-labels.ts';
import { type NodeTerm, nodeTermWarnings } from '../rules/node-term-warnings.ts';
import { claimSpecWarnings, fractionWarnings } from './fraction-warnings.ts';
import { overlapWarnings } from './path-warnings.ts';
import type { Container, EnvVar, PodSpec, PodTemplate, Volume } from './pod-spec.ts';
import { portWarnings } from './port-warnings.ts';

interface PodTerm {
  labelSelector?: SelectorObject;
}

interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: { podAffinityTerm: PodTerm }[];
}

interface WarnedSpec extends PodSpec {
  affinity?: {
    nodeAffinity?: {
      requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeTerm[] };
      preferredDuringSchedulingIgnoredDuringExecution?: { preference: NodeTerm }[];
    };
    podAffinity?: PodAffinity;
    podAntiAffinity?: PodAffinity;
  };
  topologySpreadConstraints?: { topologyKey: string; labelSelector?: SelectorObject }[];
  hostAliases?: { ip: string }[];
  dnsConfig?: { nameservers?: string[] };
}

/** With the path of its spec. */
export type PathOf<T> = readonly [one: T, path: string];

export function podSpecWarnings(given: PodSpec, metadata: ObjectMeta, at: string): string[] {
  const spec = given as WarnedSpec;
  const path = at ? `${at}.spec` : 'spec';
  const annotationsAt = at ? `${at}.metadata.annotations` : 'metadata.annotations';
  const annotations = metadata.annotations ?? {};
  const containers = containersOf(spec, path);
  return [
    ...placementWarnings(spec, path),
    ...deprecatedAnnotations.flatMap(([key, why]) => (key in annotations ? [`${annotationsAt}[${key}]: ${why}`] : [])),
    ...(spec.volumes ?? []).flatMap((volume, index) => volumeWarnings(volume, `${path}.volumes[${index}]`)),
    ...overlapWarnings(spec.volumes ?? []),
    ...repeated(spec.hostAliases, ({ ip }) => ip, 'ip', `${path}.hostAliases`),
    ...repeated(spec.imagePullSecrets, ({ name = '' }) => name, 'name', `${path}.imagePullSecrets`),
    ...(spec.imagePullSecrets ?? []).flatMap(({ name }, index) =>
      name ? [] : [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`],
    ),
    ...fractionWarnings(spec.overhead, `${path}.overhead`),
    ...(seccompKey in annotations && !spec.securityContext?.['seccompProfile']
      ? [`${annotationsAt}[${seccompKey}]: ${seccompWhy}`]
      : []),
    ...containers.flatMap(([container, where]) => [
      ...profileWarnings(spec, container, annotations, annotationsAt, at !== ''),
      ...resourceWarnings(container, where),
      ...environmentWarnings(container.env ?? [], where),
    ]),
    ...portWarnings(containers),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...(['podAffinity', 'podAntiAffinity'] as const).flatMap((field) =>
      affinityWarnings(spec.affinity?.[field] ?? {}, `${path}.affinity.${field}`),
    ),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((ip, index) =>
      ipWarnings(ip, `${path}.dnsConfig.nameservers[${index}]`),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip }, index) => ipWarnings(ip, `${path}.hostAliases[${index}].ip`)),
  ];
}

export const templateWarnings = ({ metadata = {}, spec = {} }: PodTemplate, at: string): string[] =>
  podSpecWarnings(spec, metadata, at);

const containersOf = (spec: PodSpec, path: string): PathOf<Container>[] =>
  (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((field) =>
    (spec[field] ?? []).map((container, index) => [container, `${path}.${field}[${index}]`] as const),
  );

function placementWarnings(spec: WarnedSpec, path: string): string[] {
  const { requiredDuringSchedulingIgnoredDuringExecution: required, ...node } = spec.affinity?.nodeAffinity ?? {};
  const at = `${path}.affinity.nodeAffinity`;
  return [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap((key) => {
      const why = deprecatedNodeLabels.get(key);
      return why ? [`${path}.nodeSelector[${key}]: ${why}`] : [];
    }),
    ...(required?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      nodeTermWarnings(term, `${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`, false),
    ),
    ...(node.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ preference }, index) =>
      nodeTermWarnings(preference, `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`, true),
    ),
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ topologyKey, labelSelector }, index) => {
      const where = `${path}.topologySpreadConstraints[${index}]`;
      const why = deprecatedNodeLabels.get(topologyKey);
      return [
        ...(why ? [`${where}.topologyKey: ${topologyKey} is ${why}`] : []),
        ...(labelSelector ? [] : [`${where}.labelSelector: ${noSelector}`]),
      ];
    }),
  ];
}

const noSelector = 'a null labelSelector results in matching no pod';

function affinityWarnings(affinity: PodAffinity, at: string): string[] {
  const { requiredDuringSchedulingIgnoredDuringExecution: required = [] } = affinity;
  const { preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } = affinity;
  return [
    ...required.flatMap(({ labelSelector }, index) =>
      labelSelector
        ? []
        : [`${at}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${noSelector}`],
    ),
    ...preferred.flatMap(({ podAffinityTerm: { labelSelector } }, index) =>
      labelSelector
        ? []
        : [
            `${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm.labelSelector: ${noSelector}`,
          ],
    ),
  ];
}

const deprecatedAnnotations = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const;

/** Drivers that were removed, or are disabled. */
const removedVolumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

function volumeWarnings(volume: Volume, at: string): string[] {
  const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
  return [
    ...Object.entries(removedVolumes).flatMap(([source, why]) =>
      // Kubernetes uses this name in warnings only.
      volume[source] ? [`${at}.${source === 'storageos' ? 'storageOS' : source}: ${why}`] : [],
    ),
    ...(claim ? claimSpecWarnings(claim, `${at}.ephemeral.volumeClaimTemplate.spec`) : []),
  ];
}

function repeated<T>(list: readonly T[] = [], nameOf: (one: T) => string, field: string, at: string): string[] {
  const seen = new Set<string>();
  return list.flatMap((one, index) => {
    const name = nameOf(one);
    if (seen.has(name)) return [`${at}[${index}].${field}: duplicate ${field} ${quoted(name)}`];
    seen.add(name);
    return [];
  });
}

const seccompKey = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompWhy = 'non-functional in v1.27+; use the "seccompProfile" field instead';
const containerSeccompKey = 'container.seccomp.security.alpha.kubernetes.io/';
const appArmorKey = 'container.apparmor.security.beta.kubernetes.io/';

function profileWarnings(
  { securityContext: ofPod }: PodSpec,
  { name, securityContext }: Container,
  annotations: Readonly<Record<string, string>>,
  at: string,
  isTemplate: boolean,
): string[] {
  const seccomp = `${containerSeccompKey}${name}`;
  const appArmor = `${appArmorKey}${name}`;
  const profile = annotations[appArmor];
  const isOther =
    profile !== undefined && !(ofPod?.['appArmorProfile'] && isSame(ofPod['appArmorProfile'], appArmorOf(profile)));
  return [
    ...(seccomp in annotations && !securityContext?.['seccompProfile'] ? [`${at}[${seccomp}]: ${seccompWhy}`] : []),
    ...(isTemplate && isOther && !securityContext?.['appArmorProfile']
      ? [`${at}[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`]
      : []),
  ];
}

function appArmorOf(annotation: string): object | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const [, localhostProfile] = /^localhost\/(.+)$/.exec(annotation) ?? [];
  return localhostProfile ? { type: 'Localhost', localhostProfile } : undefined;
}

const resourceWarnings = ({ resources }: Container, at: string): string[] =>
  (['memory', 'ephemeral-storage'] as const).flatMap((name) => [
    ...fractionWarnings(resources?.limits, `${at}.resources.limits`, [name]),
    ...fractionWarnings(resources?.requests, `${at}.resources.requests`, [name]),
  ]);

/** A repeated name is not reported if its new value refers to the old one. */
function environmentWarnings(variables: readonly EnvVar[], at: string): string[] {
  const seen = new Set<string>();
  return variables.flatMap(({ name, value = '', valueFrom }, index) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const reference = `$(${name})`;
    const isHiding = valueFrom !== undefined || value === reference || !value.includes(reference);
    return isHiding
      ? [`${at}.env[${index}]: hides previous definition of ${quoted(name)}, which may be dropped when using apply`]
      : [];
  });
}
