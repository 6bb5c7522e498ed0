/** Overriders of images: in all containers, or at the path of the predicate. */

import type { ImageOverrider, OverrideOperator } from '../api/policies.ts';
import type { Budget } from './budget.ts';
import { withContainers } from './containers.ts';
import { type ImageReference, imageText, parseImage, withTagOrDigest } from './image-reference.ts';
import { patched, valueAt } from './json-patch.ts';

/** Of an image, which is read several times. */
const charactersPerStep = 16;

export function withImages(manifest: unknown, kind: string, overrider: ImageOverrider, budget: Budget): unknown {
  const { predicate } = overrider;
  if (!predicate) {
    return withContainers(manifest, kind, budget, (container) => ({
      ...container,
      image: overriddenImage(container['image'] ?? '', overrider, budget),
    }));
  }
  const value = overriddenImage(valueAt(manifest, predicate.path), overrider, budget);
  return patched(manifest, [{ path: predicate.path, operator: 'replace', value }], budget);
}

function overriddenImage(image: unknown, overrider: ImageOverrider, budget: Budget): string {
  if (typeof image !== 'string') throw new Error('an image is no text');
  budget.spend(Math.ceil(image.length / charactersPerStep));
  return imageText(changedImage(parseImage(image), overrider));
}

function changedImage(image: ImageReference, { component, operator, value = '' }: ImageOverrider): ImageReference {
  switch (component) {
    case 'Registry':
      return { ...image, registry: changedText(image.registry, operator, value) };
    case 'Repository':
      return { ...image, repository: changedText(image.repository, operator, value) };
    case 'Tag':
      if (operator === 'remove') return { ...image, tag: '', digest: '' };
      return withTagOrDigest(image, changedText(image.tag || image.digest, operator, value));
    default:
      throw new Error(`the component ${JSON.stringify(component satisfies never)} is not known`);
  }
}

function changedText(text: string, operator: OverrideOperator, value: string): string {
  switch (operator) {
    case 'add':
      return text + value;
    case 'remove':
      return '';
    case 'replace':
      return value;
    default:
      return operator satisfies never;
  }
}
