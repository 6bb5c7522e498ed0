/** `fleet cordon` and `fleet uncordon`: stop and start scheduling to a member (FED-4). */

import { isStatus } from '@fleet/client/kube-client.ts';
import { timeText } from '@fleet/kube/time-text.ts';
import { type Cluster, clustersPath } from '../cluster.ts';
import { existingCluster } from '../existing-cluster.ts';
import { Fleet } from '../fleet-location.ts';

export interface CordonFlags {
  fleetKubeconfig?: string;
}

type Taint = NonNullable<Cluster['spec']['taints']>[number];

/** Undefined if they are as they should be. */
type Change = (taints: readonly Taint[]) => Taint[] | undefined;

/** Karmada's, with this effect. A value changes nothing, as with taints of nodes. */
const cordon = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' } as const;

const isCordon = ({ key, effect }: Taint): boolean => key === cordon.key && effect === cordon.effect;

const attempts = 5;

export async function runCordon(name: string, { fleetKubeconfig }: CordonFlags): Promise<void> {
  const isChanged = await changeTaints(name, fleetKubeconfig, (taints) =>
    taints.some(isCordon) ? undefined : [...taints, { ...cordon, timeAdded: timeText(Date.now()) }],
  );
  process.stderr.write(
    `${name} is ${isChanged ? '' : 'already '}cordoned: federation schedules nothing new there. What runs there stays.\n`,
  );
}

export async function runUncordon(name: string, { fleetKubeconfig }: CordonFlags): Promise<void> {
  const isChanged = await changeTaints(name, fleetKubeconfig, (taints) =>
    taints.some(isCordon) ? taints.filter((taint) => !isCordon(taint)) : undefined,
  );
  process.stderr.write(
    isChanged
      ? `${name} is uncordoned: federation can schedule there again.\n`
      : `${name} is already uncordoned: nothing has changed.\n`,
  );
}

/** Whether they differed. Health checks write taints, too: those of others are never overwritten with what they were. */
async function changeTaints(name: string, kubeconfig: string | undefined, change: Change): Promise<boolean> {
  await using fleet = await Fleet.find(kubeconfig);
  const controlPlane = fleet.client('karmada');
  for (let attempt = 1; ; attempt++) {
    const { metadata, spec } = await existingCluster(fleet, name);
    const taints = change(spec.taints ?? []);
    if (!taints) return false;
    const patch = { metadata: { resourceVersion: metadata.resourceVersion }, spec: { taints } };
    try {
      await controlPlane.patch(`${clustersPath}/${name}`, 'merge', patch);
      return true;
    } catch (error) {
      // Changed or removed meanwhile: another look shows which.
      const isOther = isStatus(error, 409) || isStatus(error, 404);
      if (!isOther || attempt === attempts) throw error;
    }
  }
}
