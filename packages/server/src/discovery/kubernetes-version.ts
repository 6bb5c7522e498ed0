/** What a server says at `/version`, and which of two is the newer. */

export type VersionInfo = Record<string, string>;

/** What vendors write behind the patch (`-gke.1`, `+k3s1`) is no order between vendors. */
const numbersOf = ({ gitVersion = '' }: VersionInfo): number[] =>
  (/^v(\d+)\.(\d+)\.(\d+)/.exec(gitVersion) ?? []).slice(1).map(Number);

/** Negative: `a` is older. One that is not known is older than any. */
export function compareKubernetesVersions(a: VersionInfo | undefined, b: VersionInfo | undefined): number {
  const [left, right] = [a, b].map((version) => (version ? numbersOf(version) : []));
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? -1) - (right?.[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
