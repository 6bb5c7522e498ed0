/** Checks that a new member does not conflict with a registered one. */

import { connectionTypeOf } from '@fleet/server/members/cluster.ts';
import type { Cluster } from '../cluster.ts';
import { HintedError } from '../errors.ts';
import { isManaged } from '../labels.ts';

/** Refuses a member that the fleet knows by another name, and a name that stands for another member (CLU-2). */
export function refuseConflict(clusters: readonly Cluster[], name: string, uid: string): void {
  const namesake = clusters.find(({ metadata }) => metadata.name === name);
  const twin = clusters.find(({ metadata, spec }) => metadata.name !== name && spec.id === uid);
  if (twin) {
    const known = twin.metadata.name;
    throw new HintedError(
      `this member is already registered as "${known}"`,
      `Use it under that name, or run "fleet unjoin ${known}" first`,
    );
  }
  if (!namesake) return;
  if (connectionTypeOf(namesake) === 'proxy') {
    throw new HintedError(
      `the name "${name}" stands for a member that is reached through its agent`,
      `Choose another name, or run "fleet unjoin ${name}" first`,
    );
  }
  if (namesake.spec.id !== uid) {
    throw new HintedError(
      `the name "${name}" stands for another member`,
      `Choose another name, or run "fleet unjoin ${name}" first`,
    );
  }
  if (!isManaged(namesake)) {
    throw new HintedError(
      `this member is already registered as "${name}", not by fleet join`,
      'The fleet uses it as it is: there is nothing to do',
    );
  }
}
