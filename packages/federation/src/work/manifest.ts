/** The manifest of a Work: a template without what only its own API server gives it (FED-18). */

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

/** The native pruning of a kind is not asked of webhooks: what a member would refuse is left out in any case. */
export function manifestOf(template: AnyObject): AnyObject {
  const manifest = withoutFields(template, ['status'], ...leftOut);
  return nativeRulesOf(template.apiVersion, template.kind)?.pack?.(manifest) ?? manifest;
}
