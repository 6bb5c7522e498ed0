/** Which claims keep a pod from every node, in kube-scheduler's words: `plugins/volumerestrictions`, `plugins/volumebinding`. */

import type { KubeObject } from '@fleet/client/kube-client.ts';
import type { Pod } from '../pods/pod.ts';

/**
 * Undefined if none does. Claims need not be bound: nothing binds them here. Those of ephemeral volumes are not looked for: nothing
 * creates them.
 */
export function claimRefusal(
  { metadata, spec }: Pod,
  claimOf: (key: string) => KubeObject | undefined,
): string | undefined {
  const names = (spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => (claim ? [claim.claimName] : []));
  const claims = names.map((name) => claimOf(`${metadata.namespace}/${name}`));
  // Every claim is looked for before any is looked at.
  const missing = claims.indexOf(undefined);
  if (missing >= 0) return `persistentvolumeclaim "${names[missing]}" not found`;
  const going = claims.findIndex((claim) => claim?.metadata.deletionTimestamp !== undefined);
  return going >= 0 ? `persistentvolumeclaim "${names[going]}" is being deleted` : undefined;
}
