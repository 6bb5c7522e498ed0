/** Builds the tree of a template: policy, binding, clusters, Works, objects, and the first error. */

import type { Binding, Health } from '@fleet/federation/api/bindings.ts';
import type { Condition } from '@fleet/federation/api/objects.ts';
import { claimOn } from '@fleet/federation/claim/claim-marks.ts';
import { decide } from '@fleet/federation/claim/decide.ts';
import { scanOf } from '@fleet/federation/claim/policy-index.ts';
import { policyKind } from '../federation-texts.ts';
import { type Branch, branchesOf, conditionOf, healthOf, readyText } from './branches.ts';
import { clusterFault } from './cluster-fault.ts';
import { type Fault, firstFault } from './first-fault.ts';
import type { Reading } from './reading.ts';

interface Reference {
  kind: string;
  namespace?: string;
  name: string;
}

type ShownCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

export interface Tree {
  template: Reference & { apiVersion: string; replicas?: number };
  policy?: Reference;
  binding?: Reference & { conditions: ShownCondition[]; requiredBy?: { namespace?: string; name: string }[] };
  /** In the order of names. */
  clusters: ClusterTree[];
  /** Undefined: the template is applied and healthy wherever it is to be. */
  firstFault?: Fault;
}

export interface ClusterTree {
  name: string;
  replicas?: number;
  ready: boolean;
  health: Health;
  /** Whether it is to be removed there. */
  leaving?: true;
  work?: Reference & { conditions: ShownCondition[] };
  object: { found: boolean; text: string };
  fault?: string;
}

export function treeOf(reading: Reading): Tree {
  const { template, binding } = reading;
  const { apiVersion, kind, metadata } = template;
  const branches = branchesOf(reading);
  const policy = policyOf(reading);
  const fault = firstFault(reading, branches);
  const replicas = binding?.spec.replicas ?? (template['spec'] as { replicas?: number } | undefined)?.replicas;
  return {
    template: { apiVersion, ...referenceTo(kind, metadata), ...(replicas === undefined ? {} : { replicas }) },
    ...(policy ? { policy } : {}),
    ...(binding ? { binding: bindingTree(binding) } : {}),
    clusters: branches.map((branch) => clusterTree(reading, branch)),
    ...(fault ? { firstFault: fault } : {}),
  };
}

/** The one that has it; also one that no longer matches. */
function policyOf({ template, policies }: Reading): Reference | undefined {
  const claim = claimOn(template);
  const decision = decide(template, scanOf(policies), claim);
  if (decision.is === 'keep') return referenceTo(policyKind(decision.policy), decision.policy.metadata);
  if (!claim) return undefined;
  return claim.by === 'namespaced'
    ? { kind: 'PropagationPolicy', namespace: claim.namespace, name: claim.name }
    : { kind: 'ClusterPropagationPolicy', name: claim.name };
}

function bindingTree(binding: Binding): NonNullable<Tree['binding']> {
  const { metadata, spec, status } = binding;
  const requiredBy = spec.requiredBy?.map(({ namespace, name }) => ({ ...(namespace ? { namespace } : {}), name }));
  return {
    ...referenceTo(metadata.namespace ? 'ResourceBinding' : 'ClusterResourceBinding', metadata),
    conditions: shownConditions(status?.conditions),
    ...(requiredBy?.length ? { requiredBy } : {}),
  };
}

function clusterTree(reading: Reading, branch: Branch): ClusterTree {
  const { cluster, target, member, work } = branch;
  const isApplied = work !== undefined && conditionOf(work, 'Applied')?.status === 'True';
  const fault = clusterFault(reading, branch);
  return {
    name: cluster,
    ...(target?.replicas === undefined ? {} : { replicas: target.replicas }),
    ready: member !== undefined && member.unready === undefined,
    health: (isApplied && healthOf(work)) || 'Unknown',
    ...(target ? {} : { leaving: true }),
    ...(work
      ? { work: { ...referenceTo('Work', work.metadata), conditions: shownConditions(work.status?.conditions) } }
      : {}),
    object: objectTree(branch),
    ...(fault ? { fault: fault.message } : {}),
  };
}

function objectTree({ object }: Branch): ClusterTree['object'] {
  switch (object.is) {
    case 'there':
      return { found: true, text: readyText(object.object) ?? 'there' };
    case 'missing':
      return { found: false, text: 'not there' };
    case 'unread':
      return { found: false, text: `not read: ${object.why}` };
    default:
      return object satisfies never;
  }
}

const referenceTo = (kind: string, { namespace, name }: { namespace?: string; name: string }): Reference => ({
  kind,
  ...(namespace ? { namespace } : {}),
  name,
});

const shownConditions = (conditions: readonly Condition[] = []): ShownCondition[] =>
  conditions.map(({ type, status, reason, message }) => ({ type, status, reason, message }));
