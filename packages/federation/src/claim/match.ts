/** Whether a policy's selectors match a template, and how specific they are (FED-2, FED-3). */

import type { AnyObject } from '../api/objects.ts';
import type { PropagationPolicy, ResourceSelector } from '../api/policies.ts';
import { labelMatcherOf } from './label-matcher.ts';

/** The higher, the more specific. */
export const specificity = { all: 1, labels: 2, name: 3 } as const;
export type Specificity = (typeof specificity)[keyof typeof specificity];

export interface PolicyMatch {
  policy: PropagationPolicy;
  specificity: Specificity;
}

/** What a selector asks for, prepared: its key is exact, and so is the rest. */
export interface PreparedSelector {
  apiVersion: string;
  kind: string;
  /** Undefined: every namespace, and what has none. */
  namespace: string | undefined;
  name: string | undefined;
  specificity: Specificity;
  matchesLabels(labels: Readonly<Record<string, string>>): boolean;
}

/** A PropagationPolicy has templates in its own namespace only: a selector that names another namespace selects nothing. */
export function preparedSelectors({ metadata: { namespace: own }, spec }: PropagationPolicy): PreparedSelector[] {
  return spec.resourceSelectors.flatMap((selector) => {
    if (own && selector.namespace && selector.namespace !== own) return [];
    return [prepared(selector, selector.namespace || own)];
  });
}

function prepared({ apiVersion, kind, name, labelSelector }: ResourceSelector, namespace?: string): PreparedSelector {
  const key = { apiVersion, kind, namespace: namespace || undefined };
  if (name) return { ...key, name, specificity: specificity.name, matchesLabels: () => true };
  if (!labelSelector) return { ...key, name: undefined, specificity: specificity.all, matchesLabels: () => true };
  return { ...key, name: undefined, specificity: specificity.labels, matchesLabels: labelMatcherOf(labelSelector) };
}

const matchesSelector = (selector: PreparedSelector, { apiVersion, kind, metadata }: AnyObject): boolean =>
  selector.apiVersion === apiVersion &&
  selector.kind === kind &&
  (selector.namespace === undefined || selector.namespace === metadata.namespace) &&
  (selector.name === undefined || selector.name === metadata.name) &&
  selector.matchesLabels(metadata.labels ?? {});

/** By its most specific selector. */
export function matchOf(policy: PropagationPolicy, template: AnyObject): PolicyMatch | undefined {
  const found = preparedSelectors(policy).filter((selector) => matchesSelector(selector, template));
  const [best] = found.sort((a, b) => b.specificity - a.specificity);
  return best && { policy, specificity: best.specificity };
}
