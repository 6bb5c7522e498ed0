/** Builds a template from an object of a member, and a policy that selects the same cluster (FED-24). */

import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { OverridePolicy, PropagationPolicy } from '@fleet/federation/api/policies.ts';
import { decide } from '@fleet/federation/claim/decide.ts';
import { isNeverTemplate } from '@fleet/federation/claim/never-templates.ts';
import { scanOf } from '@fleet/federation/claim/policy-index.ts';
import { applyOverrides } from '@fleet/federation/override/apply-overrides.ts';
import type { SchedulableCluster } from '@fleet/federation/schedule/candidates.ts';
import { manifestOf } from '@fleet/federation/work/manifest.ts';
import { isManaged } from '@fleet/federation/work/marks.ts';
import { bindingName } from '@fleet/federation/work/work-name.ts';
import { HintedError } from '../errors.ts';
import { objectText, placeText, policyText } from '../federation-texts.ts';
import { differences } from './differences.ts';

export interface Promotion {
  template: AnyObject;
  policy: PropagationPolicy & AnyObject;
}

export interface PromotionParts {
  /** As the member has it. */
  object: AnyObject;
  cluster: string;
  /** Whether something in the member sets its replicas. */
  isScaledThere: boolean;
}

/** An autoscaler in the member sets its replicas, not the template (FED-12). */
const retainReplicas = { 'resourcetemplate.karmada.io/retain-replicas': 'true' };

export function promotionOf({ object, cluster, isScaledThere }: PromotionParts): Promotion {
  refuse(object, cluster);
  const manifest = manifestOf(object);
  const { labels, ...metadata } = manifest.metadata;
  const own = isScaledThere ? { ...labels, ...retainReplicas } : labels;
  const template = { ...manifest, metadata: { ...metadata, ...(own ? { labels: own } : {}) } };
  return { template, policy: policyFor(object, cluster) };
}

function refuse(object: AnyObject, cluster: string): void {
  const what = `${objectText(object)} of ${cluster}`;
  if (isManaged(object)) throw new HintedError(`${what} belongs to a template already`, treeHint(object));
  if (object.metadata.deletionTimestamp !== undefined) throw new Error(`${what} is being deleted`);
  if (isNeverTemplate(object))
    throw new Error(`${what} cannot be a template: its kind or its namespace belongs to the system`);
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller);
  if (owner) throw new HintedError(`${what} is made by ${owner.kind} "${owner.name}"`, 'Promote that instead');
}

const treeHint = ({ kind, metadata }: AnyObject): string =>
  `See "fleet tree ${kind.toLowerCase()}/${metadata.name}${metadata.namespace ? ` -n ${metadata.namespace}` : ''}"`;

/** By its name, to this cluster alone, as many replicas as it has. */
function policyFor({ apiVersion, kind, metadata }: AnyObject, cluster: string): Promotion['policy'] {
  const { namespace, name } = metadata;
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: namespace ? 'PropagationPolicy' : 'ClusterPropagationPolicy',
    metadata: { name: bindingName(kind, name), ...(namespace ? { namespace } : {}) },
    spec: {
      resourceSelectors: [{ apiVersion, kind, name }],
      conflictResolution: 'Overwrite',
      placement: { clusterAffinity: { clusterNames: [cluster] } },
    },
  };
}

/** Another policy would select other clusters, and would not take over the object in this one. */
export function refuseOtherPolicy({ template, policy }: Promotion, stored: readonly PropagationPolicy[]): void {
  const decision = decide(template, scanOf([...stored, policy]), undefined);
  if (decision.is === 'take' && decision.policy === policy) return;
  const other = decision.is === 'take' ? `${policyText(decision.policy)} would take it` : 'no policy would take it';
  throw new HintedError(
    `${objectText(template)} cannot be promoted: ${other}`,
    'Lower its priority, or let it select something else, until the object is promoted',
  );
}

export interface Rewrite {
  /** As the control plane would store it, with its defaults. */
  template: AnyObject;
  object: AnyObject;
  cluster: SchedulableCluster;
  clusterOverrides: readonly OverridePolicy[];
  overrides: readonly OverridePolicy[];
}

/** What pods are made from must stay as it is: any other template of them would replace the pods. */
export function refuseRestart({ template, object, cluster, clusterOverrides, overrides }: Rewrite): void {
  const { manifest } = applyOverrides(template, cluster, clusterOverrides, overrides);
  const changed = differences(podTemplateOf(object), podTemplateOf(manifest), 'spec.template');
  if (changed.length === 0) return;
  const { metadata } = object;
  throw new HintedError(
    `${object.kind} ${placeText(metadata)} of ${cluster.metadata.name} cannot be promoted without new pods: ${changed.slice(0, 5).join(', ')} would change`,
    'Override policies that match it, and defaults of the control plane, change objects',
  );
}

const podTemplateOf = ({ spec }: AnyObject): unknown => (spec as { template?: unknown } | undefined)?.template;
