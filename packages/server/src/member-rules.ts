/** Derives from the settings what Clusters may refer to (SEC-4) and how large members' answers may be (SEC-2). */

import { notLinkLocal } from '@fleet/client/address-check.ts';
import type { Config } from './config/config.ts';
import { secretsNamespace } from './members/cluster.ts';
import type { MemberRules } from './members/member.ts';

type Settings = Pick<Config, 'clusterSecretNamespaces' | 'allowedLinkLocal' | 'maxMemberObjectSize'>;

export const rulesOf = ({ clusterSecretNamespaces, allowedLinkLocal, maxMemberObjectSize }: Settings): MemberRules => ({
  secretNamespaces: [secretsNamespace, ...clusterSecretNamespaces],
  canDial: notLinkLocal(allowedLinkLocal),
  objectLimit: maxMemberObjectSize * 1024 * 1024,
});
