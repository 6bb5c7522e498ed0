/** A member as far as its access reviews need it. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Upstream } from '@fleet/client/upstream.ts';
import type { RbacWatch } from './rbac-changes.ts';

export interface ReviewedMember {
  /** Never that of another cluster, also one of the same name later: its uid. */
  id: string;
  /** Carries users' requests, as them. */
  impersonator: Upstream;
  /** Undefined where the product may not watch RBAC objects (IMP-6). */
  rbac: RbacWatch | undefined;
  /** Its other authorisers may deny what RBAC allows. */
  mayDeny: boolean;
  /** Its last probes were well. */
  ready: boolean;
}

const denyAnnotation = 'fleet.karmada.io/deny-authorizer';

export const mayDeny = ({ metadata }: KubeObject): boolean => metadata.annotations?.[denyAnnotation] === 'true';
