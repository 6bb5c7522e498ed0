/** Asks the control plane whether a user is allowed something (SubjectAccessReview). */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import { unavailable } from '@fleet/kube/status.ts';
import { type User, userKey } from '../authn/user.ts';
import { DecisionCache } from '../decisions/decision-cache.ts';

export type Attributes =
  | {
      resource: {
        verb: string;
        group: string;
        resource: string;
        subresource?: string;
        namespace?: string;
        name?: string;
      };
    }
  | { path: { verb: string; path: string } };

export interface AccessReviewer {
  /** `maxAge`: how old a cached decision may be, in milliseconds; without it the cache's own limit applies (AUTHZ-2). */
  isAllowed(user: User, attributes: Attributes, maxAge?: number): Promise<boolean>;
}

export function accessReviews(controlPlane: KubeClient): AccessReviewer {
  const decisions = new DecisionCache<boolean>();
  const review = async (user: User, attributes: Attributes): Promise<boolean> => {
    const { status } = await controlPlane.create<{ status?: { allowed?: boolean } }>(
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          user: user.name,
          uid: user.uid,
          groups: user.groups,
          extra: user.extra,
          ...('resource' in attributes
            ? { resourceAttributes: attributes.resource }
            : { nonResourceAttributes: attributes.path }),
        },
      },
    );
    return status?.allowed === true;
  };
  return {
    isAllowed: (user, attributes, maxAge) =>
      decisions
        .decide(`${userKey(user)} ${JSON.stringify(attributes)}`, () => review(user, attributes), maxAge)
        .catch((cause: unknown) => {
          // Also if the control plane refused the product's own credential: that is no decision about this user.
          throw unavailable('the control plane cannot review your permissions', undefined, { cause });
        }),
  };
}
