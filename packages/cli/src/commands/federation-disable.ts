/** `fleet federation disable` and `enable`: request the change from the leader of federation, and show the progress (FED-38). */

import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import {
  disabledSwitch,
  isDone,
  type Left,
  leftOfFederation,
  type Switch,
  stateOf,
  switchesPath,
  switchPath,
  unreleasedOf,
} from '@fleet/server/federation-off.ts';
import { HintedError, UsageError } from '../errors.ts';
import { found, hasFederation, refuseWithoutLeader } from '../federation-leader.ts';
import { Fleet } from '../fleet-location.ts';
import { poll } from '../poll.ts';
import { Progress, type ReportProgress } from '../progress.ts';

export interface DisableFlags {
  fleetKubeconfig?: string;
  deleteWorkloads: boolean;
  timeout: string;
}

export async function runDisable(flags: DisableFlags): Promise<void> {
  const seconds = Number(flags.timeout);
  if (!(seconds > 0)) throw new UsageError(`--timeout takes a number of seconds, not "${flags.timeout}"`);
  await using fleet = await Fleet.find(flags.fleetKubeconfig);
  const client = fleet.client('karmada');
  const progress = new Progress();
  const left = await leftOfFederation(client);
  const known = await found<Switch>(client, switchPath);
  if (left.length === 0 && (!(await hasFederation(client)) || isDone(known))) {
    printUnreleased(progress, known);
    progress.print('Nothing of the federation is left. Start the server without --federation.');
    return;
  }
  await refuseWithoutLeader(client);
  progress.print(`Left of the federation: ${countsOf(left)}.`);
  await turnOff(client, known, flags.deleteWorkloads ? 'delete' : 'keep');
  const waiting = { client, end: Date.now() + seconds * 1_000 };
  const objects = flags.deleteWorkloads ? 'Objects in members are deleted' : 'Objects in members are released';
  for (const [title, resources] of [
    ['Templates and policies are released', ['propagationpolicies', 'clusterpropagationpolicies']],
    [objects, ['works']],
    ['Bindings and clusters are released', ['resourcebindings', 'clusterresourcebindings', 'clusters']],
  ] as const) {
    await progress.step(title, (report) => untilGone(waiting, resources, report));
  }
  await progress.step('Nothing is left', () => untilDone(waiting));
  printUnreleased(progress, await found<Switch>(client, switchPath));
  progress.print(
    'Federation is off. Start the server without --federation, or turn it on again: fleet federation enable',
  );
}

export async function runEnable({ fleetKubeconfig }: Pick<DisableFlags, 'fleetKubeconfig'>): Promise<void> {
  await using fleet = await Fleet.find(fleetKubeconfig);
  const client = fleet.client('karmada');
  if (stateOf(await found<Switch>(client, switchPath)).is === 'on') {
    process.stderr.write('Federation is not turned off: nothing has changed.\n');
    return;
  }
  await client.delete(switchPath).catch(ignoreGone);
  process.stderr.write('Federation is on again where the server runs with --federation.\n');
}

interface Waiting {
  client: KubeClient;
  end: number;
}

async function untilGone(
  { client, end }: Waiting,
  resources: readonly string[],
  report: ReportProgress,
): Promise<undefined> {
  let left: Left[] = [];
  await poll(
    async () => {
      left = (await leftOfFederation(client)).filter(({ resource }) => resources.includes(resource));
      if (left.length > 0) report(`${countsOf(left)} left`);
      return left.length === 0 ? true : undefined;
    },
    { deadline: end - Date.now(), late: () => notYet(left) },
  );
}

async function untilDone({ client, end }: Waiting): Promise<undefined> {
  let known: Switch | undefined;
  await poll(
    async () => {
      known = await found<Switch>(client, switchPath);
      return isDone(known) ? true : undefined;
    },
    { deadline: end - Date.now(), late: () => notFinished(unreleasedOf(known)) },
  );
}

const notFinished = (unreleased: string): Error =>
  unreleased === ''
    ? new HintedError('the server has not finished yet', repeat)
    : new HintedError(
        `claims of templates may be left of ${unreleased}`,
        `Templates of these kinds cannot be released. ${repeat}`,
      );

/** What the server may not list is not waited for. */
function printUnreleased(progress: Progress, known: Switch | undefined): void {
  const unreleased = unreleasedOf(known);
  if (unreleased !== '') progress.print(`Not looked at, templates may have claims left: ${unreleased}.`);
}

const repeat = 'Repeat the command to go on waiting; the server goes on meanwhile';

function notYet(left: readonly Left[]): Error {
  const objects = left.flatMap(({ resource, objects }) =>
    objects.map(({ metadata: { namespace, name } }) => `${resource} ${namespace ? `${namespace}/` : ''}${name}`),
  );
  const shown = objects.slice(0, 10).join(', ');
  const more = objects.length > 10 ? ` and ${objects.length - 10} more` : '';
  return new HintedError(
    `this is left: ${shown}${more}`,
    `A Work in karmada-es-MEMBER waits until that member can be reached, or is removed by fleet unjoin. ${repeat}`,
  );
}

const countsOf = (left: readonly Left[]): string =>
  left.map(({ resource, objects }) => `${objects.length} ${resource}`).join(', ') || 'claims of templates';

async function turnOff(client: KubeClient, known: Switch | undefined, workloads: 'keep' | 'delete'): Promise<void> {
  const desired = disabledSwitch(workloads);
  if (!known) {
    await client.create(switchesPath, desired);
    return;
  }
  const state = stateOf(known);
  if (state.is === 'off' && state.workloads === workloads) return;
  await client.patch(switchPath, 'merge', { data: { ...desired.data, done: null, unreleased: null } });
}

function ignoreGone(error: unknown): void {
  if (!isStatus(error, 404)) throw error;
}
