/** Runs the pipeline, or, once federation is turned off, removes what the pipeline has created (FED-38). */

import { Informer } from '@fleet/client/informer.ts';
import { isStatus, type KubeClient } from '@fleet/client/kube-client.ts';
import { StatusError } from '@fleet/kube/status.ts';
import { type FederationParts, startFederation, startTurningOff } from './federation.ts';
import { keepValidatingPolicies, removeValidatingPolicies } from './policies/keep-validating-policies.ts';
import { removeExpiredJobs } from './templates/expired-jobs.ts';
import type { Unreleased } from './turn-off/release-templates.ts';
import {
  isDone,
  isSameState,
  type Switch,
  type SwitchState,
  stateOf,
  switchesPath,
  switchName,
  switchPath,
  unreleasedOf,
} from './turn-off/switch.ts';
import type { TurnOffOptions } from './turn-off/turn-off-controller.ts';

export interface RunParts extends FederationParts {
  /** The embedded control plane validates policies itself, without objects for that. It needs a controller that removes finished Jobs. */
  isEmbedded: boolean;
}

/** Runs until the signal aborts. After that it writes nothing, since another process can be the leader. */
export async function runFederation(unlimited: RunParts, signal: AbortSignal): Promise<void> {
  const parts = partsUntil(unlimited, signal);
  const { controlPlane: client, log } = parts;
  await using switches = new Informer<Switch>({
    client,
    path: `${switchesPath}?fieldSelector=${encodeURIComponent(`metadata.name=${switchName}`)}`,
    onError: (error) => log.warn({ err: error }, 'watching whether federation is turned off failed'),
  });
  const found = (): Switch | undefined => [...switches.values()].find(({ metadata }) => metadata.name === switchName);
  await aborting(switches.synced, signal);
  while (!signal.aborted) {
    const state = stateOf(found());
    if (state.is === 'off') log.warn({}, 'federation is turned off; `fleet federation enable` turns it on again');
    await using _running = await started(parts, state, found, signal);
    await switches.until(() => !isSameState(stateOf(found()), state), signal);
  }
}

/** A request to a slow member can outlast the Lease: it is aborted, and no further requests are sent. */
function partsUntil(parts: RunParts, signal: AbortSignal): RunParts {
  const { controlPlane, connections, log } = parts;
  const members = new WeakMap<KubeClient, KubeClient>();
  return {
    ...parts,
    controlPlane: controlPlane.until(signal),
    connections: {
      client(cluster) {
        const client = connections.client(cluster);
        if (!client) return undefined;
        const limited = members.get(client) ?? client.until(signal);
        members.set(client, limited);
        return limited;
      },
    },
    log: {
      info: (fields, text) => log.info(fields, text),
      // Aborted requests are no failures.
      warn(fields, text) {
        if (!signal.aborted) log.warn(fields, text);
      },
    },
  };
}

async function started(
  parts: RunParts,
  state: SwitchState,
  found: () => Switch | undefined,
  signal: AbortSignal,
): Promise<AsyncDisposable> {
  const { controlPlane: client, log, isEmbedded } = parts;
  await using starting = new AsyncDisposableStack();
  if (state.is === 'on') {
    starting.use(isEmbedded ? removeExpiredJobs({ client, log }) : await keepValidatingPolicies({ client, log }));
    starting.use(await startFederation(parts, signal));
  } else {
    if (!isEmbedded) await removeValidatingPolicies(client);
    const options: TurnOffOptions = {
      deleteWorkloads: state.workloads === 'delete',
      onUnreleased: (kinds) => markUnreleased(parts, found(), kinds),
      onDone: () => markDone(parts, found()),
    };
    starting.use(await startTurningOff(parts, options, signal));
  }
  const running = starting.move();
  return { [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Read by `fleet federation disable`. */
async function markDone({ controlPlane, log }: FederationParts, found: Switch | undefined): Promise<void> {
  log.info({}, 'nothing of the federation is left in the control plane and in members');
  if (!isDone(found)) await mark(controlPlane, { done: 'true' });
}

/** Read by `fleet federation disable`, too. */
async function markUnreleased(
  { controlPlane, log }: FederationParts,
  found: Switch | undefined,
  kinds: readonly Unreleased[],
): Promise<void> {
  const unreleased = kinds.map(({ resource, error }) => `${resource} (${shortReason(error)})`).join(', ');
  if (unreleased === unreleasedOf(found)) return;
  if (unreleased !== '') log.warn({ kinds: unreleased }, 'templates of these kinds cannot be released');
  await mark(controlPlane, { unreleased: unreleased || null });
}

const longestReason = 200;

function shortReason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const text = error instanceof StatusError ? `${error.code}: ${message}` : message;
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text;
}

async function mark(controlPlane: KubeClient, data: Record<string, string | null>): Promise<void> {
  try {
    await controlPlane.patch(switchPath, 'merge', { data });
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
}

async function aborting(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const abort = (): void => resolve();
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) resolve();
  await Promise.race([promise, aborted]);
  signal.removeEventListener('abort', abort);
}
