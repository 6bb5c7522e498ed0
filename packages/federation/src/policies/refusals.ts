/** Why federation refuses to store an object: all kinds that it refuses something of, as admission asks (FED-2, EXP-6). */

import { isDeepStrictEqual } from 'node:util';
import type { AnyObject } from '../api/objects.ts';
import type { OverridePolicy, PropagationPolicy } from '../api/policies.ts';
import { configurationFaults } from '../explore/hooks/configuration-faults.ts';
import { overridePolicyFaults, policyFaults } from './validate.ts';

/** Fits `StatusCause`. */
export interface Refusal {
  reason: string;
  field: string;
  message: string;
}

type Judge = (object: AnyObject, old: AnyObject | undefined) => Refusal[];

const propagation: Judge = (object, old) =>
  policyFaults(object as AnyObject & PropagationPolicy, old as (AnyObject & PropagationPolicy) | undefined);
const overriding: Judge = (object, old) =>
  overridePolicyFaults(object as AnyObject & OverridePolicy, old as (AnyObject & OverridePolicy) | undefined);
/** The metadata of a stored object with a fault can still be changed. */
const exploring: Judge = (object, old) =>
  old && isDeepStrictEqual(object['webhooks'], old['webhooks']) ? [] : configurationFaults(object);

const judges: ReadonlyMap<string, Judge> = new Map([
  ['propagationpolicies.policy.karmada.io', propagation],
  ['clusterpropagationpolicies.policy.karmada.io', propagation],
  ['overridepolicies.policy.karmada.io', overriding],
  ['clusteroverridepolicies.policy.karmada.io', overriding],
  ['resourceexploringwebhookconfigurations.config.karmada.io', exploring],
  ['resourceinterpreterwebhookconfigurations.config.karmada.io', exploring],
]);

interface GroupResource {
  group: string;
  resource: string;
}

const judgeOf = ({ group, resource }: GroupResource): Judge | undefined => judges.get(`${resource}.${group}`);

export const isJudged = (kind: GroupResource): boolean => judgeOf(kind) !== undefined;

/** Of an object that its schema has accepted. `old` is what an update replaces. */
export const refusalsOf = (kind: GroupResource, object: AnyObject, old: AnyObject | undefined): Refusal[] =>
  judgeOf(kind)?.(object, old) ?? [];
