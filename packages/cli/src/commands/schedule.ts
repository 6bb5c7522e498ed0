/** `fleet schedule --dry-run`: shows the clusters and replicas of a template, and the reason for each other cluster (FED-39). */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { OverridePolicy, PropagationPolicy } from '@fleet/federation/api/policies.ts';
import { createHookCalls } from '@fleet/federation/explore/hooks/call-hook.ts';
import { readHooks } from '@fleet/federation/explore/hooks/configurations.ts';
import { createExplorer } from '@fleet/federation/explore/hooks/explorer.ts';
import { createHookIndex } from '@fleet/federation/explore/hooks/select-hook.ts';
import { nativeRulesOf } from '@fleet/federation/explore/native/native-rules.ts';
import { unhonouredWarnings } from '@fleet/federation/policies/unhonoured.ts';
import { overridePolicyFaults, policyFaults } from '@fleet/federation/policies/validate.ts';
import { isRecord } from '@fleet/kube/is-record.ts';
import { type Plan, planOf } from '../dry-run/plan.ts';
import { planText } from '../dry-run/plan-text.ts';
import { UsageError } from '../errors.ts';
import { readMembers } from '../federated-members.ts';
import { objectText, policyText } from '../federation-texts.ts';
import { Fleet } from '../fleet-location.ts';
import { pathOf } from '../get/request.ts';
import { type ResourceType, readResourceTypes } from '../get/resource-types.ts';
import { factsIn, readConfigurations } from '../hooks-of-fleet.ts';
import { apiVersionOf } from '../named-object.ts';
import { readObjects } from '../object-files.ts';
import { formatOf, printJson, printYaml } from '../output.ts';
import { ifThere, readBinding } from '../stored-objects.ts';
import { readPolicies } from '../stored-policies.ts';

export interface ScheduleFlags {
  fleetKubeconfig?: string;
  filename: string[];
  namespace?: string;
  dryRun?: boolean;
  output?: string;
}

const formats = ['json', 'yaml'] as const;

export async function runSchedule(flags: ScheduleFlags): Promise<void> {
  const format = formatOf(flags.output, formats);
  if (!flags.dryRun)
    throw new UsageError('only --dry-run can be done here: apply the files with kubectl to have them scheduled');
  if (flags.filename.length === 0) throw new UsageError('name the files with -f');
  const objects: AnyObject[] = [];
  for (const path of flags.filename) objects.push(...(await readObjects(path)));
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  const types = await readResourceTypes(fleet.view('karmada'), new AbortController().signal);
  const placed = objects.map((object) => inPlace(object, types, flags.namespace ?? fleet.namespace));
  const plans = await plansOf(fleet.client('karmada'), placed, types);
  const print = { json: printJson, yaml: printYaml };
  process.stdout.write(format ? print[format]({ items: plans }) : plans.map(planText).join('\n'));
}

interface Placed {
  object: AnyObject;
  type: ResourceType;
}

/** With the namespace that kubectl would give it. */
function inPlace(object: AnyObject, types: readonly ResourceType[], namespace: string): Placed {
  const type = types.find((one) => one.kind === object.kind && apiVersionOf(one) === object.apiVersion);
  if (!type) throw new UsageError(`the control plane does not serve ${object.kind} of ${object.apiVersion}`);
  if (type.group === 'policy.karmada.io' && !isRecord(object['spec']))
    throw new UsageError(`${objectText(object)} has no spec`);
  const { namespace: own = namespace, ...metadata } = object.metadata;
  return { type, object: { ...object, metadata: type.namespaced ? { ...metadata, namespace: own } : metadata } };
}

const isPolicy = (placed: Placed, kind: string): boolean =>
  placed.object.apiVersion.startsWith('policy.karmada.io/') && placed.object.kind.endsWith(kind);

async function plansOf(
  controlPlane: KubeClient,
  placed: readonly Placed[],
  types: readonly ResourceType[],
): Promise<Plan[]> {
  const given = placed
    .filter((one) => isPolicy(one, 'PropagationPolicy'))
    .map(({ object }) => object as PropagationPolicy & AnyObject);
  const overrides = placed
    .filter((one) => isPolicy(one, 'OverridePolicy'))
    .map(({ object }) => object as OverridePolicy & AnyObject);
  const templates = placed.filter((one) => !isPolicy(one, 'PropagationPolicy') && !isPolicy(one, 'OverridePolicy'));
  for (const policy of given) {
    if (!Array.isArray(policy.spec.resourceSelectors))
      throw new UsageError(`${objectText(policy)} has no spec.resourceSelectors`);
  }
  if (templates.length === 0) throw new UsageError('there is no template in the files');
  for (const override of overrides) refuse(override, overridePolicyFaults(override));
  const members = await readMembers(controlPlane);
  await using calls = createHookCalls({ resolveService: () => undefined });
  const hooks = createHookIndex((await readConfigurations(controlPlane)).flatMap(readHooks));
  const factsOf = factsIn(types);
  const explorer = createExplorer({ hooks: () => hooks, native: nativeRulesOf, call: calls.call, factsOf });
  const plans: Plan[] = [];
  for (const { object, type } of templates) {
    const { name, namespace } = object.metadata;
    const path = pathOf({ type, name }, { namespace: namespace ?? '', allNamespaces: false });
    const [stored, known] = await Promise.all([
      ifThere(controlPlane.get<AnyObject>(path)),
      readBinding(controlPlane, object),
    ]);
    const policies = replaced(await readPolicies(controlPlane, namespace), given);
    const template = asStored(object, stored);
    const replicas = await explorer.replicas(template);
    const binding = known?.spec.resource.uid === stored?.metadata.uid ? known : undefined;
    plans.push(planOf({ template, policies, binding, replicas, members }));
  }
  return plans;
}

/** The stored policies, with those of the files in their place. */
function replaced(
  stored: readonly PropagationPolicy[],
  given: readonly (PropagationPolicy & AnyObject)[],
): PropagationPolicy[] {
  const isSame = (one: PropagationPolicy, other: PropagationPolicy) =>
    one.metadata.name === other.metadata.name && one.metadata.namespace === other.metadata.namespace;
  const merged = given.map((policy) => {
    const before = stored.find((one) => isSame(one, policy));
    const labels = { ...policy.metadata.labels, ...before?.metadata.labels };
    const now = { ...policy, metadata: { ...policy.metadata, labels } };
    refuse(now, policyFaults(now, before));
    for (const warning of unhonouredWarnings(now)) warn(`${policyText(now)}: ${warning}`);
    return now;
  });
  return [...stored.filter((one) => !given.some((policy) => isSame(one, policy))), ...merged];
}

/** Each text once. */
const warned = new Set<string>();

function warn(text: string): void {
  if (warned.has(text)) return;
  warned.add(text);
  process.stderr.write(`Warning: ${text}\n`);
}

function refuse(object: AnyObject, faults: readonly { field: string; message: string }[]): void {
  if (faults.length === 0) return;
  const text = faults.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new Error(`${objectText(object)} would be refused: ${text}`);
}

/** What the control plane knows of it: its uid decides ties, its claim stays, and applying keeps other labels. */
function asStored(object: AnyObject, stored: AnyObject | undefined): AnyObject {
  if (!stored) return object;
  const { uid, resourceVersion, generation } = stored.metadata;
  return {
    ...object,
    metadata: {
      ...object.metadata,
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
      ...(generation ? { generation } : {}),
      labels: { ...stored.metadata.labels, ...object.metadata.labels },
      annotations: { ...stored.metadata.annotations, ...object.metadata.annotations },
    },
  };
}
