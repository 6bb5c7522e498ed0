/** Kinds that are stored, but not enforced by this server: writing one returns a warning (CP-1). */

import type { Strategy } from '../registry/resource-kind.ts';

const admission = 'admissionregistration.k8s.io';

const notEnforced: Readonly<Record<string, string>> = {
  [`${admission}/mutatingwebhookconfigurations`]: 'no admission webhook is called',
  [`${admission}/validatingwebhookconfigurations`]: 'no admission webhook is called',
  [`${admission}/mutatingadmissionpolicies`]: 'no admission policy is applied',
  [`${admission}/mutatingadmissionpolicybindings`]: 'no admission policy is applied',
  [`${admission}/validatingadmissionpolicies`]: 'no admission policy is applied',
  [`${admission}/validatingadmissionpolicybindings`]: 'no admission policy is applied',
  '/resourcequotas': 'no quota is applied',
  '/limitranges': 'no limit or default of one is applied',
};

/** `enforced`: those of the above that are enforced, in kubectl's notation. */
export function warningsOf(
  group: string,
  resource: string,
  enforced: readonly string[] = [],
): Pick<Strategy, 'warnings'> {
  const why = notEnforced[`${group}/${resource}`];
  return why === undefined || enforced.includes(group ? `${resource}.${group}` : resource)
    ? {}
    : { warnings: () => [`${resource} are stored, but not enforced by this API server: ${why}`] };
}
