/** Orders API versions by preference: stable before beta before alpha, the newest first; others by name. */

const rank: { [stage: string]: number } = { '': 3, beta: 2, alpha: 1 };

function parsed(version: string): [number, number, number] | undefined {
  const [, major, stage = '', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  return major === undefined ? undefined : [rank[stage]!, Number(major), Number(minor)];
}

export function compareVersions(a: string, b: string): number {
  const [left, right] = [parsed(a), parsed(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : 1;
  for (const [index, number] of left.entries()) if (number !== right[index]) return right[index]! - number;
  return 0;
}
