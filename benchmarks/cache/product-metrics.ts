/** What the product reports of itself. */

import type { Api } from '@fleet/bed/api.ts';

/** The longest, in milliseconds. */
export interface LoopPauses {
  /** How late a turn of the event loop was: by its own work, or as others had the CPU. */
  delay: number;
  /** CPU time of one turn. */
  work: number;
}

export class ProductMetrics {
  private readonly api: Api;
  private longest: LoopPauses = { delay: 0, work: 0 };

  constructor(api: Api) {
    this.api = api;
  }

  /** Of all labels together. */
  async value(name: string, labels = ''): Promise<number> {
    const lines = (await this.text()).split('\n').filter((line) => line.startsWith(name) && line.includes(labels));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** Since this was last called. */
  async pauses(): Promise<LoopPauses> {
    await this.text();
    const { longest } = this;
    this.longest = { delay: 0, work: 0 };
    return longest;
  }

  /** Each reading begins the product's own count anew. */
  private async text(): Promise<string> {
    const { code, body } = await this.api.ask('/metrics', { timeout: 60_000 });
    if (code !== 200) throw new Error(`/metrics: ${code} ${body}`);
    for (const what of ['delay', 'work'] as const) {
      const most = new RegExp(`fleet_event_loop_${what}_seconds\\{quantile="1"\\} (\\S+)`).exec(body)?.[1];
      this.longest[what] = Math.max(this.longest[what], Number(most) * 1_000);
    }
    return body;
  }
}
