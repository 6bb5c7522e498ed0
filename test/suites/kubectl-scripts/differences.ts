/** What two snapshots do not share. */

import type { Snapshot } from './snapshot.ts';

/** Lines with `-` are Kubernetes', those with `+` the simulated cluster's. */
export function differencesOf(real: Snapshot, simulated: Snapshot): string[] {
  const keys = [...new Set([...real.keys(), ...simulated.keys()])].sort();
  return keys.flatMap((key) => {
    const [theirs, ours] = [real.get(key) ?? [], simulated.get(key) ?? []];
    const lines = changedLines(without(theirs, ours), without(ours, theirs));
    return lines.length === 0 ? [] : [[key, ...lines].join('\n    ')];
  });
}

/** Each is taken away once. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function changedLines(theirs: readonly string[], ours: readonly string[]): string[] {
  if (theirs.length === 0 && ours.length === 0) return [];
  const pairs = Math.min(theirs.length, ours.length);
  const changed = Array.from({ length: pairs }, (_, at) => {
    const [before, after] = [theirs[at]!.split('\n'), ours[at]!.split('\n')];
    const gone = before.filter((line) => !after.includes(line)).map((line) => `- ${line}`);
    const made = after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`);
    return [...gone, ...made];
  }).flat();
  const alone = [
    ...theirs.slice(pairs).map((text) => `- ${text.replaceAll('\n', ' ')}`),
    ...ours.slice(pairs).map((text) => `+ ${text.replaceAll('\n', ' ')}`),
  ];
  return [...changed, ...alone];
}
