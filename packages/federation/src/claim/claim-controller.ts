/** Claims templates for the policies that match them, and keeps a binding for each claimed template (FED-3, FED-15, FED-19). */

import { isStatus } from '@fleet/client/kube-client.ts';
import type { Binding } from '../api/bindings.ts';
import type { AnyObject } from '../api/objects.ts';
import { clusterPropagationPoliciesPath, inNamespace, propagationPoliciesPath } from '../api/paths.ts';
import type { PropagationPolicy } from '../api/policies.ts';
import { bindingOf } from '../binding/binding-of.ts';
import { belongsToAnother, mergeBinding } from '../binding/merge-binding.ts';
import { isSameButStatus } from '../binding/same-but-status.ts';
import { bindingPath, bindingsOf, bindingWithKey, collectionOf, type Pipeline, reconciling } from '../pipeline.ts';
import { nameOfKey, templateKey } from '../templates/templates.ts';
import { bindingName } from '../work/work-name.ts';
import { claimOf, claimOn, claimPatch } from './claim-marks.ts';
import { decide } from './decide.ts';
import { keepPolicies } from './policy-controller.ts';
import { createPolicyIndex, type PolicyIndex } from './policy-index.ts';
import { selectedTemplates } from './selected-templates.ts';

export function claimTemplates(pipeline: Pipeline): AsyncDisposable {
  const { informers, templates } = pipeline;
  const index = createPolicyIndex();
  const queue = reconciling(pipeline, 'claims', (key) => reconcile(pipeline, index, key), 8);
  const add = (template: AnyObject) => queue.add(templateKey(template), templateKey(template));
  /** Claimed templates by the policy's permanent id. */
  const claimed = new Map<string, Map<string, AnyObject>>();
  const policyChanged = (now: PropagationPolicy | undefined, old: PropagationPolicy | undefined) => {
    if (old) index.delete(old);
    if (now) index.set(now);
    for (const policy of [old, now]) {
      if (!policy) continue;
      const id = claimOf(policy)?.id;
      if (id !== undefined) for (const template of claimed.get(id)?.values() ?? []) add(template);
      for (const template of selectedTemplates(templates, policy)) add(template);
    }
  };
  const watches = [
    ...[propagationPoliciesPath, clusterPropagationPoliciesPath].map((path) =>
      informers.of<PropagationPolicy>(path).subscribe((_key, now, old) => policyChanged(now, old)),
    ),
    pipeline.onHooks(() => {
      for (const held of claimed.values()) for (const template of held.values()) add(template);
    }),
    templates.subscribe((now, old) => {
      noteClaim(claimed, now, old);
      // The aggregated status would otherwise write a new resourceVersion into the binding each time.
      if (now && !isSameButStatus(now, old)) add(now);
    }),
    // A binding that somebody has changed or deleted is written again.
    ...bindingsOf(pipeline).map((bindings) =>
      bindings.subscribe((_key, now, old) => {
        const template = templates.get((now ?? old)!.spec.resource);
        if (template && now?.metadata.generation !== old?.metadata.generation) add(template);
      }),
    ),
  ];
  const policies = keepPolicies(pipeline, (policy) => holds(claimed, policy));
  return {
    async [Symbol.asyncDispose]() {
      for (const watch of watches) watch[Symbol.dispose]();
      await Promise.all([queue[Symbol.asyncDispose](), policies[Symbol.asyncDispose]()]);
    },
  };
}

/** Whether a template is claimed in the name of the policy. A copy of the policy with the same id has claims of its own. */
function holds(claimed: ReadonlyMap<string, ReadonlyMap<string, AnyObject>>, policy: PropagationPolicy): boolean {
  const own = claimOf(policy);
  if (!own) return false;
  for (const template of claimed.get(own.id)?.values() ?? []) {
    const claim = claimOn(template);
    if (claim?.by === own.by && claim.name === own.name) return true;
  }
  return false;
}

function noteClaim(
  claimed: Map<string, Map<string, AnyObject>>,
  now: AnyObject | undefined,
  old: AnyObject | undefined,
): void {
  const before = old && claimOn(old)?.id;
  const after = now && claimOn(now)?.id;
  const key = templateKey((now ?? old)!);
  if (before !== undefined && before !== after) {
    claimed.get(before)?.delete(key);
    if (claimed.get(before)?.size === 0) claimed.delete(before);
  }
  if (!now || after === undefined) return;
  const templates = claimed.get(after);
  if (templates) templates.set(key, now);
  else claimed.set(after, new Map([[key, now]]));
}

