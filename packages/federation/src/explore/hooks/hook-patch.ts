/** Applies a hook's patch to an object. If it changes more than its operation allows, none of it is applied (EXP-3). */

import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '@fleet/kube/is-record.ts';
import { changedIdentity, isSameValue } from '../../api/identity.ts';
import type { AnyObject } from '../../api/objects.ts';
import type { HookPatch } from './codec.ts';
import { applyPatch, PatchError } from './json-patch.ts';

/** The object with the patch: anything but what identifies it. */
export function patchedObject(object: AnyObject, patch: HookPatch): AnyObject {
  if (!patch) return object;
  const patched = applied(object, patch);
  const changed = changedIdentity(object, patched);
  if (changed !== undefined) throw new PatchError(`the patch may not change ${changed}`);
  return patched as AnyObject;
}

/** The object with the status of the patched one: nothing else may change. */
export function patchedStatus(object: AnyObject, patch: HookPatch): AnyObject {
  if (!patch) return object;
  const { status, ...rest } = applied(object, patch);
  if (status !== undefined && status !== null && !isRecord(status)) {
    throw new PatchError('the patch makes /status something else than an object');
  }
  const { status: known, ...before } = object;
  for (const field of new Set([...Object.keys(before), ...Object.keys(rest)])) {
    refuseChange(`/${field}`, own(before, field), own(rest, field));
  }
  if (isDeepStrictEqual(status ?? undefined, known ?? undefined)) return object;
  return status ? { ...object, status } : (before as AnyObject);
}

function applied(object: AnyObject, { operations }: NonNullable<HookPatch>): Record<string, unknown> {
  const patched = applyPatch(object, operations);
  if (!isRecord(patched)) throw new PatchError('the patch makes something else than an object');
  return patched;
}

function refuseChange(path: string, before: unknown, after: unknown): void {
  if (!isSameValue(before, after)) throw new PatchError(`the patch may not change ${path}`);
}

const own = (record: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined;
