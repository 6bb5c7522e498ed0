/** The overriders of one rule, in the order of FED-7. Each returns a changed copy, and throws where it cannot be applied. */

import { isRecord } from '@fleet/kube/is-record.ts';
import type { AnyObject } from '../api/objects.ts';
import type { Overriders } from '../api/policies.ts';
import { Budget } from './budget.ts';
import { withCommand } from './command.ts';
import { withField } from './field.ts';
import { withImages } from './image.ts';
import { patched } from './json-patch.ts';
import { withKeys } from './labels.ts';

export function overridden(manifest: AnyObject, overriders: Overriders, budget = new Budget()): AnyObject {
  let result: unknown = manifest;
  for (const one of overriders.imageOverrider ?? []) result = withImages(result, manifest.kind, one, budget);
  for (const one of overriders.commandOverrider ?? [])
    result = withCommand(result, manifest.kind, 'command', one, budget);
  for (const one of overriders.argsOverrider ?? []) result = withCommand(result, manifest.kind, 'args', one, budget);
  for (const one of overriders.labelsOverrider ?? []) result = withKeys(result, 'labels', one, budget);
  for (const one of overriders.annotationsOverrider ?? []) result = withKeys(result, 'annotations', one, budget);
  for (const one of overriders.fieldOverrider ?? []) result = withField(result, one, budget);
  result = patched(result, overriders.plaintext ?? [], budget);
  if (!isObject(result)) throw new Error('the result is no Kubernetes object');
  return result;
}

const isObject = (value: unknown): value is AnyObject =>
  isRecord(value) && typeof value['kind'] === 'string' && value['kind'] !== '' && isRecord(value['metadata']);
