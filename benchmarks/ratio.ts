/** Ours against the alternative, taken in turns in one run, so that the machine's moods hit both alike. */

export interface Case {
  name: string;
  ours: () => Promise<number>;
  alternative: () => Promise<number>;
}

const sorted = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

export const quantile = (numbers: readonly number[], at: number): number => {
  const inOrder = sorted(numbers);
  return inOrder[Math.min(inOrder.length - 1, Math.floor(at * inOrder.length))]!;
};

const show = (numbers: readonly number[]): string =>
  `${quantile(numbers, 0.5).toFixed(0)} ms (${quantile(numbers, 0.1).toFixed(0)} to ${quantile(numbers, 0.9).toFixed(0)})`;

/** Prints one line a case; the numbers are milliseconds, the ratio is of each round's pair. */
export async function compare({ name, ours, alternative }: Case, rounds: number): Promise<number> {
  await ours();
  await alternative();
  const pairs: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    // Whoever comes second finds warmer caches: take turns in that, too.
    const first = round % 2 === 0;
    const a = first ? await ours() : await alternative();
    const b = first ? await alternative() : await ours();
    pairs.push(first ? [a, b] : [b, a]);
  }
  const ratios = pairs.map(([a, b]) => a / b);
  const [mine, other] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
  const spread = `${quantile(ratios, 0.1).toFixed(2)} to ${quantile(ratios, 0.9).toFixed(2)}`;
  console.log(
    `${name}: ours ${show(mine)}, alternative ${show(other)}, ratio ${quantile(ratios, 0.5).toFixed(2)} (${spread})`,
  );
  return quantile(ratios, 0.5);
}
