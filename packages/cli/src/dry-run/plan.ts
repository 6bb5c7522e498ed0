/** Computes what federation would do with a template and policies, if they were applied (FED-39). */

import type { Binding } from '@fleet/federation/api/bindings.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { PropagationPolicy } from '@fleet/federation/api/policies.ts';
import { bindingOf } from '@fleet/federation/binding/binding-of.ts';
import { mergeBinding } from '@fleet/federation/binding/merge-binding.ts';
import { type Claim, claimOf, claimOn } from '@fleet/federation/claim/claim-marks.ts';
import { decide } from '@fleet/federation/claim/decide.ts';
import { scanOf } from '@fleet/federation/claim/policy-index.ts';
import type { Replicas } from '@fleet/federation/explore/object-rules.ts';
import type { Member } from '@fleet/federation/schedule/candidates.ts';
import { type ClusterDecision, explain } from '@fleet/federation/schedule/explain.ts';
import { scheduledCondition } from '@fleet/federation/schedule/outcome.ts';
import { bindingTrigger, isSchedulable } from '@fleet/federation/schedule/triggers.ts';
import { policyKind } from '../federation-texts.ts';
import { unclaimedText } from '../tree/claim-fault.ts';

export interface PlanParts {
  /** With the claim and the uid that it has, where it is stored. */
  template: AnyObject;
  /** Those that there would be. */
  policies: readonly PropagationPolicy[];
  /** That of the stored template. */
  binding: Binding | undefined;
  /** Undefined for kinds without. */
  replicas: Replicas | undefined;
  members: readonly Member[];
}

interface Reference {
  kind: string;
  namespace?: string;
  name: string;
}

export interface Plan {
  template: Reference & { apiVersion: string };
  replicas?: number;
  policy?: Reference;
  /** As in the binding's conditions. */
  scheduled: { status: string; reason: string; message: string };
  /** In the order of names. */
  clusters: ClusterDecision[];
}

export function planOf(parts: PlanParts): Plan {
  const { template, policies, binding: known, replicas, members } = parts;
  const { apiVersion, kind, metadata } = template;
  const head = {
    template: { apiVersion, ...referenceTo(kind, metadata) },
    ...(replicas ? { replicas: replicas.replicas } : {}),
  };
  const decision = decide(template, scanOf(policies), claimOn(template));
  if (decision.is === 'unclaimed' || decision.is === 'release') {
    const scheduled = { status: 'False', reason: 'NoPolicy', message: unclaimedText(template, policies) };
    return { ...head, scheduled, clusters: [] };
  }
  const { policy } = decision;
  const desired = bindingOf({
    ...{ template, policy, claim: claimOf(policy) ?? newClaim(policy), permanentId: 'new' },
    ...(replicas ? { replicas } : {}),
  });
  const binding = known ? mergeBinding(known, desired) : desired;
  return { ...head, policy: referenceTo(policyKind(policy), policy.metadata), ...outcomeOf(binding, members, known) };
}

function outcomeOf(
  binding: Binding,
  members: readonly Member[],
  known: Binding | undefined,
): Pick<Plan, 'scheduled' | 'clusters'> {
  if (!isSchedulable(binding)) {
    const { suspension, schedulerName } = binding.spec;
    const message = suspension?.scheduling
      ? 'scheduling is suspended'
      : `it is left to the scheduler "${schedulerName}"`;
    return { scheduled: { status: 'Unknown', reason: 'NotScheduled', message }, clusters: [] };
  }
  const named = (name: string) => members.find(({ cluster }) => cluster.metadata.name === name);
  const { result, clusters } = explain(binding, members);
  const { status, reason, message } = scheduledCondition(result);
  if (!known || bindingTrigger(undefined, binding, named)) return { scheduled: { status, reason, message }, clusters };
  // Divided replicas move for a reason only (FED-17).
  return {
    scheduled: {
      status: 'True',
      reason: 'Unchanged',
      message: 'Neither placement nor replicas change: nothing moves.',
    },
    clusters: asTheyAre(binding, clusters),
  };
}

/** Where the objects are now, and why not in others. */
function asTheyAre({ spec }: Binding, decisions: readonly ClusterDecision[]): ClusterDecision[] {
  const held = new Map((spec.clusters ?? []).map((target) => [target.name, target]));
  return decisions.map((decision): ClusterDecision => {
    const target = held.get(decision.name);
    if (target) return { ...target, is: 'chosen' };
    if (decision.is === 'notChosen') return decision;
    return {
      name: decision.name,
      is: 'notChosen',
      reason: 'divided replicas do not move to a new cluster by themselves',
    };
  });
}

/** That of a policy which the controller has not seen yet. */
const newClaim = ({ metadata: { namespace, name } }: PropagationPolicy): Claim =>
  namespace ? { by: 'namespaced', id: 'new', namespace, name } : { by: 'cluster', id: 'new', name };

const referenceTo = (kind: string, { namespace, name }: { namespace?: string; name: string }): Reference => ({
  kind,
  ...(namespace ? { namespace } : {}),
  name,
});
