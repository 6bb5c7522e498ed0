/** Compares and hashes pod templates. */

import { fnv32a, safeEncoded } from '../../hashes.ts';
import { canonicalJson } from './canonical-json.ts';
import { dumpedTemplate } from './go-dump.ts';
import type { PodTemplate } from './objects.ts';

export const templateHashLabel = 'pod-template-hash';

/** Templates in informers never change: each is serialized once. */
const texts = new WeakMap<PodTemplate, string>();

function textOf(template: PodTemplate): string {
  let text = texts.get(template);
  if (text === undefined) {
    const { metadata = {}, spec } = template;
    const { creationTimestamp: _, labels = {}, annotations = {}, ...rest } = metadata;
    const { [templateHashLabel]: __, ...own } = labels;
    text = canonicalJson({ metadata: { ...rest, labels: own, annotations }, spec });
    texts.set(template, text);
  }
  return text;
}

/** Ignores the label that a Deployment adds. */
export const isSameTemplate = (left: PodTemplate, right: PodTemplate): boolean => textOf(left) === textOf(right);

/** `pkg/controller/controller_utils.go`, ComputeHash. */
export function templateHash(template: PodTemplate, collisionCount: number | undefined): string {
  const count = Buffer.alloc(collisionCount === undefined ? 0 : 8);
  if (collisionCount !== undefined) count.writeUInt32LE(collisionCount);
  return safeEncoded(String(fnv32a(Buffer.concat([Buffer.from(dumpedTemplate(template)), count]))));
}
