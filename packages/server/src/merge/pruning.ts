/** `kubectl apply --prune` deletes what it lists and has not applied: of many clusters, that would be what others hold. */

import { methodNotAllowed } from '@fleet/kube/status.ts';
import type { Incoming } from '../http/message.ts';
import type { Ask } from '../target/target.ts';

/** As kubectl says it of itself; `diff --prune` shows what `apply --prune` would do. */
const pruning = /^\S+ (?:apply|diff)$/;

/** Neither command lists anything but what it means to prune, and kinds that it does not know. */
const isKinds = (ask: Ask): boolean => ask.is === 'resource' && ask.resource === 'customresourcedefinitions';

export function refusePruning(ask: Ask, { headers }: Incoming): void {
  const [command = ''] = [headers['kubectl-command'] ?? []].flat();
  const isNamed = ask.is === 'resource' && ask.name !== undefined;
  if (!pruning.test(command) || isNamed || isKinds(ask)) return;
  throw methodNotAllowed(
    'pruning over many clusters is not supported, as it would delete what others hold: name one cluster, ' +
      'as in --server …/clusterspaces/{cluster}, -n "{namespace}.clusterspace.{cluster}" or -l clusterspace={cluster}',
  );
}
