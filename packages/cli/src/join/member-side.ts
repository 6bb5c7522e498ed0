/** Creates the accounts, tokens and permissions in a member (CLU-2), for `fleet join` and for an agent with a kubeconfig. */

import type { KubeClient } from '@fleet/client/kube-client.ts';
import type { Progress } from '../progress.ts';
import { type Ensured, ensure, summary } from './ensure.ts';
import { type GrantedKinds, kindsGrants } from './grants.ts';
import { askForPermissions } from './inspect.ts';
import type { Journal } from './journal.ts';
import type { Desired } from './manifest.ts';
import {
  type Account,
  accounts,
  adminBinding,
  kindsPermissions,
  memberNamespace,
  namespaceFor,
  type PermissionsOptions,
  permissions,
  serviceAccount,
} from './member-objects.ts';
import { isOtherFleet, joinedBy } from './other-member.ts';
import { takeBack } from './take-back.ts';
import { longLivedToken } from './tokens.ts';

export interface MemberSideRequest extends PermissionsOptions, GrantedKinds {
  /** Which fleet it is joined to, where that is known. */
  fleet: string | undefined;
}

interface MemberSideParts {
  member: KubeClient;
  journal: Journal;
  progress: Progress;
  signal: AbortSignal;
}

/** The tokens of the two ServiceAccounts, in base64 as Secrets carry them. */
export async function makeMemberSide(
  request: MemberSideRequest,
  { member, journal, progress, signal }: MemberSideParts,
): Promise<Record<Account, string>> {
  const inMember = (desired: Desired) => ensure(desired, { client: member, journal, signal }).catch(askForPermissions);
  const tokens = {} as Record<Account, string>;
  let home!: Ensured;
  let wasOther = false;
  await progress.step(`Make namespace ${memberNamespace.object.metadata.name} in the member`, async () => {
    wasOther = isOtherFleet(await joinedBy(member, signal).catch(askForPermissions), request.fleet);
    home = await inMember(namespaceFor(request.fleet));
    return home.outcome;
  });
  if (wasOther) {
    progress.warn(
      'this cluster was joined to another fleet before, which uses the same accounts: "fleet unjoin" here takes them from both',
    );
  }
  await progress.step('Make its two ServiceAccounts and their tokens', async () => {
    for (const account of accounts) {
      const { object } = await inMember(serviceAccount(account));
      tokens[account] = await longLivedToken(account, object, { member, journal, signal });
    }
    return undefined;
  });
  await progress.step('Grant them the permissions they need', async () => {
    const outcomes: Ensured[] = [];
    for (const desired of permissions(home.object, request)) outcomes.push(await inMember(desired));
    // One of an earlier join would go on making them cluster-admin.
    const unbound = request.bindAdmins ? undefined : await takeBack(member, [adminBinding], signal);
    return [summary(outcomes), unbound].filter(Boolean).join(', ');
  });
  for (const grant of kindsGrants) {
    const kinds = request[grant.option];
    if (!kinds) continue;
    await progress.step(grant.title, async () => {
      const desired = kindsPermissions(home.object, grant, kinds);
      if (kinds.length === 0) return (await takeBack(member, desired.reverse(), signal)) ?? 'none, as before';
      const outcomes: Ensured[] = [];
      const options = { client: member, journal, signal, chosen: 'rules' } as const;
      for (const right of desired) outcomes.push(await ensure(right, options).catch(askForPermissions));
      return summary(outcomes);
    });
  }
  return tokens;
}
