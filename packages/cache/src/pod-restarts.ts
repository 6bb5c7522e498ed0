/** The time of a pod's last restart, as in the RESTARTS column of `kubectl get pods`. Follows kube-apiserver's printPod. */

import { eachElement, isArray, skipValue } from '@fleet/kube/json-bytes.ts';
import { type ObjectValues, textAt, timeAt, valueAt } from './object-values.ts';

const initStatuses = 'status.initContainerStatuses';
const statuses = 'status.containerStatuses';

export const restartPaths: readonly string[] = [initStatuses, statuses];

export function lastRestart(values: ObjectValues): number | undefined {
  const init = elements(values.bytes, values.at(initStatuses));
  const ofContainers = elements(values.bytes, values.at(statuses)).map((at) => endOf(values.bytes, at));
  if (init.every((at) => endOf(values.bytes, at) === undefined)) return latest(ofContainers);
  const { begun, areAllDone } = begunInitContainers(values, init);
  if (!areAllDone && !isInitialized(values)) return latest(begun.map(({ end }) => end));
  return latest([...begun.map(({ end, isSidecar }) => (isSidecar ? end : undefined)), ...ofContainers]);
}

interface InitContainer {
  /** When it last ended. */
  end: number | undefined;
  isSidecar: boolean;
}

/** The init containers up to the first that is not done; a sidecar counts as done once it is started. */
function begunInitContainers(values: ObjectValues, init: readonly number[]) {
  const { bytes } = values;
  const sidecars = sidecarsOf(values);
  const begun: InitContainer[] = [];
  for (const at of init) {
    const isSidecar = sidecars.has(textAt(bytes, at, 'name') ?? '');
    begun.push({ end: endOf(bytes, at), isSidecar });
    const isDone = scalarAt(bytes, at, 'state', 'terminated', 'exitCode') === '0';
    const isStarted = isSidecar && scalarAt(bytes, at, 'started') === 'true';
    if (!isDone && !isStarted) return { begun, areAllDone: false };
  }
  return { begun, areAllDone: true };
}

/** Init containers with `restartPolicy: Always`. */
function sidecarsOf({ bytes }: ObjectValues): ReadonlySet<string> {
  const always = elements(bytes, valueAt(bytes, 0, 'spec', 'initContainers')).filter(
    (at) => textAt(bytes, at, 'restartPolicy') === 'Always',
  );
  return new Set(always.map((at) => textAt(bytes, at, 'name') ?? ''));
}

function isInitialized({ bytes }: ObjectValues): boolean {
  const found = elements(bytes, valueAt(bytes, 0, 'status', 'conditions')).find(
    (at) => textAt(bytes, at, 'type') === 'Initialized',
  );
  return found !== undefined && textAt(bytes, found, 'status') === 'True';
}

function endOf(bytes: Buffer, status: number): number | undefined {
  const at = valueAt(bytes, status, 'lastState', 'terminated', 'finishedAt');
  return at === undefined ? undefined : timeAt(bytes, at);
}

function scalarAt(bytes: Buffer, from: number, ...keys: readonly string[]): string | undefined {
  const at = valueAt(bytes, from, ...keys);
  return at === undefined ? undefined : bytes.toString('latin1', at, skipValue(bytes, at));
}

/** The offsets of the elements of an array. */
function elements(bytes: Buffer, at: number | undefined): number[] {
  const found: number[] = [];
  if (at !== undefined && isArray(bytes, at)) eachElement(bytes, at, (element) => void found.push(element));
  return found;
}

const latest = (times: readonly (number | undefined)[]): number | undefined =>
  times.reduce((last, time) => (last === undefined || (time !== undefined && time > last) ? time : last), undefined);
