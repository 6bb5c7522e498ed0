/** Caches decisions of the control plane for 10 s (AUTHZ-2). Equal reviews at the same time share one request. */

const keptFor = 10_000;
const mostKept = 10_000;
/** In characters. Longer reviews are not cached, as in kube-apiserver: users without permissions must not fill the memory (SEC-3). */
const longestKey = 10_000;

export class DecisionCache<T> {
  /** In the order in which the reviews were sent. */
  private readonly decisions = new Map<string, { since: number; value: Promise<T> }>();
  private sweeping: NodeJS.Timeout | undefined;

  get size(): number {
    return this.decisions.size;
  }

  /** `maxAge`: how old a decision may be, in milliseconds, for callers that need to notice changes sooner. */
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
      // A failed review is not kept: the next request sends another.
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
