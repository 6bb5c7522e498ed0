/** Ours against the alternatives, taken in turns in one run, so that the machine's moods hit all alike. */

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

/** The median, and what lies between the first and the last tenth. */
export const spread = (numbers: readonly number[], digits = 0): string => {
  const [low, middle, high] = [0.1, 0.5, 0.9].map((at) => quantile(numbers, at).toFixed(digits));
  return `${middle} (${low} to ${high})`;
};

/** Of each round's pair. */
export const ratios = (ours: readonly number[], others: readonly number[]): number[] =>
  ours.map((number, round) => number / others[round]!);

/** Each side once a round, after a first time that does not count. */
export async function inTurns<Name extends string, T>(
  sides: Record<Name, () => Promise<T>>,
  rounds: number,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(sides) as Name[];
  for (const name of names) await sides[name]();
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, T[]>;
  for (let round = 0; round < rounds; round++) {
    // Whoever comes later finds warmer caches: take turns in that, too.
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) taken[name].push(await sides[name]());
  }
  return taken;
}

/** Prints one line a case; the numbers are milliseconds, the ratio is of each round's pair. */
export async function compare({ name, ours, alternative }: Case, rounds: number): Promise<number> {
  const taken = await inTurns({ ours, alternative }, rounds);
  const compared = ratios(taken.ours, taken.alternative);
  console.log(
    `${name}: ours ${spread(taken.ours)} ms, alternative ${spread(taken.alternative)} ms, ratio ${spread(compared, 2)}`,
  );
  return quantile(compared, 0.5);
}
