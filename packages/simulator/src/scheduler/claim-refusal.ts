/** The claims that keep a pod from every node, with kube-scheduler's texts: `plugins/volumerestrictions`, `plugins/volumebinding`. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Pod } from '../pods/pod.ts';

/**
 * Undefined if there are none. Claims need not be bound, as there is no volume controller. Claims of ephemeral volumes are not
 * checked, as nothing creates them.
 */
export function claimRefusal(
  { metadata, spec }: Pod,
  claimOf: (key: string) => KubeObject | undefined,
): string | undefined {
  const names = (spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => (claim ? [claim.claimName] : []));
  const claims = names.map((name) => claimOf(`${metadata.namespace}/${name}`));
  // All claims are looked up before any is checked.
  const missing = claims.indexOf(undefined);
  if (missing >= 0) return `persistentvolumeclaim "${names[missing]}" not found`;
  const going = claims.findIndex((claim) => claim?.metadata.deletionTimestamp !== undefined);
  return going >= 0 ? `persistentvolumeclaim "${names[going]}" is being deleted` : undefined;
}
