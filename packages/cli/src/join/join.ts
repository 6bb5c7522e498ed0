/** Registers a member: its side first, then the control plane's, then the proof that the two meet (CLU-2). */

import type { Endpoint } from '@fleet/client/https-upstream.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { secretsNamespace } from '../cluster.ts';
import type { Progress } from '../progress.ts';
import { refuseConflict } from './conflict.ts';
import { type Ensured, ensure, get } from './ensure.ts';
import type { GroupResource } from './grants.ts';
import { askForRights, fleetOf, inspectMember, listClusters } from './inspect.ts';
import { Journal } from './journal.ts';
import { namespace, type Wanted } from './manifest.ts';
import {
  type Account,
  adminBinding,
  cacheRights,
  memberNamespace,
  namespaceFor,
  rights,
  serviceAccount,
} from './member-objects.ts';
import { untilReady } from './ready.ts';
import { clusterOf, secretsOf } from './registration.ts';
import { takeBack } from './take-back.ts';
import { longLivedToken } from './tokens.ts';
import { undoAll } from './undo.ts';

export interface JoinRequest {
  name: string;
  endpoint: Endpoint;
  bindAdmins: boolean;
  /** What the cache is allowed to list and watch: empty to take that back, undefined to leave it as it is. */
  cacheKinds?: readonly GroupResource[] | undefined;
  region?: string | undefined;
  provider?: string | undefined;
  /** How long to wait for the fleet to report the member ready, in milliseconds; 0 not to wait. */
  readyWithin: number;
}

export interface JoinParts {
  member: KubeClient;
  controlPlane: KubeClient;
  progress: Progress;
  signal: AbortSignal;
  /** How long an undo may take, in milliseconds. */
  undoWithin?: number;
}

export async function join(request: JoinRequest, parts: JoinParts): Promise<void> {
  const journal = new Journal();
  try {
    await register(request, parts, journal);
  } catch (error) {
    await undoAll(journal, parts.progress, parts.undoWithin);
    throw error;
  }
}

async function register(request: JoinRequest, parts: JoinParts, journal: Journal): Promise<void> {
  const { name, endpoint } = request;
  const { member, controlPlane, progress, signal } = parts;
  const inMember = (wanted: Wanted) => ensure(wanted, { client: member, journal, signal });
  const inControlPlane = (wanted: Wanted) => ensure(wanted, { client: controlPlane, journal, signal });
  let uid = '';
  let fleet: string | undefined;
  let home!: Ensured;
  const tokens = {} as Record<Account, string>;

  await progress.step('Reach the member', async () => {
    const seen = await inspectMember(member, endpoint, signal);
    uid = seen.uid;
    return `${endpoint.url}, Kubernetes ${seen.version}`;
  });
  await progress.step('Look for it in the fleet', async () => {
    const clusters = await listClusters(controlPlane, signal);
    refuseConflict(clusters, name, uid);
    fleet = await fleetOf(controlPlane, signal);
    return clusters.some(({ metadata }) => metadata.name === name)
      ? 'registered; repairing what is missing'
      : 'not registered yet';
  });
  await progress.step(`Make namespace ${memberNamespace.object.metadata.name} in the member`, async () => {
    home = await inMember(namespaceFor(fleet)).catch(askForRights);
    return home.outcome;
  });
  await progress.step('Make its two ServiceAccounts and their tokens', async () => {
    for (const account of ['fleet-control', 'fleet-impersonator'] as const) {
      const { object } = await inMember(serviceAccount(account)).catch(askForRights);
      tokens[account] = await longLivedToken(account, object, { member, journal, signal });
    }
    return undefined;
  });
  await progress.step('Grant them the rights they need', async () => {
    const outcomes: Ensured[] = [];
    for (const wanted of rights(home.object, request)) outcomes.push(await inMember(wanted).catch(askForRights));
    // One of an earlier join would go on making them cluster-admin.
    const unbound = request.bindAdmins ? undefined : await takeBack(member, [adminBinding], signal);
    return [summary(outcomes), unbound].filter(Boolean).join(', ');
  });
  const { cacheKinds } = request;
  if (cacheKinds)
    await progress.step('Grant the cache list and watch of its kinds', async () => {
      const wanted = cacheRights(home.object, cacheKinds);
      if (cacheKinds.length === 0) return (await takeBack(member, wanted.reverse(), signal)) ?? 'none, as before';
      const outcomes: Ensured[] = [];
      const options = { client: member, journal, signal, chosen: 'rules' } as const;
      for (const right of wanted) outcomes.push(await ensure(right, options).catch(askForRights));
      return summary(outcomes);
    });
  await progress.step('Store the credentials in the control plane', async () => {
    await ensureShared(controlPlane, signal);
    const credentials = {
      control: tokens['fleet-control'],
      impersonator: tokens['fleet-impersonator'],
      ca: endpoint.tls.ca,
    };
    const outcomes: Ensured[] = [];
    for (const secret of secretsOf(name, credentials)) outcomes.push(await inControlPlane(secret));
    return summary(outcomes);
  });
  await progress.step(`Register the cluster as ${name}`, async () => {
    return (await inControlPlane(clusterOf({ ...request, uid }))).outcome;
  });
  if (request.readyWithin > 0)
    await progress.step('Wait until the fleet reports it ready', () =>
      untilReady({ name, within: request.readyWithin, controlPlane, signal }),
    );
}

/** All clusters keep their credentials here, so no failing run takes it away from the others. */
async function ensureShared(controlPlane: KubeClient, signal: AbortSignal): Promise<void> {
  const wanted = namespace(secretsNamespace, {});
  if (await get(controlPlane, `${wanted.collection}/${secretsNamespace}`, signal)) return;
  await controlPlane.create(wanted.collection, wanted.object, signal).catch((error: unknown) => {
    // Another join was faster.
    if (!isStatus(error, 409)) throw error;
  });
}

function summary(outcomes: Ensured[]): string {
  const count = (wanted: Ensured['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length;
  const parts = (['made', 'changed', 'repaired', 'kept'] as const).map((outcome) => ({ outcome, n: count(outcome) }));
  return parts.flatMap(({ outcome, n }) => (n > 0 ? [`${n} ${outcome}`] : [])).join(', ');
}
