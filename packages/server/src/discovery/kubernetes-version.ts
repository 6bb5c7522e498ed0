/** What a server says at `/version`, and which of two is the newer. */

export type VersionInfo = Record<string, string>;

const longest = 256;

/** Undefined for what is no version of Kubernetes: a member that makes things up counts as one that does not say (SEC-2). */
export function versionIn(document: unknown): VersionInfo | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const texts = Object.entries(document).filter(([, text]) => typeof text === 'string' && text.length <= longest);
  const version = Object.fromEntries(texts) as VersionInfo;
  return numbersOf(version).length > 0 ? version : undefined;
}

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
