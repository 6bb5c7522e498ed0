/** Explains why no policy selects a template (FED-3). */

import type { AnyObject } from '@fleet/federation/api/objects.ts';
import type { PropagationPolicy, ResourceSelector } from '@fleet/federation/api/policies.ts';
import { isNeverTemplate } from '@fleet/federation/claim/never-templates.ts';
import { counted, objectText, policyText } from '../federation-texts.ts';

/** How many policies that nearly match are named. */
const mostNamed = 3;

export function unclaimedText(template: AnyObject, policies: readonly PropagationPolicy[]): string {
  const what = objectText(template);
  if (isNeverTemplate(template)) return `${what} is never propagated: its kind or its namespace belongs to the system`;
  const owner = template.metadata.labels?.['resourcetemplate.karmada.io/claimed-by'];
  if (owner) return `${what} is propagated by a ${owner}: no policy takes it`;
  const near = policies.flatMap((policy) => nearTexts(template, policy));
  const more = near.length - mostNamed;
  const named =
    near.slice(0, mostNamed).join('; ') +
    (more > 0 ? `; and ${counted(more, 'more policy').replace(/ys$/, 'ies')}` : '');
  return `no policy matches ${what}${near.length > 0 ? `: ${named}` : ''}`;
}

/** Of a policy that names the kind. */
function nearTexts(template: AnyObject, policy: PropagationPolicy): string[] {
  const selectors = policy.spec.resourceSelectors.filter(({ kind }) => kind === template.kind);
  if (selectors.length === 0) return [];
  if (policy.metadata.deletionTimestamp !== undefined) return [`${policyText(policy)} is being deleted`];
  const misses = selectors.map((selector) => missText(template, selector)).join(', ');
  return [`${policyText(policy)} ${misses}`];
}

function missText({ apiVersion, metadata }: AnyObject, selector: ResourceSelector): string {
  if (selector.apiVersion !== apiVersion) return `selects apiVersion ${selector.apiVersion}, not ${apiVersion}`;
  if (selector.namespace && selector.namespace !== metadata.namespace) return `selects namespace ${selector.namespace}`;
  if (selector.name) return `selects the name ${selector.name}`;
  return 'selects other labels';
}
