/** Decisions of the control plane, kept for 10 s (AUTHZ-2); those who ask at once for the same share one answer. */

const keptFor = 10_000;
const mostKept = 10_000;
/** Longer questions are asked anew each time, as kube-apiserver does: whoever may ask nothing must not fill memory (SEC-3). */
const longestKey = 10_000;

export class DecisionCache<T> {
  /** In the order in which they began. */
  private readonly decisions = new Map<string, { since: number; value: Promise<T> }>();
  private sweeping: NodeJS.Timeout | undefined;

  get size(): number {
    return this.decisions.size;
  }

  /** `maxAge`: how old a decision may be, in milliseconds, for those who must hear of a change sooner. */
  async decide(key: string, ask: () => Promise<T>, maxAge = keptFor): Promise<T> {
    if (Buffer.byteLength(key) > longestKey) return ask();
    const known = this.decisions.get(key);
    if (known && performance.now() - known.since < Math.min(maxAge, keptFor)) return known.value;
    const value = ask();
    this.decisions.delete(key);
    this.decisions.set(key, { since: performance.now(), value });
    this.dropOldest();
    this.sweepLater();
    try {
      return await value;
    } catch (error) {
      // No decision is not a decision: the next request asks again.
      if (this.decisions.get(key)?.value === value) this.decisions.delete(key);
      throw error;
    }
  }

  private dropOldest(): void {
    if (this.decisions.size <= mostKept) return;
    const [oldest] = this.decisions.keys();
    if (oldest !== undefined) this.decisions.delete(oldest);
  }

  private sweepLater(): void {
    this.sweeping ??= setTimeout(() => {
      this.sweeping = undefined;
      const now = performance.now();
      for (const [key, { since }] of this.decisions) {
        if (now - since < keptFor) break;
        this.decisions.delete(key);
      }
      if (this.decisions.size > 0) this.sweepLater();
    }, keptFor).unref();
  }
}
