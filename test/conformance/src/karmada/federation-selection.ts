/** Which of Karmada's specs are of the federation that the product has, in batches. */

/** Files of the suite, as regular expressions over their names without `_test.go`. */
const files = {
  policies: 'propagationpolicy',
  'cluster policies': 'clusterpropagationpolicy',
  overrides: '(cluster)?overridepolicy',
  dependencies: 'dependenciesdistributor',
  status: 'resource',
  webhooks: 'resourceinterpreter',
  'all else':
    'migration_and_rollback|resource_deletion_protection|clusterresourcebinding|namespace|tainttoleration|porting_workloads',
} as const;

/** Fields that the product keeps but does not honour, and customizations, which are in Lua. */
const leftOut = ['\\[Failover\\]', '\\[OverflowAffinities\\]', 'Resource interpreter customization'];
/** They change what other specs see. */
const undisturbed = ['\\[ImplicitPriority\\]', 'with nil resourceSelectors? testing', 'taint and toleration'];

/** One fails after seven minutes, the other whenever the product is fast: see federation-reasons.ts. */
const notRun = ['Delete the namespace after the protection has been removed', 'Delete the no protected namespace'];

const selected = (names: readonly string[], skipped: readonly string[]): string[] => [
  ...names.map((name) => `--ginkgo.focus-file=/(${name})_test\\.go`),
  `--ginkgo.skip=${[...leftOut, ...skipped].join('|')}`,
  // With kind, in Docker.
  '--ginkgo.label-filter=!NeedCreateCluster',
];

/** Flags of the suite. */
export const allSpecs: readonly string[] = selected(Object.values(files), []);

/** They are run beside each other: most of their time is waiting. */
export const batches: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(files).map(([batch, names]) => [batch, selected([names], [...undisturbed, ...notRun])]),
);

/** They are run when nothing else is. */
export const lastBatch: readonly string[] = [...allSpecs, ...undisturbed.map((pattern) => `--ginkgo.focus=${pattern}`)];
