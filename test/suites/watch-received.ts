/** What a watcher has received, small enough to keep for a thousand of them: of each cluster how much, and a hash of it in order. */

const markKey = Buffer.from('"mark":"');
const quote = 0x22;

export interface Received {
  count: number;
  /** Of all marks in their order: who received the same in the same order has the same. */
  hash: number;
}

export class Receipts {
  readonly clusters: Record<string, Received> = {};

  /** The event's mark, `CLUSTER/LANE/NUMBER`; none where an event is not one of the load's. */
  take(bytes: Buffer, start: number, end: number): string | undefined {
    const key = bytes.indexOf(markKey, start);
    if (key < 0 || key > end) return undefined;
    const from = key + markKey.length;
    const to = bytes.indexOf(quote, from);
    const mark = bytes.toString('latin1', from, to);
    const cluster = mark.slice(0, mark.indexOf('/'));
    this.clusters[cluster] ??= { count: 0, hash: 0 };
    const received = this.clusters[cluster];
    received.count++;
    received.hash = hashOf(received.hash, mark);
    return mark;
  }
}

export function hashOf(before: number, mark: string): number {
  let hash = before;
  for (let i = 0; i < mark.length; i++) hash = (Math.imul(hash, 31) + mark.charCodeAt(i)) | 0;
  return hash;
}
