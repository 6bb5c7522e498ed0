/** Serves `kubectl logs`: existing lines and, with `-f`, new ones until the container ends. */

import type { LogOptions } from '@fleet/apiserver/connect/connector.ts';
import { Pace } from '@fleet/client/pace.ts';
import type { Clock } from '../clock.ts';
import type { RunningPodSource } from '../pods/observed-container.ts';
import type { Pod } from '../pods/pod.ts';
import type { InstanceLog } from './instance-log.ts';
import { firstLine, LogText } from './log-text.ts';
import { loggedInstance, sameInstance } from './logged-instance.ts';

export interface LogReaderOptions {
  clock: Clock;
  seed: number;
  /** Without nodes, only the status of a container's pod is known. */
  nodes(): RunningPodSource | undefined;
}

const chunkBytes = 32 * 1024;

/** Throws immediately if there is nothing to read. */
export async function readLog(
  pod: Pod,
  options: LogOptions,
  signal: AbortSignal,
  reader: LogReaderOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const isOnNode = reader.nodes()?.running(pod.metadata.uid!) !== undefined;
  const found = await unlessGone(loggedInstance(pod, options, reader.nodes(), reader.seed, signal), signal);
  if (!found) return none();
  const { attempt, log } = found;
  const { clock } = reader;
  const text = new LogText(options);
  const from = firstLine(log, options, clock.now());
  if (options.limitBytes === 0) return none();
  return options.follow && !log.hasEnded
    ? followed({ pod, container: options.container, attempt, log, from, text, signal, reader, isOnNode })
    : chunksOf(log, from, log.countAt(clock.now()), text);
}

/** Undefined once the client is gone: the output of a script is computed for this client only. */
async function unlessGone<T>(log: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await log;
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}

interface Following {
  pod: Pod;
  container: string;
  attempt: number;
  log: InstanceLog;
  from: number;
  text: LogText;
  signal: AbortSignal;
  reader: LogReaderOptions;
  /** Otherwise its end cannot be detected. */
  isOnNode: boolean;
}

async function* followed(following: Following): AsyncGenerator<Uint8Array> {
  const { pod, container, attempt, text, signal, reader, isOnNode } = following;
  const { clock, seed } = reader;
  const nodes = reader.nodes();
  let { log, from } = following;
  let changed = new AbortController();
  using _observed = nodes?.observe(pod.metadata.uid!, () => changed.abort());
  // It may have changed before it was observed.
  if (isOnNode) changed.abort();
  while (!signal.aborted) {
    if (changed.signal.aborted) {
      changed = new AbortController();
      // A pod that is no longer on its node writes nothing more.
      const isThere = nodes?.running(pod.metadata.uid!) !== undefined;
      const same = isThere && (await unlessGone(sameInstance(pod, container, attempt, nodes, seed, signal), signal));
      if (!same) return;
      log = same;
      // The container may have ended before the last lines that were shown.
      from = Math.min(from, log.closingFrom);
    }
    const now = clock.now();
    const until = log.countAt(now);
    yield* chunksOf(log, from, until, text);
    if (text.isFull || log.hasEnded) return;
    from = Math.max(from, until);
    await untilNext(clock, Math.max(1, Math.ceil(log.timeOf(from) - now)), signal, changed.signal);
  }
}

/** Waits until then, or until something changes. */
async function untilNext(clock: Clock, millis: number, signal: AbortSignal, changed: AbortSignal): Promise<void> {
  try {
    await clock.wait(millis, AbortSignal.any([signal, changed]));
  } catch (error) {
    if (!signal.aborted && !changed.aborted) throw error;
  }
}

async function* chunksOf(log: InstanceLog, from: number, until: number, text: LogText): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  let parts: Buffer[] = [];
  let size = 0;
  for (let n = from; n < until && !text.isFull; n += 1) {
    if (pace.isDue) await pace.rest();
    const bytes = text.bytesOf(log.line(n));
    parts.push(bytes);
    size += bytes.length;
    if (size < chunkBytes) continue;
    yield Buffer.concat(parts);
    [parts, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(parts);
}
