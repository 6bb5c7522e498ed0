/**
 * Values the sides give on their own (uids, versions) cannot be equal, but they can correspond: what is one value on
 * the left must be one value on the right. So a uid that changes, or a version that moves though nothing was written,
 * is found even though the values themselves are not compared.
 */
export class Pairing {
  readonly #right = new Map<string, string>();
  readonly #left = new Map<string, string>();

  /** The first pair that does not fit what was seen before. */
  check(left: readonly string[], right: readonly string[]): { left: string; right: string } | undefined {
    for (const [index, value] of left.entries()) {
      const other = right[index];
      if (other === undefined) return undefined; // bodies of different shape are reported as such
      const known = this.#right.get(value);
      if ((known ?? other) !== other || (this.#left.get(other) ?? value) !== value) {
        return {
          left: `${value}, before ${this.#left.get(other) ?? 'unseen'}`,
          right: `${other}, before ${known ?? 'unseen'}`,
        };
      }
      this.#right.set(value, other);
      this.#left.set(other, value);
    }
    return undefined;
  }
}
