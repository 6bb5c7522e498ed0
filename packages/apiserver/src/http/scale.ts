/** Serves the scale subresource: the desired and the actual number of replicas. */

import { applyPatch } from '@fleet/kube/request-body.ts';
import { badRequest } from '@fleet/kube/status.ts';
import { ScaleOwners } from '../patch/managers/scale-owners.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import { isCustom } from '../registry/printed-kind.ts';
import { refuseLarger } from '../registry/resource-context.ts';
import { apiVersionOf } from '../registry/resource-kind.ts';
import { decodeObject } from '../registry/stored-object.ts';
import { FieldOwner, managerOf } from './field-owner.ts';
import { objectReply } from './object-forms.ts';
import { builtInTypes } from './object-types.ts';
import { knownType, patched } from './patched.ts';
import { readConfig, readPatched } from './patching.ts';
import { readJson, refuseOtherName, refuseOtherNamespace } from './read-object.ts';
import { isTrue } from './read-options.ts';
import { checkScale, hasReplicas, replicasOf, scaled, scaleForm, scaleKind, scaleOf } from './scale-object.ts';
import { readObject } from './strict-object.ts';
import type { Call, Resource, Verb } from './verb.ts';
import { readWriteOptions, type WriteQuery } from './write-options.ts';

const types = builtInTypes(scaleKind);
/** CRDs support no strategic merge patches, neither for objects nor for their scale. */
const customTypes = { ...types, patchType: undefined };
const owner = new FieldOwner(types);

export const getScale: Verb = async ({ printed, registry }, { ask: { name, namespace }, query, atMost }, requested) => {
  const entry = await registry.get(name!, { namespace, resourceVersion: query.get('resourceVersion') ?? '' });
  refuseLarger(entry, { atMost });
  return objectReply(200, scaleOf(decodeObject(entry), printed.scale!), scaleForm(printed, requested));
};

export const updateScale: Verb = async (resource, call, requested) => {
  const { request, query, ask } = call;
  const options = readWriteOptions(query, 'UpdateOptions');
  const scale = readObject(scaleKind, types, call, options.fieldValidation);
  refuseOtherNamespace(scale, ask.namespace);
  refuseOtherName(scale, ask.name!);
  // Without an apiVersion kube-apiserver cannot determine the owners of fields, and drops them.
  const isNameless = isCustom(resource.printed) && !readJson(request, 'Scale')['apiVersion'];
  const change = (old: KubeObject) =>
    isNameless ? scale : owner.tracked(old, scale, managerOf(request, query), 'scale');
  return written(resource, call, requested, { ...options, uid: scale.metadata.uid }, change);
};

export const patchScale: Verb = async (resource, call, requested) => {
  const { request, query, warn } = call;
  const known = isCustom(resource.printed) ? customTypes : types;
  const isApply = knownType(request, known, [applyPatch]) === applyPatch;
  const options = readWriteOptions(query, 'PatchOptions', isApply ? 'apply' : 'other');
  const manager = managerOf(request, query);
  const change = (old: KubeObject): KubeObject => {
    if (isApply) return owner.applied(old, readConfig(request), manager, isTrue(query.get('force')), 'scale');
    const made = readPatched(types, patched(request, known, old, options.fieldValidation), warn);
    refuseOtherNamespace(made, call.ask.namespace);
    refuseOtherName(made, call.ask.name!);
    return owner.tracked(old, made, manager, 'scale');
  };
  return written(resource, call, requested, options, change);
};

/** Stands for an absent number, as in kube-apiserver. */
const noReplicas = -(2 ** 31);

async function written(
  { printed, registry }: Resource,
  { ask: { name, namespace }, atMost }: Call,
  requested: Parameters<Verb>[2],
  { dryRun, uid }: WriteQuery & { uid?: string | undefined },
  change: (old: KubeObject) => KubeObject,
) {
  const fields = printed.scale!;
  const { object } = await registry.update(name!, { namespace, dryRun, uid, atMost }, (old) => {
    const owners = new ScaleOwners(old!.metadata.managedFields, apiVersionOf(printed), fields.pathIn);
    const before = scaleOf(old!, fields);
    if (!hasReplicas(old!, fields)) before['spec'] = { replicas: noReplicas };
    const managedFields = owners.ofScale();
    const scale = change({ ...before, metadata: { ...before.metadata, managedFields } } as KubeObject);
    refuseNoReplicas(scale, fields.replicas);
    // For custom kinds their schema validates the number.
    if (!isCustom(printed)) checkScale(scale);
    const made = scaled(old!, scale, fields);
    // A patch of a custom object's scale does not identify the object.
    if (isCustom(printed)) made.metadata.uid = old!.metadata.uid!;
    const left = owners.ofObject(scale.metadata.managedFields);
    const { managedFields: _, ...metadata } = made.metadata;
    return { ...made, metadata: { ...metadata, ...(left.length > 0 ? { managedFields: left } : {}) } };
  });
  return objectReply(200, scaleOf(object, fields), scaleForm(printed, requested));
}

function refuseNoReplicas(scale: KubeObject, path: readonly string[]): void {
  if (replicasOf(scale) === noReplicas)
    throw badRequest(`the spec replicas field ".${path.join('.')}" cannot be empty`);
}
