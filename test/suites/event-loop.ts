/** What the product reports of its event loop (LIMIT-3). */

import type { Product } from '@fleet/bed/product.ts';

interface Spread {
  p99: number;
  most: number;
}

export interface LoopTimes {
  /** How late it was: by its own work, or as others had the CPU. */
  delay: Spread;
  /** CPU time of one turn: on a busy machine, too, only its own work. */
  work: Spread;
}

/** Since the last time it was asked, in milliseconds. */
export async function loopTimes({ api }: Product): Promise<LoopTimes> {
  const { body } = await api.ask('/metrics', { timeout: 30_000 });
  const of = (what: keyof LoopTimes, quantile: string) =>
    Number(new RegExp(`fleet_event_loop_${what}_seconds\\{quantile="${quantile}"\\} (\\S+)`).exec(body)?.[1]) * 1_000;
  const spread = (what: keyof LoopTimes): Spread => ({ p99: of(what, '0.99'), most: of(what, '1') });
  return { delay: spread('delay'), work: spread('work') };
}
