/** The verbs create, update and patch. */

import type { ResourceRequest } from '@fleet/kube/request-info.ts';
import { StatusError } from '@fleet/kube/status.ts';
import type { KubeObject } from '../registry/kube-object.ts';
import type { OwnSubresource } from '../registry/resource-kind.ts';
import { admitted, settledAdmission } from './admitted.ts';
import { disowned, managerOf } from './field-owner.ts';
import { objectReply } from './object-forms.ts';
import type { KindError } from './object-types.ts';
import { readPatch } from './patching.ts';
import { refuseOtherName, refuseOtherNamespace } from './read-object.ts';
import { readObject } from './strict-object.ts';
import type { Call, Verb } from './verb.ts';
import { readWriteOptions } from './write-options.ts';

const placed = (object: KubeObject, { namespace }: ResourceRequest): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace: namespace! },
});

export const create: Verb = async (resource, call, requested) => {
  const { printed, registry, types, owner, admit, guard } = resource;
  const { request, ask, query, user, warn, atMost } = call;
  const { dryRun, fieldValidation } = readWriteOptions(query, 'CreateOptions');
  let kindError: KindError | undefined;
  const object = readObject(printed, types, call, fieldValidation, (found) => {
    kindError = found;
  });
  if (printed.namespaced) {
    refuseOtherNamespace(object, ask.namespace);
    await admit(placed(object, ask));
  }
  const owned = await admitted(
    resource.mutate,
    { ...ask, dryRun },
    owner.tracked(undefined, object, managerOf(request, query)),
    undefined,
  );
  await guard?.({ user, ask, object: owned, old: undefined });
  const admitSettled = settledAdmission(resource.validate, ask, dryRun);
  const options = { namespace: ask.namespace, dryRun, kindError, admitSettled, warn, atMost };
  const created = await registry.create(types.kept(owned), options);
  return objectReply(201, created, requested);
};

function refuseCreate({ createRefused: refused }: Call): void {
  if (refused) throw new StatusError(refused.code, refused.reason ?? '', refused.message, refused.details);
}

export const update: Verb = async (resource, call, requested) => {
  const { printed, registry, types, owner, admit, guard } = resource;
  const { request, ask, query, user, warn, atMost } = call;
  const { dryRun, fieldValidation } = readWriteOptions(query, 'UpdateOptions');
  let kindError: KindError | undefined;
  const object = readObject(printed, types, call, fieldValidation, (found) => {
    kindError = found;
  });
  if (printed.namespaced) refuseOtherNamespace(object, ask.namespace);
  refuseOtherName(object, ask.name!);
  const subresource = ask.subresource as 'status' | OwnSubresource | undefined;
  const canCreate = printed.createsOnUpdate;
  // A write of the status cannot change the kind.
  const isOnlyStatus = kindError !== undefined && subresource === 'status';
  const options = {
    namespace: ask.namespace,
    dryRun,
    subresource,
    canCreate,
    uid: object.metadata.uid,
    kindError: isOnlyStatus ? undefined : kindError,
    admitSettled: settledAdmission(resource.validate, ask, dryRun),
    warn,
    atMost,
  };
  const updated = await registry.update(ask.name!, options, async (old) => {
    if (!old) refuseCreate(call);
    if (!old && printed.namespaced) await admit(placed(object, ask));
    const tracked = isOnlyStatus
      ? disowned(object)
      : owner.tracked(old, object, managerOf(request, query), subresource);
    const owned = await admitted(resource.mutate, { ...ask, dryRun }, tracked, old);
    await guard?.({ user, ask, object: owned, old });
    return types.kept(owned);
  });
  return objectReply(updated.created ? 201 : 200, updated.object, requested);
};

export const patch: Verb = async (resource, call, requested) => {
  const { request, ask, query, user, warn, atMost } = call;
  const { printed, registry, types, owner, admit, guard } = resource;
  const subresource = ask.subresource as 'status' | OwnSubresource | undefined;
  const { change, isApply, dryRun } = readPatch({ request, query, types, owner, subresource, warn });
  // Through a subresource, only objects can be created that an update creates, too.
  const canCreate = isApply && (subresource === undefined || printed.createsOnUpdate);
  const { namespace, name } = ask;
  const admitSettled = settledAdmission(resource.validate, ask, dryRun);
  const options = { namespace, dryRun, subresource, canCreate, admitSettled, warn, atMost };
  const updated = await registry.update(name!, options, async (old) => {
    const changed = await change(old);
    if (printed.namespaced) refuseOtherNamespace(changed, namespace);
    refuseOtherName(changed, name!);
    if (!old) refuseCreate(call);
    if (!old && printed.namespaced) await admit(placed(changed, ask));
    const object = await admitted(resource.mutate, { ...ask, dryRun }, changed, old);
    await guard?.({ user, ask, object, old });
    return types.kept(object);
  });
  return objectReply(updated.created ? 201 : 200, updated.object, requested);
};
