/** The events of a member's watch, read from its lines. */

import { errorOf } from '@fleet/client/kube-client.ts';
import { oneLine } from '@fleet/kube/one-line.ts';
import type { StatusError } from '@fleet/kube/status.ts';
import { readEventLine } from './event-line.ts';
import type { SourceBatch, SourceEvent } from './source.ts';

/** As they come together. Throws 410 where the member no longer has those that follow; any other ERROR just ends them. */
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
  /** Where the last of them leads; undefined where nothing happened. */
  moved: string | undefined;
  /** What stands behind the last of them. */
  end?: { is: 'broken'; error: unknown } | { is: 'error'; status: Buffer };
}

/** What came whole counts, whatever stands behind it. */
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