async function reconcile(pipeline: Pipeline, index: PolicyIndex, key: string): Promise<void> {
  const template = pipeline.templates.get(nameOfKey(key));
  // The binding of a deleted template goes with it.
  if (!template || template.metadata.deletionTimestamp !== undefined) return;
  const decision = decide(template, index, claimOn(template));
  switch (decision.is) {
    case 'unclaimed':
      return;
    case 'release':
      await release(pipeline, template);
      return;
    case 'keep':
    case 'take':
      await apply(pipeline, template, decision.policy);
      return;
    default:
      return decision satisfies never;
  }
}

async function apply(pipeline: Pipeline, template: AnyObject, policy: PropagationPolicy): Promise<void> {
  const { record } = pipeline;
  const claim = claimOf(policy);
  // It comes again with the policy's permanent id.
  if (!claim) return;
  const { namespace, name } = policy.metadata;
  const text = namespace ? `policy(${namespace}/${name})` : `cluster policy(${name})`;
  try {
    if (!(await writeClaim(pipeline, template, claim))) return;
    const isWritten = await writeBinding(pipeline, template, policy);
    if (isWritten) record(template, 'Normal', 'ApplyPolicySucceed', `Apply ${text} succeed`);
  } catch (error) {
    if (!isStatus(error, 409)) {
      record(template, 'Warning', 'ApplyPolicyFailed', `Apply ${text} failed: ${(error as Error).message}`);
    }
    throw error;
  }
}

/** A template that is not claimed any more: first its binding, which keeps its clusters and is not scheduled again. */
async function release(pipeline: Pipeline, template: AnyObject): Promise<void> {
  const { client } = pipeline;
  const binding = bindingOfTemplate(pipeline, template);
  if (binding && claimOn(binding)) {
    const { resourceVersion } = binding.metadata;
    await isThere(
      client.patch(bindingPath(binding), 'merge', { metadata: { resourceVersion, ...claimPatch(undefined) } }),
    );
  }
  await writeClaim(pipeline, template, undefined);
}

/** Whether the template is still there. */
async function writeClaim(
  { client, templates }: Pipeline,
  template: AnyObject,
  claim: ReturnType<typeof claimOf>,
): Promise<boolean> {
  const known = claimOn(template);
  if (known?.by === claim?.by && known?.id === claim?.id && known?.name === claim?.name) return true;
  const path = templates.kinds.pathOf({ ...template, ...template.metadata });
  if (!path) return true;
  const { resourceVersion } = template.metadata;
  return isThere(client.patch(path, 'merge', { metadata: { resourceVersion, ...claimPatch(claim) } }));
}

/** An object that was deleted meanwhile needs no write any more: its event is on its way. */
async function isThere(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isStatus(error, 404)) return false;
    throw error;
  }
}

function bindingOfTemplate(pipeline: Pipeline, { kind, metadata }: AnyObject): Binding | undefined {
  const name = bindingName(kind, metadata.name);
  const binding = bindingWithKey(pipeline, metadata.namespace ? `${metadata.namespace}/${name}` : name);
  return binding?.spec.resource.uid === metadata.uid ? binding : undefined;
}

async function writeBinding(pipeline: Pipeline, template: AnyObject, policy: PropagationPolicy): Promise<boolean> {
  const { client, explorer, record } = pipeline;
  const claim = claimOf(policy)!;
  const replicas = await explorer.replicas(template).catch((error: unknown) => {
    record(template, 'Warning', 'GetReplicasFailed', (error as Error).message);
    throw error;
  });
  const permanentId = crypto.randomUUID();
  const desired = bindingOf({ template, policy, claim, permanentId, ...(replicas ? { replicas } : {}) });
  const { namespace, name } = desired.metadata;
  const known = bindingWithKey(pipeline, namespace ? `${namespace}/${name}` : name);
  if (!known) {
    await client.create(inNamespace(collectionOf(desired), namespace), desired);
    return true;
  }
  // The garbage collector removes it, and its deletion queues the template again.
  if (belongsToAnother(known, desired)) throw new Error(`the binding ${name} belongs to an earlier template`);
  const merged = mergeBinding(known, desired);
  if (merged === known) return false;
  await client.replace(bindingPath(known), merged);
  return true;
}
