/** The values of recent writes, so that their events share the values in memory instead of copies. */

import type { StoreEvent } from '../object-store.ts';

/** For events that are on their way from the store's thread. Beyond it, events have copies of their own. */
const most = { bytes: 4 << 20, writes: 1_000 };

interface Recent {
  key: string;
  value: Uint8Array | undefined;
  previous: Uint8Array | undefined;
}

export class RecentWrites {
  /** By revision, in order. */
  readonly #writes = new Map<number, Recent>();
  #bytes = 0;

  add(revision: number, write: Recent): void {
    this.#writes.set(revision, write);
    this.#bytes += sizeOf(write);
    for (const [oldest, one] of this.#writes) {
      if (this.#bytes <= most.bytes && this.#writes.size <= most.writes) return;
      this.#writes.delete(oldest);
      this.#bytes -= sizeOf(one);
    }
  }

  /** The event with the known values of its write. */
  known(event: StoreEvent): StoreEvent {
    const write = this.#writes.get(event.revision);
    if (write?.key !== event.key) return event;
    const { value = event.value, previous = event.previous } = write;
    return { key: event.key, revision: event.revision, ...(value ? { value } : {}), ...(previous ? { previous } : {}) };
  }
}

const sizeOf = ({ value, previous }: Recent): number => (value?.length ?? 0) + (previous?.length ?? 0);
