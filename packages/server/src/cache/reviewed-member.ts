/** What access reviews need to know of a member. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { RbacWatch } from './rbac-changes.ts';

export interface ReviewedMember {
  /** Contains the uid: a later cluster of the same name has another. */
  id: string;
  /** Sends requests as users. */
  impersonator: Upstream;
  /** Undefined if nothing of the member is cached. Not healthy if the product is not allowed to watch RBAC objects (IMP-6). */
  rbac: RbacWatch | undefined;
  /** Its other authorisers may deny what RBAC allows. */
  canDeny: boolean;
  /** Whether its last health probes passed. */
  ready: boolean;
}

const denyAnnotation = 'fleet.karmada.io/deny-authorizer';

export const canDeny = ({ metadata }: KubeObject): boolean => metadata.annotations?.[denyAnnotation] === 'true';
