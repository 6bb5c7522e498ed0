/** Reads the events of a member's watch from its lines. */

import { errorOf } from '@fleet/client/kube-client.ts';
import { oneLine } from '@fleet/kube/one-line.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import { readEventLine } from './event-line.ts';
import type { SourceBatch, SourceEvent } from './source.ts';

/** Batched as they arrive. Throws 410 if the member no longer has the events that follow; any other ERROR just ends them. */
export async function* liveEvents(batches: AsyncIterable<Buffer[]>, from: string): AsyncGenerator<SourceBatch> {
  let position = from;
  for await (const lines of batches) {
    const { events, moved, end } = readLines(lines, position);
    if (moved !== undefined) {
      position = moved;
      yield { events, position, resumable: true, ...(end ? { isFailing: true } : {}) };
    }
    if (!end) continue;
    if (end.is === 'broken') throw end.error;
    const lost = lostBy(end.status);
    if (lost) throw lost;
    return;
  }
}

interface ReadLines {
  events: SourceEvent[];
  /** The position after the last of them; undefined if nothing happened. */
  moved: string | undefined;
  /** How the lines end. */
  end?: { is: 'broken'; error: unknown } | { is: 'error'; status: Buffer };
}

/** Complete lines count, whatever follows them. */
function readLines(lines: readonly Buffer[], from: string): ReadLines {
  const events: SourceEvent[] = [];
  let [position, moved] = [from, false];
  const readSoFar = () => ({ events, moved: moved ? position : undefined });
  try {
    for (const sent of lines) {
      const line = oneLine(sent);
      const read = readEventLine(line);
      if (read.type === 'ERROR') {
        const status = line.subarray(read.object.start, read.object.end);
        return { ...readSoFar(), end: { is: 'error', status } };
      }
      if (read.version !== '') position = read.version;
      moved = true;
      if (read.type !== 'BOOKMARK') events.push({ line, read, position });
    }
  } catch (error) {
    return { ...readSoFar(), end: { is: 'broken', error } };
  }
  return readSoFar();
}

function lostBy(status: Buffer): StatusError | undefined {
  const { code } = JSON.parse(status.toString()) as { code?: number };
  return code === 410 ? errorOf(410, status) : undefined;
}
