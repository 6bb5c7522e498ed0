/** What must hold whenever a process dies: what it has left is all that the next one has to go by. */

import { claimOn } from '@fleet/federation/claim/claim-marks.ts';
import { switchName } from '@fleet/federation/turn-off/switch.ts';
import { isManaged, workNameOf } from '@fleet/federation/work/marks.ts';
import { objectsOf } from './state.ts';
import type { World } from './world.ts';

export function leftByTheDead({ controlPlane, members }: World): string[] {
  const objects = objectsOf(controlPlane);
  // Turned off, it deletes the bindings, after the claims are released.
  const isOff = objects.some(([resource, { metadata }]) => resource === 'configmaps' && metadata.name === switchName);
  const byUid = new Map(objects.map(([, object]) => [object.metadata.uid, object]));
  const findings: string[] = [];
  const works = new Set<string>();
  for (const [resource, object] of objects) {
    const { namespace, name, ownerReferences = [], deletionTimestamp } = object.metadata;
    if (resource === 'works') works.add(`${namespace}/${name}`);
    if (isOff || !resource.endsWith('resourcebindings') || deletionTimestamp !== undefined || !claimOn(object))
      continue;
    // FED-3, FED-9: a claim that only the binding has is released by nobody.
    for (const { uid } of ownerReferences) {
      const template = byUid.get(uid);
      if (template && !claimOn(template)) findings.push(`${name} has a claim that its template does not have`);
    }
  }
  for (const [member, server] of members) {
    for (const [resource, object] of objectsOf(server)) {
      const { namespace, name, deletionTimestamp } = object.metadata;
      const work = workNameOf(object);
      // FED-9: nobody deletes what no Work is there for.
      if (isManaged(object) && deletionTimestamp === undefined && work !== undefined && !works.has(work)) {
        findings.push(`${resource} ${namespace ?? ''}/${name} in ${member} has no Work`);
      }
    }
  }
  return findings;
}
