/** Decisions of the control plane, kept for 10 s (AUTHZ-2); those who ask at once for the same share one answer. */

const keptFor = 10_000;
const mostKept = 10_000;

export class DecisionCache<T> {
  private readonly decisions = new Map<string, { until: number; value: Promise<T> }>();

  async decide(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.decisions.get(key);
    if (known && known.until > performance.now()) return known.value;
    const value = ask();
    this.decisions.delete(key);
    this.decisions.set(key, { until: performance.now() + keptFor, value });
    this.dropOldest();
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
}
