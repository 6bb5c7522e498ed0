/** Registers a member: creates the objects in the member, then those in the control plane, and waits until it is ready (CLU-2). */

import type { Endpoint } from '@fleet/client/https-upstream.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { secretsNamespace } from '../cluster.ts';
import type { Progress } from '../progress.ts';
import { refuseConflict } from './conflict.ts';
import { type Ensured, ensure, get, summary } from './ensure.ts';
import type { GrantedKinds } from './grants.ts';
import { fleetOf, inspectMember, listClusters } from './inspect.ts';
import { Journal } from './journal.ts';
import { type Desired, namespace } from './manifest.ts';
import { makeMemberSide } from './member-side.ts';
import { untilReady } from './ready.ts';
import { clusterOf, keepInFederation, secretsOf } from './registration.ts';
import { undoAll } from './undo.ts';

export interface JoinRequest extends GrantedKinds {
  name: string;
  endpoint: Endpoint;
  bindAdmins: boolean;
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
  /** Sees which cluster it is before anything is made, and may refuse it. */
  claim?: (uid: string) => void;
}

export interface Joined {
  /** It was not registered before. */
  isNew: boolean;
  /** Of Kubernetes in the member. */
  version: string;
}

export async function join(request: JoinRequest, parts: JoinParts): Promise<Joined> {
  const journal = new Journal();
  try {
    return await register(request, parts, journal);
  } catch (error) {
    await undoAll(journal, parts.progress, parts.undoWithin);
    throw error;
  }
}

async function register(request: JoinRequest, parts: JoinParts, journal: Journal): Promise<Joined> {
  const { name, endpoint } = request;
  const { member, controlPlane, progress, signal } = parts;
  const inControlPlane = (desired: Desired) => ensure(desired, { client: controlPlane, journal, signal });
  let uid = '';
  const joined: Joined = { isNew: true, version: '' };
  let fleet: string | undefined;

  await progress.step('Reach the member', async () => {
    const seen = await inspectMember(member, endpoint, signal);
    uid = seen.uid;
    joined.version = seen.version;
    parts.claim?.(uid);
    return `${endpoint.url}, Kubernetes ${seen.version}`;
  });
  await progress.step('Look for it in the fleet', async () => {
    const clusters = await listClusters(controlPlane, signal);
    refuseConflict(clusters, name, uid);
    fleet = await fleetOf(controlPlane, signal);
    joined.isNew = !clusters.some(({ metadata }) => metadata.name === name);
    return joined.isNew ? 'not registered yet' : 'registered; repairing what is missing';
  });
  const tokens = await makeMemberSide({ ...request, fleet }, { member, journal, progress, signal });
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
    const { outcome, object } = await inControlPlane(clusterOf({ ...request, uid }));
    await keepInFederation(controlPlane, object, signal);
    return outcome;
  });
  if (request.readyWithin > 0)
    await progress.step('Wait until the fleet reports it ready', () =>
      untilReady({ name, within: request.readyWithin, controlPlane, signal }),
    );
  return joined;
}

/** All clusters keep their credentials here, so no failing run takes it away from the others. */
export async function ensureShared(controlPlane: KubeClient, signal: AbortSignal): Promise<void> {
  const desired = namespace(secretsNamespace, {});
  if (await get(controlPlane, `${desired.collection}/${secretsNamespace}`, signal)) return;
  await controlPlane.create(desired.collection, desired.object, signal).catch((error: unknown) => {
    // Another join was faster.
    if (!isStatus(error, 409)) throw error;
  });
}
