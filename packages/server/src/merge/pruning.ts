/** Refuses `kubectl apply --prune` over many clusters: it deletes everything that it lists and has not applied, also what others own. */

import { methodNotAllowed } from '@fleet/kube/status.ts';
import type { Incoming } from '../http/message.ts';
import type { Ask } from '../target/target.ts';

/** As in kubectl's user agent and headers. `diff --prune` shows what `apply --prune` would do. */
const pruning = /^\S+ (?:apply|diff)$/;

/** Both commands list only what they would prune, and unknown kinds. */
const isKinds = (ask: Ask): boolean => ask.is === 'resource' && ask.resource === 'customresourcedefinitions';

export function refusePruning(ask: Ask, { headers }: Incoming): void {
  const [command = ''] = [headers['kubectl-command'] ?? []].flat();
  const isNamed = ask.is === 'resource' && ask.name !== undefined;
  if (!pruning.test(command) || isNamed || isKinds(ask)) return;
  throw methodNotAllowed(
    'pruning over many clusters is not supported, as it would delete what others own: name one cluster, ' +
      'as in --server …/clusterspaces/{cluster}, -n "{namespace}.clusterspace.{cluster}" or -l clusterspace={cluster}',
  );
}
