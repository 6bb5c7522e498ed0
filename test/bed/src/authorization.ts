/** The authorisers of a member that also asks a webhook (`--authorization-config`). */

import { join } from 'node:path';
import { kubeconfig } from './kubeconfig.ts';

export interface AuthorizationWebhook {
  /** Takes SubjectAccessReviews. */
  url: string;
  /** PEM. */
  ca: string;
  /** Before RBAC, so that it may deny what RBAC allows, or behind it. */
  place: 'before' | 'behind';
  /** How long the API server keeps its decisions, such as `1s`; undefined: it keeps none. */
  keptFor?: string;
  /** It is asked about users whose names begin so, no others. */
  userPrefix: string;
}

/** By name, in the member's folder. */
export function authorizationFiles(webhook: AuthorizationWebhook, folder: string): Record<string, string> {
  const { url, ca, place, keptFor, userPrefix } = webhook;
  const isKept = keptFor !== undefined;
  const asked = {
    type: 'Webhook',
    name: 'webhook',
    webhook: {
      // It has to be positive even if nothing is kept.
      authorizedTTL: keptFor ?? '1s',
      cacheAuthorizedRequests: isKept,
      unauthorizedTTL: keptFor ?? '1s',
      cacheUnauthorizedRequests: isKept,
      timeout: '3s',
      subjectAccessReviewVersion: 'v1',
      matchConditionSubjectAccessReviewVersion: 'v1',
      failurePolicy: 'NoOpinion',
      connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: join(folder, 'webhook.kubeconfig') },
      matchConditions: [{ expression: `request.user.startsWith('${userPrefix}')` }],
    },
  };
  const own = ['Node', 'RBAC'].map((type) => ({ type, name: type.toLowerCase() }));
  const config = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: place === 'before' ? [asked, ...own] : [...own, asked],
  };
  return {
    'authorization.json': JSON.stringify(config),
    'webhook.kubeconfig': kubeconfig({
      cluster: 'webhook',
      server: url,
      ca,
      user: 'apiserver',
      credential: { token: 'a' },
    }),
  };
}
