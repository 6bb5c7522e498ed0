/** The manifest of a Work: a template without the fields that its own API server sets (FED-18). */

import type { AnyObject } from '../api/objects.ts';
import { type Path, withoutFields } from '../explore/native/fields.ts';
import { nativeRulesOf } from '../explore/native/native-rules.ts';

const leftOut: readonly Path[] = [
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
  'ownerReferences',
  'finalizers',
].map((field): Path => ['metadata', field]);

/** Removes the native fields that a member would refuse. Webhooks cannot replace this step. */
export function manifestOf(template: AnyObject): AnyObject {
  const manifest = withoutFields(template, ['status'], ...leftOut);
  return nativeRulesOf(template.apiVersion, template.kind)?.pack?.(manifest) ?? manifest;
}
