/** Builds one YAML for a member with an agent (AGENT-1): the accounts and permissions of `fleet join`, and the agent itself. */

import { type GrantedKinds, kindsGrants } from '../join/grants.ts';
import type { Manifest } from '../join/manifest.ts';
import {
  accounts,
  namespaceFor,
  serviceAccount,
  tokenSecret,
  unownedKindsPermissions,
  unownedPermissions,
} from '../join/member-objects.ts';
import { printYaml } from '../output.ts';
import { agentObjects, type DeploymentOptions } from './deployment.ts';

export interface MemberYamlOptions extends GrantedKinds {
  /** Which fleet it is joined to, where that is known. */
  fleet: string | undefined;
  bindAdmins: boolean;
  /** Undefined: the agent is a stock ssh client, which does not run in the member. */
  agent: DeploymentOptions | undefined;
}

/** What the pods need is all that the standard called restricted allows. */
const podSecurity = { 'pod-security.kubernetes.io/enforce': 'restricted' };

export function memberObjects(options: MemberYamlOptions): Manifest[] {
  const { fleet, bindAdmins, agent } = options;
  const { object } = namespaceFor(fleet);
  const namespace = {
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...podSecurity } },
  };
  return [
    namespace,
    ...accounts.flatMap((account) => [serviceAccount(account).object, tokenSecret(account).object]),
    ...unownedPermissions({ bindAdmins, throughAgent: true }).map((desired) => desired.object),
    ...kindsGrants.flatMap((grant) => {
      const kinds = options[grant.option] ?? [];
      return kinds.length === 0 ? [] : unownedKindsPermissions(grant, kinds).map((desired) => desired.object);
    }),
    ...(agent ? agentObjects(agent) : []),
  ];
}

export const memberYaml = (options: MemberYamlOptions): string => memberObjects(options).map(printYaml).join('---\n');
