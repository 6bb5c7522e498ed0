/** Selects members by `spec.targetCluster`, as Karmada's ClusterAffinity does: all given conditions must hold. */

export interface ClusterAffinity {
  clusterNames?: readonly string[] | null;
  exclude?: readonly string[] | null;
  labelSelector?: {
    matchLabels?: Record<string, string> | null;
    matchExpressions?: readonly Requirement[] | null;
  } | null;
  fieldSelector?: { matchExpressions?: readonly Requirement[] | null } | null;
}

export interface Requirement {
  key: string;
  operator: string;
  values?: readonly string[] | null;
}

/** The properties by which a Cluster can be selected. */
export interface SelectedCluster {
  name: string;
  labels: ReadonlyMap<string, string>;
  provider?: string | undefined;
  region?: string | undefined;
  zones: readonly string[];
}

/** Prepares the matcher once for all clusters: an affinity may name thousands. */
export function matcherOf(affinity: ClusterAffinity | null | undefined): (cluster: SelectedCluster) => boolean {
  const { clusterNames, exclude, labelSelector, fieldSelector } = affinity ?? {};
  const names = clusterNames?.length ? new Set(clusterNames) : undefined;
  const excluded = new Set(exclude);
  const labels = Object.entries(labelSelector?.matchLabels ?? {});
  const byLabel = (labelSelector?.matchExpressions ?? []).map(conditionOf);
  const byField = (fieldSelector?.matchExpressions ?? []).map(conditionOf);
  return (cluster) =>
    !excluded.has(cluster.name) &&
    (!names || names.has(cluster.name)) &&
    labels.every(([key, value]) => cluster.labels.get(key) === value) &&
    byLabel.every(({ key, meets }) => meets(valuesOf(cluster.labels.get(key)))) &&
    byField.every(({ key, meets }) => meets(fieldOf(cluster, key)));
}

interface Condition {
  key: string;
  meets(found: readonly string[]): boolean;
}

/**
 * As in Kubernetes: an absent value matches NotIn, not In. For a member with several zones, In requires that all of its zones are among
 * the values, and NotIn that none is.
 */
function conditionOf({ key, operator, values }: Requirement): Condition {
  const allowed = new Set(values);
  switch (operator) {
    case 'In':
      return { key, meets: (found) => found.length > 0 && found.every((value) => allowed.has(value)) };
    case 'NotIn':
      return { key, meets: (found) => !found.some((value) => allowed.has(value)) };
    case 'Exists':
      return { key, meets: (found) => found.length > 0 };
    case 'DoesNotExist':
      return { key, meets: (found) => found.length === 0 };
    default:
      // An unknown operator selects nothing, which is safer than too much.
      return { key, meets: () => false };
  }
}

const valuesOf = (value: string | undefined): string[] => (value === undefined ? [] : [value]);

function fieldOf({ provider, region, zones }: SelectedCluster, key: string): readonly string[] {
  if (key === 'provider') return valuesOf(provider);
  if (key === 'region') return valuesOf(region);
  return key === 'zone' ? zones : [];
}
