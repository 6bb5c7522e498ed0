/** Parses `/version` and compares versions of Kubernetes. */

export type VersionInfo = Record<string, string>;

const longest = 256;

/** Undefined if the document is not a Kubernetes version: such a member counts as one of unknown version (SEC-2). */
export function versionIn(document: unknown): VersionInfo | undefined {
  if (typeof document !== 'object' || document === null) return undefined;
  const texts = Object.entries(document).filter(([, text]) => typeof text === 'string' && text.length <= longest);
  const version = Object.fromEntries(texts) as VersionInfo;
  return numbersOf(version).length > 0 ? version : undefined;
}

/** A vendor's suffix (`-gke.1`, `+k3s1`) is ignored: suffixes of different vendors have no order. */
const numbersOf = ({ gitVersion = '' }: VersionInfo): number[] =>
  (/^v(\d+)\.(\d+)\.(\d+)/.exec(gitVersion) ?? []).slice(1).map(Number);

/** Negative if `a` is older. An unknown version is older than any. */
export function compareKubernetesVersions(a: VersionInfo | undefined, b: VersionInfo | undefined): number {
  const [left, right] = [a, b].map((version) => (version ? numbersOf(version) : []));
  for (const index of [0, 1, 2]) {
    const difference = (left?.[index] ?? -1) - (right?.[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
