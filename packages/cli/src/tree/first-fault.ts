/** Finds the first error between a template and its objects. */

import type { Binding } from '@fleet/federation/api/bindings.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { PropagationPolicy } from '@fleet/federation/api/policies.ts';
import { claimOn } from '@fleet/federation/claim/claim-marks.ts';
import { decide } from '@fleet/federation/claim/decide.ts';
import { scanOf } from '@fleet/federation/claim/policy-index.ts';
import { nativeRulesOf } from '@fleet/federation/explore/native/native-rules.ts';
import { explain } from '@fleet/federation/schedule/explain.ts';
import { counted, objectText, policyText, reasonText } from '../federation-texts.ts';
import { type Branch, conditionOf } from './branches.ts';
import { unclaimedText } from './claim-fault.ts';
import { type ClusterFault, clusterFault } from './cluster-fault.ts';
import type { Reading } from './reading.ts';

export interface Fault {
  /** Where on the way. */
  step: 'template' | 'claim' | 'schedule' | ClusterFault['step'];
  /** Where it is one cluster's. */
  cluster?: string;
  message: string;
  /** How many further clusters have a fault. */
  others?: number;
}

export function firstFault(reading: Reading, branches: readonly Branch[]): Fault | undefined {
  const { template, binding } = reading;
  if (template.metadata.deletionTimestamp !== undefined)
    return { step: 'template', message: `${objectText(template)} is being deleted, and its objects with it` };
  return claimFault(reading) ?? scheduleFault(reading, binding!) ?? firstOf(reading, branches);
}

function claimFault({ template, policies, binding, warnings }: Reading): Fault | undefined {
  const fault = (message: string): Fault => ({ step: 'claim', message });
  const claim = claimOn(template);
  const decision = decide(template, scanOf(policies), claim);
  // What follows a parent needs no policy of its own.
  const follows = (binding?.spec.requiredBy?.length ?? 0) > 0;
  switch (decision.is) {
    case 'unclaimed':
      return follows ? undefined : fault(unclaimedText(template, policies));
    case 'release':
      return follows ? undefined : fault(releasedText(claim!.name, unclaimedText(template, policies), binding));
    case 'take':
      return fault(
        withWarning(`${policyText(decision.policy)} matches and is about to take it`, 'ApplyPolicyFailed', warnings),
      );
    case 'keep':
      return binding ? bindingFault(template, binding, warnings) : fault(noBindingText(decision.policy, warnings));
    default:
      return decision satisfies never;
  }
}

const releasedText = (name: string, text: string, binding: Binding | undefined): string =>
  `its policy ${name} no longer matches, and ${text}${binding ? '. Its objects stay as they are' : ''}`;

function noBindingText(policy: PropagationPolicy, warnings: Reading['warnings']): string {
  const text = `${policyText(policy)} has it, but there is no binding yet`;
  return withWarning(withWarning(text, 'GetReplicasFailed', warnings), 'ApplyPolicyFailed', warnings);
}

/** With what an event reports of this step. */
function withWarning(text: string, reason: string, warnings: Reading['warnings']): string {
  const warning = warnings.find((one) => one.reason === reason);
  return warning ? `${text}: ${warning.message}` : text;
}

function bindingFault(template: AnyObject, binding: Binding, warnings: Reading['warnings']): Fault | undefined {
  const { metadata, spec } = binding;
  const fault = (message: string): Fault => ({ step: 'claim', message });
  if (spec.resource.uid !== template.metadata.uid)
    return fault(`binding ${metadata.name} belongs to an earlier object of this name, and goes first`);
  // Of custom kinds only a webhook knows.
  const desired = nativeRulesOf(template.apiVersion, template.kind)?.replicas?.(template).replicas;
  if (desired === undefined || desired === (spec.replicas ?? 0)) return undefined;
  const text = `the change to ${counted(desired, 'replica')} is not in the binding yet`;
  return fault(withWarning(text, 'ApplyPolicyFailed', warnings));
}

function scheduleFault(reading: Reading, binding: Binding): Fault | undefined {
  const { spec } = binding;
  const fault = (message: string): Fault => ({ step: 'schedule', message });
  if (!spec.placement) return undefined;
  if (spec.suspension?.scheduling) return fault('scheduling is suspended (spec.suspension.scheduling of the binding)');
  if (spec.schedulerName && spec.schedulerName !== 'default-scheduler')
    return fault(`it is left to the scheduler "${spec.schedulerName}" (spec.schedulerName of the policy)`);
  const scheduled = conditionOf(binding, 'Scheduled');
  if (!scheduled) return fault('it has not been scheduled yet');
  if (scheduled.reason === 'NoClusterFit') return fault(noFitText(reading, binding, scheduled.message));
  if (scheduled.status !== 'True') return fault(`it cannot be scheduled: ${scheduled.message}`);
  const { generation } = binding.metadata;
  const observed = binding.status?.schedulerObservedGeneration;
  if (observed !== undefined && generation !== undefined && observed < generation)
    return fault('the last change has not been scheduled yet');
  if ((spec.clusters ?? []).length === 0 && (spec.replicas ?? 0) === 0)
    return fault('it has 0 replicas, so no cluster has it');
  return undefined;
}

function noFitText({ members }: Reading, binding: Binding, message: string): string {
  if (members.length === 0) return 'no cluster fits: there is no cluster';
  const { clusters } = explain(binding, members);
  const reasons = clusters.flatMap((one) => (one.is === 'notChosen' ? [`${one.name} ${reasonText(one.reason)}`] : []));
  // It fits by now; the scheduler has not reported it yet.
  if (reasons.length < members.length) return `no cluster fitted when it was scheduled: ${message}`;
  const more = reasons.length - mostReasons;
  return `no cluster fits: ${reasons.slice(0, mostReasons).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

const mostReasons = 5;

/** Of the earliest step; of these the first cluster by name. */
function firstOf(reading: Reading, branches: readonly Branch[]): Fault | undefined {
  const faults = branches.flatMap((branch) => {
    const fault = clusterFault(reading, branch);
    return fault ? [{ ...fault, cluster: branch.cluster }] : [];
  });
  const [first] = faults.toSorted((one, other) => steps.indexOf(one.step) - steps.indexOf(other.step));
  if (!first) return undefined;
  return { ...first, ...(faults.length > 1 ? { others: faults.length - 1 } : {}) };
}

const steps: readonly ClusterFault['step'][] = ['work', 'dispatch', 'apply', 'object', 'health', 'removal'];
